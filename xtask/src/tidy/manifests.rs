//! What every manifest takes from the workspace (licence, oldest Rust, lints), the lock file that has to be there, and the
//! toolchain file that must not.

use super::Finding;
use super::tree::Tree;
use crate::metadata::Metadata;
use anyhow::{Context, Result};
use toml::{Table, Value};

pub(crate) const LOCK: &str = "Cargo.lock";

pub(crate) fn check(tree: &Tree, metadata: &Metadata) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    if !tree.contains(LOCK) {
        findings.push(Finding::new(LOCK, 1, "ignored or missing; commit it, the gate builds what it locks"));
    }
    for name in ["rust-toolchain", "rust-toolchain.toml"] {
        if tree.contains(name) {
            let what =
                "pins a toolchain that may not be there; remove it, `rust-version` says what is needed";
            findings.push(Finding::new(name, 1, what));
        }
    }
    for package in metadata.members() {
        let path = metadata.manifest_of(package);
        let text = tree.text(&path).unwrap_or_default();
        let manifest: Table = text.parse().with_context(|| format!("{path} cannot be read"))?;
        for complaint in complaints(&manifest) {
            findings.push(Finding::new(path.clone(), 1, complaint));
        }
    }
    Ok(findings)
}

fn complaints(manifest: &Table) -> Vec<String> {
    let package = manifest.get("package").and_then(Value::as_table);
    let mut complaints = Vec::new();
    for key in ["license", "rust-version"] {
        if !inherits(package.and_then(|package| package.get(key))) {
            complaints.push(format!("{key} is its own; write `{key}.workspace = true`"));
        }
    }
    if !inherits(manifest.get("lints")) {
        complaints.push("lints are its own; write `[lints]` with `workspace = true`".to_owned());
    }
    complaints
}

fn inherits(value: Option<&Value>) -> bool {
    value.and_then(|value| value.get("workspace")).and_then(Value::as_bool) == Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_the_three_has_to_be_inherited() {
        let whole =
            "[package]\nlicense.workspace = true\nrust-version.workspace = true\n[lints]\nworkspace = true\n";
        let count = |text: &str| complaints(&text.parse().unwrap()).len();
        assert_eq!(count(whole), 0);
        assert_eq!(count(&whole.replace("license.workspace = true", "license = \"MIT\"")), 1);
        assert_eq!(count(&whole.replace("[lints]\nworkspace = true", "[lints.clippy]\nall = \"warn\"")), 1);
        assert_eq!(count(""), 3);
    }
}
