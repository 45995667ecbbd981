//! Which imports of a file only the removed code used.
//!
//! What always holds: an import that was unused before stays, and so does one that may be there for another reason: it hands
//! its name on to other files, it has an effect of its own, or it brings the methods of a trait.

use std::ops::Range;

use tree_sitter::Node;

use super::imports::statement;
use crate::imports::{Import, Imported, Meaning, meaning};
use crate::language::Language;
use crate::parse::{Next, walk};
use crate::sites::{Project, ProjectFile, has_word};
use crate::uses::{Role, Token, contains as is_text_in};

mod traits;

/// Words of a comment that keeps an import that looks unused.
const KEPT_BY: [&str; 5] = ["noqa", "pylint", "eslint-disable", "nolint", "allow("];
/// What JSX calls without its name.
const JSX_FACTORIES: [&str; 2] = ["React", "h"];

/// The imports of a file that only these ranges of it used, as indexes.
pub(super) fn unused(project: &Project<'_>, index: usize, gone: &[Range<usize>]) -> Vec<usize> {
    let Some(file) = project.files.get(index) else { return Vec::new() };
    let gone = Gone { file, ranges: gone };
    let is_unused = |import: &Import| {
        gone.may_go(import) && gone.was_the_use_of(import) && !is_used_by_others(project, index, import)
    };
    let imports = file.imports.iter().enumerate();
    imports.filter(|(_, import)| is_unused(import)).map(|(at, _)| at).collect()
}

/// A file, and what of it goes away.
struct Gone<'f, 'a> {
    file: &'f ProjectFile<'a>,
    ranges: &'f [Range<usize>],
}

impl Gone<'_, '_> {
    fn has(&self, bytes: &Range<usize>) -> bool {
        self.ranges.iter().any(|range| range.start <= bytes.start && bytes.end <= range.end)
    }

    /// Whether an import is one that can be there for its name alone.
    fn may_go(&self, import: &Import) -> bool {
        let reading = &self.file.reading;
        let Some(node) = statement(self.file, import) else { return false };
        let is_named =
            !matches!(import.imported, Imported::Everything) && !matches!(&*import.local, "" | "_");
        let is_public = node.parent().is_some_and(|parent| parent.kind() == "export_statement")
            || node.kind() == "export_statement";
        let is_for_others = match reading.language {
            // What is imported under its own name is meant for others.
            Language::Python => {
                let rest = reading.content.get(import.bytes.end..).unwrap_or_default();
                let is_same = matches!(&import.imported, Imported::Name(name) if *name == import.local);
                reading.path.ends_with("__init__.py")
                    || reading.path.ends_with(".pyi")
                    || is_same && rest.starts_with(b" as ")
            }
            Language::Rust => import.is_reexported || node.kind() != "use_declaration",
            _ => import.is_reexported,
        };
        let is_factory = JSX_FACTORIES.contains(&import.local.as_str()) && self.has_jsx();
        is_named
            && !is_public
            && !is_for_others
            && !is_factory
            && !self.has(&import.bytes)
            && !self.is_kept_by_comment(&node)
            && !self.is_last_of_block(&node)
    }

