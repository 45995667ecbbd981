//! The servers that answer, the model a turn here would use, and what is remembered of it. Loads nothing.

use bowline_core::limits::WINDOW_MIN;
use bowline_core::mode::ModeBy;
use bowline_core::servers::{Runs, ServerKind};
use bowline_host::servers::{Choice, Listed, NoModel, Search, list};
use bowline_host::store::{ModelNote, Store, StoreError};

use super::Scene;
use super::finding::{Finding, split};

pub(super) async fn models(scene: &Scene) -> Vec<Finding> {
    let last_used = match (scene.store(), &scene.project) {
        (Some(store), Ok(project)) => {
            // What can't be read is the database's finding.
            store.last_model(&project.root.to_string_lossy()).await.ok().flatten()
        }
        _ => None,
    };
    let listing = match list(&Search { last_used, ..scene.search.clone() }).await {
        Ok(listing) => listing,
        Err(none) => return vec![no_model(&none)],
    };
    let mut findings = servers(&listing.models);
    match listing.picked {
        Err(none) => findings.push(no_model(&none)),
        Ok(choice) => match note(scene.store(), &choice).await {
            Ok(note) => findings.extend(picked(&choice, note.as_ref())),
            Err(error) => findings.push(Finding::failure("database", &error)),
        },
    }
    findings
}

fn no_model(none: &NoModel) -> Finding {
    let words = none.to_string();
    let (what, next) = split(&words);
    Finding::no_model("model", what, next)
}

fn servers(models: &[Listed]) -> Vec<Finding> {
    let mut servers: Vec<(&Listed, usize)> = Vec::new();
    for listed in models {
        match servers.iter_mut().find(|(server, _)| server.base_url == listed.base_url) {
            Some((_, count)) => *count += 1,
            None => servers.push((listed, 1)),
        }
    }
    let line = |(server, count): (&Listed, usize)| {
        let models = if count == 1 { "1 model".to_owned() } else { format!("{count} models") };
        Finding::ok("server", format!("{} at {} · {models}", server.server.word(), server.base_url))
    };
    servers.into_iter().map(line).collect()
}

async fn note(store: Option<&Store>, choice: &Choice) -> Result<Option<ModelNote>, StoreError> {
    match store {
        Some(store) => store.model_note(&choice.full_name, &choice.endpoint.base_url).await,
        None => Ok(None),
    }
}

fn picked(choice: &Choice, note: Option<&ModelNote>) -> Vec<Finding> {
    let name = &choice.full_name;
    let (small, seen) = match note.and_then(|note| note.window) {
        Some(seen) if seen < WINDOW_MIN => (Some(seen), None),
        seen => (None, seen),
    };
    let window = seen.map_or(choice.window, |seen| seen.min(choice.window));
    let mode_by = note.and_then(|note| note.mode_by.as_deref());
    let mode =
        note.and_then(|note| Some((note.mode.as_deref()?, note.mode_by.as_deref().unwrap_or_default())));
    let mode = mode.map_or(String::new(), |(mode, by)| format!(" · {mode} mode, remembered{}", by_whom(by)));
    let what = format!("{name} is used here ({}) · window {window}{mode}", choice.why);
    let mut findings = vec![Finding::ok("model", what)];
    if let Some(small) = small {
        let what = format!("{name} last had no more than {small} tokens, and a turn needs {WINDOW_MIN}");
        findings.push(Finding::warning(
            "window",
            what,
            "give its server a larger window, unless you already did",
        ));
    }
    if note.is_some_and(|note| note.is_unbound) {
        let what = "the server did not bind an answer to a schema, so constrained mode is not used";
        let next = "update the server, then run bowline models --probe";
        findings.push(Finding::warning("schema", what, next));
    }
    if mode_by == Some("refused") && choice.endpoint.kind == ServerKind::LlamaCpp {
        let what = "the server refused tools, so calls are made in another way, which works less well";
        let next = "start llama-server with --jinja, then run bowline models --probe";
        findings.push(Finding::warning("tools", what, next));
    }
    if !choice.is_window_known && seen.is_none() {
        let what = format!("the server does not report the window of {name}: {window} tokens are assumed");
        findings.push(Finding::warning("window", what, "bowline run --window N sets it"));
    }
    if choice.runs == Runs::Elsewhere {
        let what = format!("{name} runs on another machine: everything it reads leaves this one");
        findings.push(Finding::warning(
            "privacy",
            what,
            "choose a model on this machine with --model, if that matters",
        ));
    }
    findings
}

fn by_whom(by: &str) -> &'static str {
    match ModeBy::of(by) {
        Some(ModeBy::Exam) => " from its exam",
        Some(ModeBy::Refused) => " since its server refused tools",
        Some(ModeBy::Unread) => " since its server could not read its calls",
        Some(ModeBy::Written) => " since it wrote its calls as text",
        Some(ModeBy::Fenced) => " since it answered with code instead of a call",
        Some(ModeBy::NoCall) => " since it made no call in text mode",
        None => "",
    }
}
