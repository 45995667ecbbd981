//! Documents that have to say something at a certain place, and links between them that have to lead somewhere. Links to
//! other sites are not followed: no network.

use super::Finding;
use super::tree::Tree;

const CHANGELOG: &str = "CHANGELOG.md";
const README: &str = "README.md";
/// What a reader can paste: see it work, and test it.
const FIRST_COMMANDS: [&str; 2] = ["cargo xtask try", "cargo xtask ci"];
/// How many code blocks may hold them.
const FIRST_BLOCKS: usize = 2;

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let changes = tree.text(CHANGELOG).unwrap_or_default();
    if !changes.lines().any(|line| line.starts_with("## ") && line.contains("Unreleased")) {
        findings.push(Finding::new(CHANGELOG, 1, "no section `## [Unreleased]`; add it at the top"));
    }
    if let Some(text) = tree.text(README) {
        findings.extend(missing_commands(text));
    }
    for (path, text) in tree.texts().filter(|(path, _)| is_document(path)) {
        for (target, line) in links(text) {
            if !leads_somewhere(tree, path, target) {
                let what = format!("the link to {target} leads nowhere; correct it");
                findings.push(Finding::new(path, line, what));
            }
        }
    }
    findings
}

/// Prompts and cases are Markdown too, but not for readers.
fn is_document(path: &str) -> bool {
    let written = !path.contains('/') || path.starts_with("docs/") || path.ends_with("/README.md");
    written && path.ends_with(".md")
}

fn missing_commands(text: &str) -> Vec<Finding> {
    let mut blocks = 0;
    let mut opening = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
            blocks += usize::from(inside);
        } else if inside && blocks <= FIRST_BLOCKS {
            opening.push(line);
        }
    }
    let missing = FIRST_COMMANDS.iter().filter(|command| !opening.iter().any(|line| line.contains(*command)));
    missing
        .map(|command| {
            Finding::new(
                README,
                1,
                format!("`{command}` is not in the first code blocks; open with the two commands"),
            )
        })
        .collect()
}

/// The targets of a document's links, each with its line; those in code are no links.
fn links(text: &str) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    let mut inside = false;
    for (line, number) in text.lines().zip(1..) {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        }
        if inside {
            continue;
        }
        // Every other piece between backticks is code.
        for prose in line.split('`').step_by(2) {
            for after in prose.split("](").skip(1) {
                let target = after.split([')', ' ']).next().unwrap_or_default();
                found.push((target, number));
            }
        }
    }
    found
}

fn leads_somewhere(tree: &Tree, document: &str, target: &str) -> bool {
    let path = target.split('#').next().unwrap_or_default();
    if path.is_empty() || path.contains("://") || path.starts_with("mailto:") {
        return true;
    }
    let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
    let start = if path.starts_with('/') { "" } else { folder };
    let mut parts: Vec<&str> = start.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part != ".." {
            parts.push(part);
        } else if parts.pop().is_none() {
            return false;
        }
    }
    tree.contains(&parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_resolve_from_their_document() {
        let tree = Tree::of(&[("README.md", ""), ("docs/decisions/log.md", ""), ("docs/guide.md", "")]);
        let table = [
            ("README.md", "docs/guide.md", true),
            ("README.md", "docs/guide.md#start", true),
            ("README.md", "guide.md", false),
            ("docs/guide.md", "decisions/", true),
            ("docs/guide.md", "./decisions/log.md", true),
            ("docs/decisions/log.md", "../guide.md", true),
            ("docs/decisions/log.md", "../../README.md", true),
            ("docs/guide.md", "/README.md", true),
            ("docs/guide.md", "../../README.md", false),
            ("docs/guide.md", "https://example.org/nowhere", true),
            ("docs/guide.md", "#start", true),
        ];
        for (document, target, expected) in table {
            assert_eq!(leads_somewhere(&tree, document, target), expected, "{document} to {target}");
        }
    }

    #[test]
    fn code_holds_no_links() {
        let text = "[a](a.md) and `[b](b.md)`, ![c](c.png \"title\")\n```\n[d](d.md)\n```\n[e](e.md)\n";
        assert_eq!(links(text), [("a.md", 1), ("c.png", 1), ("e.md", 5)]);
    }

    #[test]
    fn the_readme_opens_with_its_commands() {
        let whole = "# bowline\n```sh\ncargo xtask try\n```\nthen\n```sh\ncargo xtask ci   # tests\n```\n";
        assert!(missing_commands(whole).is_empty());
        let late = format!("```\na\n```\n{whole}");
        assert_eq!(missing_commands(&late).len(), 1);
    }
}
