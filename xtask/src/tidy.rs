//! `cargo xtask tidy`: the rules of this repository that neither compiler nor clippy holds. Each rule is a file that takes
//! the tree or cargo's metadata and gives findings; it changes nothing. All findings are listed at once, each with the
//! place and what to do.

mod bans;
mod dependencies;
mod direction;
mod documents;
mod lengths;
mod manifests;
mod names;
mod openings;
mod printing;
mod ratchet;
mod records;
mod spdx;
mod tree;
mod words;

use crate::metadata::Metadata;
use anyhow::{Result, bail};
use std::fmt;
use tree::Tree;

/// One thing that has to change.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    path: String,
    /// From 1.
    line: usize,
    /// What is wrong, and what to do about it.
    what: String,
}

impl Finding {
    fn new(path: impl Into<String>, line: usize, what: impl Into<String>) -> Self {
        Self { path: path.into(), line, what: what.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.path, self.line, self.what)
    }
}

pub(crate) fn run() -> Result<()> {
    let tree = Tree::read()?;
    let metadata = Metadata::read()?;

    let mut findings = Vec::new();
    findings.extend(lengths::check(&tree));
    findings.extend(openings::check(&tree));
    findings.extend(names::check(&tree));
    findings.extend(words::check(&tree));
    findings.extend(printing::check(&tree, &metadata));
    findings.extend(direction::check(&tree, &metadata));
    findings.extend(manifests::check(&tree, &metadata)?);
    findings.extend(dependencies::check(&tree, &metadata)?);
    findings.extend(bans::check(&tree, &metadata)?);
    findings.extend(documents::check(&tree));
    findings.extend(records::check(&tree));
    findings.sort();
    findings.dedup();

    if let Some(note) = bans::doubled(&metadata) {
        println!("tidy: note: {note}");
    }
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => {
            println!("tidy: {} files, nothing to say", tree.files().len());
            Ok(())
        }
        1 => bail!("1 finding"),
        many => bail!("{many} findings"),
    }
}
