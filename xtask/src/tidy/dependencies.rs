//! Every dependency we chose has one line of reason in `docs/decisions/dependencies.md`, and every line there is about one
//! we still have. What our dependencies depend on is theirs to explain.

use super::Finding;
use super::tree::Tree;
use crate::metadata::Metadata;
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use toml::{Table, Value};

const REASONS: &str = "docs/decisions/dependencies.md";
const WORKSPACE: &str = "Cargo.toml";

pub(crate) fn check(tree: &Tree, metadata: &Metadata) -> Result<Vec<Finding>> {
    let manifest: Table =
        tree.text(WORKSPACE).unwrap_or_default().parse().context("Cargo.toml cannot be read")?;
    let used: BTreeSet<&str> = metadata
        .members()
        .flat_map(|package| &package.dependencies)
        .filter(|dependency| dependency.path.is_none())
        .map(|dependency| dependency.name.as_str())
        .collect();
    let declared = declared(&manifest);
    let Some(text) = tree.text(REASONS) else {
        return Ok(vec![Finding::new(
            REASONS,
            1,
            "missing; it holds one line of reason for each dependency",
        )]);
    };
    let mut findings = compare(&declared.union(&used).copied().collect(), text);
    findings.extend(declared.difference(&used).map(|name| {
        let line = tree.line_of(WORKSPACE, |line| line.starts_with(&format!("{name} =")));
        Finding::new(WORKSPACE, line, format!("{name} is used by no crate; remove it"))
    }));
    Ok(findings)
}

/// The packages from elsewhere that the workspace declares for its crates.
fn declared(manifest: &Table) -> BTreeSet<&str> {
    let table = manifest.get("workspace").and_then(|workspace| workspace.get("dependencies"));
    let entries = table.and_then(Value::as_table).into_iter().flatten();
    entries.filter(|(_, value)| value.get("path").is_none()).map(|(name, _)| name.as_str()).collect()
}

fn compare(direct: &BTreeSet<&str>, text: &str) -> Vec<Finding> {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    let mut findings = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let Some((name, reason)) = entry(line) else { continue };
        if reasons.insert(name, number).is_some() {
            findings.push(Finding::new(REASONS, number, format!("{name} has two lines; keep one")));
        } else if !direct.contains(name) {
            findings.push(Finding::new(
                REASONS,
                number,
                format!("{name} is no dependency of ours; remove the line"),
            ));
        } else if reason.is_empty() {
            findings.push(Finding::new(REASONS, number, format!("{name} has no reason; say why we take it")));
        }
    }
    let last = text.lines().count().max(1);
    let missing = direct.iter().filter(|name| !reasons.contains_key(*name));
    findings.extend(missing.map(|name| {
        Finding::new(REASONS, last, format!("{name} is missing; add a line \"- `{name}`: why we take it\""))
    }));
    findings
}

/// A line of the form "- `name`: reason".
fn entry(line: &str) -> Option<(&str, &str)> {
    let (name, reason) = line.strip_prefix("- `")?.split_once("`:")?;
    Some((name, reason.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_dependency_has_one_line_with_a_reason() {
        let direct = BTreeSet::from(["anyhow", "serde", "tokio", "toml"]);
        let text = "# Dependencies\n- `anyhow`: errors.\n- `serde`:\n- `tokio`: runs.\n- `tokio`: runs.\n- `gone`: was.\n";
        let found: Vec<String> = compare(&direct, text).iter().map(Finding::to_string).collect();
        assert_eq!(
            found,
            [
                "docs/decisions/dependencies.md:3: serde has no reason; say why we take it",
                "docs/decisions/dependencies.md:5: tokio has two lines; keep one",
                "docs/decisions/dependencies.md:6: gone is no dependency of ours; remove the line",
                "docs/decisions/dependencies.md:6: toml is missing; add a line \"- `toml`: why we take it\"",
            ]
        );
    }

    #[test]
    fn crates_of_the_workspace_need_no_reason() {
        let manifest =
            "[workspace.dependencies]\nown = { path = \"crates/own\" }\nbytes = \"1\"\n".parse().unwrap();
        assert_eq!(declared(&manifest), BTreeSet::from(["bytes"]));
    }
}
