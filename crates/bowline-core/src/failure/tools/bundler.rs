//! webpack, vite, rollup and esbuild: a build that does not go through.

use super::super::Subkind;
use super::super::log::Log;
use super::super::places;
use super::super::report::{Problem, Report};

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    let at = log.position(|line| {
        let text = line.trim_start();
        text.starts_with("ERROR in ")
            || text.starts_with("✘ [ERROR] ")
            || text.starts_with("Module not found: ")
            || text.contains("[vite]: Rollup failed")
            || text.starts_with("error during build:")
            || text.starts_with("Failed to compile")
            || text.starts_with("Build failed with ")
            || text.starts_with("[!] ")
    })?;
    let first = log.lines.get(at)?.trim();
    let below: Vec<&str> =
        log.between(at + 1, at + 12).iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    let is_title = ["ERROR in ", "error during build:", "Failed to compile", "Build failed with "]
        .iter()
        .any(|title| first.starts_with(title));
    let message = match below.first() {
        Some(said) if is_title => (*said).to_owned(),
        _ => first.trim_start_matches("✘ [ERROR] ").trim_start_matches("[!] ").to_owned(),
    };
    // The name of the plugin that stumbled says less than what it stumbled over.
    let message = message
        .rsplit_once("] ")
        .filter(|_| message.starts_with('['))
        .map_or(message.clone(), |(_, rest)| rest.to_owned());
    let in_title = first.strip_prefix("ERROR in ").and_then(|rest| places::parsed(rest.split(' ').next()?));
    let place = in_title.or_else(|| {
        below.iter().find_map(|line| {
            places::parsed(line.trim_start_matches("file: ").split(' ').next()?.trim_start_matches("./"))
        })
    });
    let is_import = message.contains("resolve") || message.contains("not found");
    let subkind = if is_import { Subkind::Import } else { Subkind::Compile };
    Some(Report::of_lint(subkind, vec![Problem::new("", place, &message)]))
}
