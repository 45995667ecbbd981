//! What servers tell of themselves: which one it is, its models, and the window to work with.

use std::fmt::Write as _;

use bowline_core::mode::Size;
use bowline_core::servers::{Answers, Model, Runs, Server, ServerKind, UseFor, ollama_shown};
use serde_json::Value;

use crate::cases;

/// A line per path and its answer; `guess vllm` is where it was found, `/api/show` is asked of every model.
fn recognised(input: &str) -> String {
    let mut answers = Answers::default();
    let mut guess = ServerKind::OpenAi;
    let mut show = None;
    for line in input.lines() {
        let (path, answer) = line.split_once(' ').unwrap();
        if path == "guess" {
            let all = [ServerKind::Ollama, ServerKind::LlamaCpp, ServerKind::LmStudio, ServerKind::Vllm];
            guess = all.into_iter().find(|kind| kind.word() == answer).unwrap();
            continue;
        }
        let answer: Option<Value> = Some(serde_json::from_str(answer).unwrap());
        match path {
            "/api/version" => answers.version = answer,
            "/api/tags" => answers.tags = answer,
            "/api/ps" => answers.running = answer,
            "/api/show" => show = answer,
            "/props" => answers.props = answer,
            "/api/v0/models" => answers.studio = answer,
            "/v1/models" => answers.models = answer,
            _ => panic!("unknown path {path}"),
        }
    }
    let Some((kind, models)) = answers.recognise(guess) else { return "no model server".to_owned() };
    let server = Server { kind, name: None, base_url: String::new(), models };
    let mut out = format!("{}\n", kind.word());
    for model in server.models.clone() {
        let model = show.as_ref().map_or(model.clone(), |show| ollama_shown(model, show));
        let _ = writeln!(out, "{}", shown(&server, &model));
    }
    out
}

fn shown(server: &Server, model: &Model) -> String {
    let mut line = format!("  {}", server.full_name(model));
    let _ = match server.window(model) {
        Some(window) => write!(line, " · window {window}"),
        None => write!(line, " · window unknown"),
    };
    if model.bytes > 0 {
        let _ = write!(line, " · {} bytes", model.bytes);
    }
    if let Some(parameters) = model.parameters {
        let _ = write!(line, " · {} million parameters", parameters / 1_000_000);
    }
    let notes = [
        (model.size() == Size::Small, "small"),
        (model.is_loaded, "loaded"),
        (model.use_for == UseFor::Embedding, "embedding"),
        (model.runs == Runs::Elsewhere, "elsewhere"),
    ];
    notes.iter().filter(|(holds, _)| *holds).for_each(|(_, note)| line.push_str(&format!(" · {note}")));
    line
}

#[test]
fn every_server_is_recognised() {
    cases::check("servers.cases", recognised);
}

/// A name a line: what it says of the model's size.
#[test]
fn a_name_tells_the_size() {
    cases::check("sizes.cases", |input| {
        let line = |name: &str| {
            let model = Model::unlisted(name);
            match model.parameters {
                None => format!("{name}: unknown"),
                Some(parameters) => {
                    let small = if model.size() == Size::Small { ", small" } else { "" };
                    format!("{name}: {} million{small}", parameters / 1_000_000)
                }
            }
        };
        input.lines().map(line).collect::<Vec<_>>().join("\n")
    });
}
