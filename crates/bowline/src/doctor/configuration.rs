//! The configuration: whether both files can be read, and what of the project's does not count.

use super::Scene;
use super::finding::Finding;

const NAME: &str = "configuration";

pub(super) fn configuration(scene: &Scene) -> Vec<Finding> {
    let settings = match &scene.settings {
        Ok(settings) => settings,
        // That has a check of its own.
        Err(_) if scene.project.is_err() || scene.home.is_err() => return Vec::new(),
        Err(refusal) => {
            let remedy = "fix the file, or move it away: bowline config path";
            return vec![Finding::problem(NAME, refusal.words.clone(), remedy)];
        }
    };
    let files: Vec<String> = [&settings.files.user, &settings.files.project]
        .into_iter()
        .flatten()
        .map(|file| file.path.display().to_string())
        .collect();
    let read = if files.is_empty() { "no file, the defaults apply".to_owned() } else { files.join(", ") };
    let notices = settings.notices().into_iter();
    let ignored =
        notices.map(|notice| Finding::warning(NAME, notice, "bowline trust shows and trusts the file"));
    std::iter::once(Finding::ok(NAME, read)).chain(ignored).collect()
}
