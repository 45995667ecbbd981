//! What may be linked at all: the licences and the banned packages of `deny.toml`, held against the lock file. A package
//! locked in two major versions is only reported: who depends on it decides, not we.

use super::tree::Tree;
use super::{Finding, spdx};
use crate::metadata::{Metadata, Package};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

const PATH: &str = "deny.toml";

/// The part of the file that is read here.
#[derive(Deserialize)]
struct Deny {
    licenses: Licenses,
    bans: Bans,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Bans {
    deny: Vec<Ban>,
}

#[derive(Deserialize)]
struct Ban {
    #[serde(rename = "crate")]
    name: String,
}

pub(crate) fn check(tree: &Tree, metadata: &Metadata) -> Result<Vec<Finding>> {
    let Some(text) = tree.text(PATH) else {
        return Ok(vec![Finding::new(PATH, 1, "missing; it lists the licences and packages we take")]);
    };
    let deny: Deny = toml::from_str(text).with_context(|| format!("{PATH} cannot be read"))?;
    let mut findings = Vec::new();
    for package in metadata.foreign() {
        let banned = deny.bans.deny.iter().any(|ban| ban.name == package.name);
        let complaint =
            banned.then(|| format!("banned in {PATH}, which says why; find who asks for it and do without"));
        for what in complaint.into_iter().chain(licence_complaint(package, &deny.licenses.allow)) {
            let what = format!("{} {}: {what}", package.name, package.version);
            findings.push(tree.locked(&package.name, &package.version, what));
        }
    }
    Ok(findings)
}

fn licence_complaint(package: &Package, allowed: &[String]) -> Option<String> {
    let Some(expression) = &package.license else {
        return Some("names no licence; take another package".to_owned());
    };
    match spdx::is_satisfiable(expression, allowed) {
        Ok(true) => None,
        Ok(false) => Some(format!(
            "its licence `{expression}` needs one that is not allowed in {PATH}; take another package"
        )),
        Err(error) => {
            Some(format!("its licence `{expression}` cannot be read ({error}); take another package"))
        }
    }
}

/// A line about packages that are locked in more than one incompatible version, if there are any.
pub(crate) fn doubled(metadata: &Metadata) -> Option<String> {
    let mut versions: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for package in metadata.foreign() {
        versions.entry(&package.name).or_default().insert(compatible(&package.version));
    }
    let doubled: Vec<String> = versions
        .iter()
        .filter(|(_, majors)| majors.len() > 1)
        .map(|(name, majors)| format!("{name} ({})", majors.iter().cloned().collect::<Vec<_>>().join(", ")))
        .collect();
    (!doubled.is_empty()).then(|| format!("locked in several incompatible versions: {}", doubled.join(", ")))
}

/// The part of a version that compatible versions share: all up to the first number that is not zero.
fn compatible(version: &str) -> String {
    let numbers: Vec<&str> = version.split(['.', '-', '+']).take(3).collect();
    let leading = numbers.iter().position(|number| *number != "0").unwrap_or(numbers.len() - 1);
    numbers[..=leading].join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compatible_up_to_the_first_number_that_counts() {
        let table =
            [("1.2.3", "1"), ("0.9.0", "0.9"), ("0.0.7", "0.0.7"), ("0.0.0", "0.0.0"), ("2.0.0-rc.1", "2")];
        for (version, expected) in table {
            assert_eq!(compatible(version), expected, "{version}");
        }
    }
}
