//! One word of a command: what is known of it, and what is substituted into it.

use bowline_core::policy::command::Word;
use tree_sitter::Node;

use super::{Clear, DEPTH_MAX, unclear};

/// What stands in one word.
#[derive(Default)]
pub(super) struct Words<'n> {
    /// Commands whose output goes into it.
    pub(super) substituted: Vec<Node<'n>>,
    /// Places whose text is only known when it runs.
    unknown: Vec<std::ops::Range<usize>>,
    /// Whether it reckons with a variable.
    pub(super) has_sum: bool,
    is_glob: bool,
    has_braces: bool,
}

impl<'n> Words<'n> {
    /// Looks through a word for what is not literal.
    pub(super) fn look(&mut self, text: &str, node: Node<'n>, depth: usize) -> Clear<()> {
        if depth > DEPTH_MAX {
            return unclear("it is nested too deeply");
        }
        let source = text.get(node.byte_range()).unwrap_or_default();
        match node.kind() {
            "raw_string" => Ok(()),
            "word" | "number" | "test_operator" => self.literal(source),
            "string" | "concatenation" => {
                let mut cursor = node.walk();
                let children: Vec<Node<'n>> = node.children(&mut cursor).collect();
                for child in children {
                    match child.kind() {
                        "\"" | "$" => {}
                        "string_content" if child.is_named() => no_backquote(text, child)?,
                        _ if child.is_named() => self.look(text, child, depth + 1)?,
                        other => return unclear(format!("`{other}` in a word is not looked into")),
                    }
                }
                Ok(())
            }
            "simple_expansion" => {
                self.unknown.push(node.byte_range());
                Ok(())
            }
            "expansion" => {
                self.unknown.push(node.byte_range());
                if is_plain_expansion(source) {
                    Ok(())
                } else {
                    unclear(format!("{source} is not looked into"))
                }
            }
            "arithmetic_expansion" => {
                self.unknown.push(node.byte_range());
                self.has_sum |= source.contains(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$'));
                if is_plain_sum(source) { Ok(()) } else { unclear(format!("{source} is not looked into")) }
            }
            "command_substitution" => {
                self.unknown.push(node.byte_range());
                if !source.starts_with("$(") || source.starts_with("$((") {
                    return unclear("what it substitutes is not clear: write $(…)");
                }
                self.substituted.push(node);
                Ok(())
            }
            kind => unclear(format!("{} is not known to every shell", kind.replace('_', " "))),
        }
    }

    /// Text without quotes around it.
    fn literal(&mut self, source: &str) -> Clear<()> {
        if source.starts_with('#') {
            return unclear("whether `#` begins a comment in it is not clear");
        }
        let mut chars = source.chars();
        while let Some(char) = chars.next() {
            match char {
                '\\' => {
                    chars.next();
                }
                '`' => return unclear("what it substitutes is not clear: write $(…)"),
                '*' | '?' | '[' => self.is_glob = true,
                '{' | '}' => self.has_braces = true,
                _ => {}
            }
        }
        Ok(())
    }

    /// The word, read once more by another parser with what is unknown taken out: it must be one word to that, too.
    pub(super) fn word(&self, text: &str, node: Node<'_>) -> Clear<Word> {
        let source = text.get(node.byte_range()).unwrap_or_default();
        let mut plain = String::new();
        let mut at = node.start_byte();
        let mut unknown = self.unknown.clone();
        unknown.sort_by_key(|range| range.start);
        for range in &unknown {
            plain.push_str(text.get(at..range.start).unwrap_or_default());
            plain.push('x');
            at = at.max(range.end);
        }
        plain.push_str(text.get(at..node.end_byte()).unwrap_or_default());
        let read = shell_words::split(&plain).unwrap_or_default();
        let [word] = read.as_slice() else { return unclear("where its words end is not clear") };
        // Which of the signs in a pattern are quoted is lost in the word.
        let is_mixed = self.is_glob && source.contains(['\\', '\'', '"']) && word.contains(['[', '{', '\\']);
        if !self.unknown.is_empty() || self.has_braces || is_mixed {
            Ok(Word::Unknown(source.to_owned()))
        } else if self.is_glob {
            Ok(Word::Glob(word.clone()))
        } else {
            Ok(Word::Known(word.clone()))
        }
    }
}

fn no_backquote(text: &str, node: Node<'_>) -> Clear<()> {
    match text.get(node.byte_range()) {
        Some(source) if !source.contains('`') => Ok(()),
        _ => unclear("what it substitutes is not clear: write $(…)"),
    }
}

/// `${name}`, `${#name}`: anything more can hold commands.
pub(super) fn is_plain_expansion(source: &str) -> bool {
    let name = source.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
    let name = name.map(|name| name.strip_prefix('#').unwrap_or(name));
    name.is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

/// `$((i + 1))`: with brackets in it shells differ on whether it is a sum at all, and one that assigns could set `PATH`.
pub(super) fn is_plain_sum(source: &str) -> bool {
    let sum = source.strip_prefix("$((").and_then(|rest| rest.strip_suffix("))"));
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_$ +-*/%<>=!&|^~?:".contains(c);
    sum.is_some_and(|sum| sum.chars().all(is_plain) && !assigns(sum))
}

/// Whether a sum sets a variable: `=` that is no comparison, `++` or `--`.
fn assigns(sum: &str) -> bool {
    const COMPARES: [&str; 4] = ["==", "!=", "<=", ">="];
    let mut rest = sum;
    while let Some(char) = rest.chars().next() {
        let is_shift = rest.starts_with("<<") || rest.starts_with(">>");
        let is_compare = COMPARES.iter().any(|sign| rest.starts_with(sign));
        if char == '=' && !is_compare || rest.starts_with("++") || rest.starts_with("--") {
            return true;
        }
        let taken = if is_shift || is_compare { 2 } else { char.len_utf8() };
        rest = rest.get(taken..).unwrap_or_default();
    }
    false
}
