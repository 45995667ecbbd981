//! Strings that name a definition: `patch("shop.load")`, `"{LIMIT}"` in a macro of Rust, `trap 'load' EXIT`. They are offered
//! and never changed.

use super::{How, Project, ProjectFile, Site, Surety, Target, has_word};
use crate::language::Language;
use crate::parse::{Next, walk_steps};
use crate::uses::Space;

/// The strings that name the target, besides the sites that are known.
pub(crate) fn sites(project: &Project<'_>, target: &Target, known: &[Site]) -> Vec<Site> {
    let mut sites = Vec::new();
    let path = project.path(target.file);
    let file = path.rsplit('/').next().unwrap_or_default();
    let stem = file.split('.').next().unwrap_or_default();
    let owner = target.token.owners.first().filter(|_| target.token.is_member);
    let dotted = match owner {
        Some(owner) => format!("{stem}.{}.{}", owner.name, target.name),
        None => format!("{stem}.{}", target.name),
    };
    for (index, file) in project.related(target) {
        // A name without its module says little in a file that does not use it.
        let is_bare = matches!(file.reading.language, Language::Rust | Language::Bash);
        if is_bare && !known.iter().any(|site| site.file == index) {
            continue;
        }
        walk_steps(&file.reading.tree, |steps| {
            let Some(step) = steps.last() else { return Next::Past };
            let node = step.node;
            if node.child_count() > 0 || !node.kind().contains("string") {
                return Next::Within;
            }
            let text = file.reading.text(&node);
            let command = || steps.iter().rfind(|step| step.node.kind() == "command").map(|step| step.node);
            if names(file, target, text, &dotted, || {
                command().map_or("", |command| file.reading.text(&command))
            }) {
                let (bytes, line) = (node.byte_range(), node.start_position().row + 1);
                sites.push(Site { file: index, bytes, line, how: How::Use, surety: Surety::Uncertain });
            }
            Next::Past
        });
    }
    sites
}

fn names<'a>(
    file: &ProjectFile<'_>,
    target: &Target,
    text: &str,
    dotted: &str,
    command: impl Fn() -> &'a str,
) -> bool {
    match file.reading.language {
        Language::Rust => {
            let name = &target.name;
            text.contains(&format!("{{{name}}}")) || text.contains(&format!("{{{name}:"))
        }
        Language::Bash => {
            let is_run = matches!(command().split_whitespace().next(), Some("trap" | "eval"));
            target.token.space == Space::Value && is_run && has_word(text, &target.name)
        }
        _ => text == dotted || text.strip_suffix(dotted).is_some_and(|before| before.ends_with(['.', '/'])),
    }
}