    /// Whether a block would have nothing left, which it may not in Python.
    fn is_last_of_block(&self, node: &Node<'_>) -> bool {
        let Some(block) = node.parent().filter(|parent| parent.kind() == "block") else { return false };
        let mut cursor = block.walk();
        let is_left = |other: &Node<'_>| {
            other != node && !other.kind().contains("comment") && !self.has(&other.byte_range())
        };
        !block.named_children(&mut cursor).any(|other| is_left(&other))
    }

    /// Whether a comment on the lines of a statement or an attribute says that it stays.
    fn is_kept_by_comment(&self, node: &Node<'_>) -> bool {
        let content = self.file.reading.content;
        let is_line = |before: &Node<'_>| {
            let earlier = before.prev_sibling().map(|earlier| earlier.end_position().row);
            before.kind().contains("comment")
                && before.end_position().row + 1 == node.start_position().row
                && earlier != Some(before.start_position().row)
        };
        let start =
            node.prev_named_sibling().filter(|before| before.kind() == "attribute_item" || is_line(before));
        let start = start.map_or(node.start_byte(), |before| before.start_byte());
        let after = content.get(node.end_byte()..).unwrap_or_default();
        let length = after.iter().position(|byte| *byte == b'\n').unwrap_or(after.len());
        let text = content.get(start..node.end_byte() + length).unwrap_or_default();
        KEPT_BY.iter().any(|word| is_text_in(text, word.as_bytes()))
    }

    fn has_jsx(&self) -> bool {
        let mut has = false;
        walk(&self.file.reading.tree, |cursor| {
            has |= cursor.node().kind().starts_with("jsx_");
            if has || self.has(&cursor.node().byte_range()) { Next::Past } else { Next::Within }
        });
        has
    }

    /// Whether the name was used in what goes away, and is used nowhere else in the file.
    fn was_the_use_of(&self, import: &Import) -> bool {
        let reading = &self.file.reading;
        // `import pkg.shop` is used as `pkg.shop.load`.
        let name = import.local.split('.').next().unwrap_or_default();
        let tokens = reading.tokens(name);
        let is_own = |token: &Token| {
            import.statement.start <= token.bytes.start
                && token.bytes.end <= import.statement.end
                && matches!(token.role, Role::Import | Role::Binding | Role::Definition)
        };
        let (gone, left): (Vec<&Token>, Vec<&Token>) =
            tokens.iter().filter(|token| !is_own(token)).partition(|token| self.has(&token.bytes));
        let uses: Vec<&Token> = gone.into_iter().filter(|token| is_use(reading.language, token)).collect();
        let is_hidden = |token: &Token| {
            left.iter().filter(|other| other.role == Role::Binding).any(|binding| {
                let surely = binding.holds.as_ref().and_then(|holds| holds.surely.as_ref());
                surely.is_some_and(|body| body.start <= token.bytes.start && token.bytes.end <= body.end)
            })
        };
        let is_left = |token: &&&Token| match token.role {
            Role::Import => true,
            Role::Definition => !token.is_member && token.holds.is_none(),
            _ => is_use(reading.language, token) && !is_hidden(token),
        };
        !uses.is_empty()
            && left.iter().find(is_left).is_none()
            && !self.is_in_texts(name)
            && (reading.language != Language::Rust
                || traits::is_no_trait_in_use(self.file, import, &uses, self.ranges))
    }

    /// Whether a text that is left may mean the name: a type in a comment or in quotation marks, a value in a format string.
    fn is_in_texts(&self, name: &str) -> bool {
        let reading = &self.file.reading;
        let mut is_in = false;
        walk(&reading.tree, |cursor| {
            let node = cursor.node();
            if is_in || self.has(&node.byte_range()) {
                return Next::Past;
            }
            let text = || reading.text(&node);
            if node.kind().contains("comment") {
                let is_doc = text().starts_with("/**") || text().starts_with("# type:");
                let mut lines = text().lines();
                is_in |= is_doc && lines.any(|line| line.contains(['@', ':']) && has_word(line, name));
                return Next::Past;
            }
            if !node.kind().contains("string") {
                return Next::Within;
            }
            is_in |= match reading.language {
                Language::Python => has_parent(&node, "type") && has_word(text(), name),
                Language::Rust => {
                    text().contains(&format!("{{{name}}}")) || text().contains(&format!("{{{name}:"))
                }
                _ => false,
            };
            Next::Within
        });
        is_in
    }
}

fn has_parent(node: &Node<'_>, kind: &str) -> bool {
    let mut at = node.parent();
    while let Some(above) = at {
        if above.kind() == kind {
            return true;
        }
        at = above.parent();
    }
    false
}

/// Whether an occurrence of the name can mean what was imported.
fn is_use(language: Language, token: &Token) -> bool {
    match token.role {
        Role::Call | Role::Plain | Role::Shorthand | Role::Export => true,
        Role::Member => match language {
            Language::Rust => {
                let first = token.object.as_deref().and_then(|object| object.split("::").next());
                token.is_path && matches!(first, Some("self" | "super" | "crate"))
            }
            // `Map` of `Map.Entry` is a part of a path, too.
            Language::Java => token.object.is_none(),
            _ => false,
        },
        _ => false,
    }
}

/// Whether another file takes the name from this one: private imports are visible below a module of Rust, and everything is in
/// Python.
fn is_used_by_others(project: &Project<'_>, index: usize, import: &Import) -> bool {
    let Some(file) = project.files.get(index) else { return false };
    let path = file.reading.path;
    if !matches!(file.reading.language, Language::Rust | Language::Python) {
        return false;
    }
    let name = import.local.as_str();
    let file_name = path.rsplit('/').next().unwrap_or_default();
    // `patch("shop.json")`
    let dotted = format!("{}.{name}", file_name.split('.').next().unwrap_or_default());
    let others = project.files.iter().enumerate().filter(|(other, _)| *other != index);
    others.into_iter().any(|(_, other)| {
        let takes = |by: &Import| {
            let how = meaning(by, other.reading.path, path, &project.packages);
            match (how, &by.imported) {
                (Some(Meaning::Names), Imported::Name(taken)) => taken == name,
                (Some(Meaning::Names), _) => !other.reading.tokens(name).is_empty(),
                (Some(Meaning::Module), _) => other.reading.tokens(name).iter().any(|token| {
                    let object = token.object.as_deref().unwrap_or_default();
                    token.role == Role::Member
                        && (object == by.local || object.ends_with(&format!(".{}", by.local)))
                }),
                (None, _) => false,
            }
        };
        let is_python = file.reading.language == Language::Python;
        other.imports.iter().any(takes) || is_python && is_text_in(other.reading.content, dotted.as_bytes())
    })
}
