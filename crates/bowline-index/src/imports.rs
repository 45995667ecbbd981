//! What a file imports: which names from which module, whole modules, everything.
//!
//! A module is given as the file writes it (`./shop`, `pkg.shop`, `crate::shop`); which file that is, `resolves` tells. What
//! a program imports while it runs is not seen, except `require` of JavaScript and `source` of the shell with a plain path.

use std::ops::Range;

use tree_sitter::Node;

use crate::language::Language;
use crate::parse::{Next, walk};
use crate::uses::Reading;

mod others;
mod python;
mod resolve;
mod rust;
mod script;
mod write;

pub use resolve::resolves;
pub(crate) use resolve::{Meaning, directory, is_related, meaning};
pub(crate) use rust::{Packages, Target, rust_means, rust_module, rust_path};
pub(crate) use script::required;
pub(crate) use write::{ModuleSystem, add_imports, module_system};

/// More imports are not listed.
const IMPORTS_MAX: usize = 10_000;

/// What of a module is imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Imported {
    /// One name of it.
    Name(String),
    /// The module itself: `import shop`, `const shop = require('./shop')`, `mod shop;`.
    Module,
    /// All its names: `from shop import *`, `use crate::shop::*`, `source lib.sh`.
    Everything,
}

/// One import. A statement that imports three names is three of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The module as it is written: `.shop`, `./shop.js`, `crate::shop`, `lib.sh`.
    pub module: String,
    pub imported: Imported,
    /// What it is called in this file; empty where it has no name of its own. A module of Python that is imported with its
    /// path is called by its path: `pkg.shop`.
    pub local: String,
    /// The imported name, or else the text of the module.
    pub bytes: Range<usize>,
    /// The whole statement.
    pub statement: Range<usize>,
    /// The line of the name, counted from 1.
    pub line: usize,
    /// Whether others can import it from this file in turn: `pub use`, `export … from`.
    pub is_reexported: bool,
    /// The inline modules of Rust that it stands in, outermost first.
    pub inside: Vec<String>,
}

impl Import {
    /// Whether it is imported under another name.
    pub fn is_renamed(&self) -> bool {
        matches!(&self.imported, Imported::Name(name) if *name != self.local)
    }
}

/// What a file imports, in the order of the file.
///
/// ```
/// use bowline_index::{Imported, imports};
///
/// let found = imports("main.py", b"from shop import load as read\nimport os\n");
/// assert_eq!(found[0].module, "shop");
/// assert_eq!(found[0].imported, Imported::Name("load".into()));
/// assert_eq!(found[0].local, "read");
/// assert_eq!((found[1].module.as_str(), found[1].imported.clone()), ("os", Imported::Module));
/// ```
pub fn imports(path: &str, content: &[u8]) -> Vec<Import> {
    Reading::of(path, content).map(|reading| reading.imports()).unwrap_or_default()
}

impl Reading<'_> {
    pub(crate) fn imports(&self) -> Vec<Import> {
        let mut found = Vec::new();
        walk(&self.tree, |cursor| {
            if found.len() >= IMPORTS_MAX {
                return Next::Past;
            }
            let node = cursor.node();
            if !node.is_named() {
                return Next::Past;
            }
            match self.language {
                Language::Python => python::read(self, &node, &mut found),
                Language::JavaScript | Language::TypeScript | Language::Tsx => {
                    script::read(self, &node, &mut found);
                }
                Language::Rust => rust::read(self, &node, &mut found),
                language => others::read(self, language, &node, &mut found),
            }
            Next::Within
        });
        found
    }

    /// The import of one node.
    fn import(&self, module: &str, imported: Imported, local: &str, node: &Node<'_>) -> Import {
        Import {
            module: module.to_owned(),
            imported,
            local: local.to_owned(),
            bytes: node.byte_range(),
            statement: node.byte_range(),
            line: node.start_position().row + 1,
            is_reexported: false,
            inside: Vec::new(),
        }
    }
}

/// The children of a node that are of a kind.
fn children<'a>(node: &Node<'a>) -> Vec<Node<'a>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}
