//! One word of a command: what is known of it, and what is substituted into it.

use bowline_core::policy::command::Word;
use tree_sitter::Node;

use super::{Clear, DEPTH_MAX, unclear};

/// What the variable of a loop stands for in one round.
#[derive(Debug, Clone)]
pub(super) enum Bound {
    Text(String),
    /// One of the files of a pattern.
    Glob(String),
}

impl Bound {
    /// None where the shell could make something else of it.
    pub(super) fn of(word: &Word) -> Option<Bound> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./+,:@%=~^-".contains(c);
        match word {
            Word::Known(text) => {
                (!text.is_empty() && text.chars().all(is_plain)).then(|| Bound::Text(text.clone()))
            }
            Word::Glob(pattern) => Some(Bound::Glob(pattern.clone())),
            Word::Unknown(_) => None,
        }
    }
}

/// What stands in one word.
#[derive(Default)]
pub(super) struct Words<'n, 'b> {
    bound: &'b [(String, Bound)],
    /// Commands whose output goes into it.
    pub(super) substituted: Vec<Node<'n>>,
    /// Places whose text is only known when it runs, and what stands there for another parser.
    places: Vec<(std::ops::Range<usize>, String)>,
    is_unknown: bool,
    /// Whether it reckons with a variable.
    pub(super) has_sum: bool,
    /// Variables whose values go into it.
    pub(super) expands: Vec<String>,
    is_glob: bool,
    has_braces: bool,
    /// Whether it has what makes braces a list: `,` or `..`.
    has_comma: bool,
}

impl<'n, 'b> Words<'n, 'b> {
    pub(super) fn with(bound: &'b [(String, Bound)]) -> Words<'n, 'b> {
        Words { bound, ..Words::default() }
    }

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
                self.variable(node, source.strip_prefix('$').unwrap_or_default());
                Ok(())
            }
            "expansion" => {
                self.variable(node, source.trim_start_matches(['$', '{', '#']).trim_end_matches('}'));
                if is_plain_expansion(source) {
                    Ok(())
                } else {
                    unclear(format!("{source} is not looked into"))
                }
            }
            "arithmetic_expansion" => {
                self.unknown(node);
                self.expands.extend(names_in(source));
                self.has_sum |= source.contains(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$'));
                if is_plain_sum(source) { Ok(()) } else { unclear(format!("{source} is not looked into")) }
            }
            "command_substitution" => {
                self.unknown(node);
                if !source.starts_with("$(") || source.starts_with("$((") {
                    return unclear("what it substitutes is not clear: write $(…)");
                }
                self.substituted.push(node);
                Ok(())
            }
            kind => unclear(format!("{} is not known to every shell", kind.replace('_', " "))),
        }
    }

    fn unknown(&mut self, node: Node<'_>) {
        self.is_unknown = true;
        self.places.push((node.byte_range(), "x".to_owned()));
    }

    fn value(&self, name: &str) -> Option<&'b Bound> {
        self.bound.iter().rev().find(|(bound, _)| bound == name).map(|(_, value)| value)
    }

    /// `$name`, `${name}` or `${#name}`.
    fn variable(&mut self, node: Node<'_>, name: &str) {
        let is_length = node.end_byte() - node.start_byte() == name.len() + 4;
        match self.value(name) {
            Some(Bound::Text(text)) if !is_length => self.places.push((node.byte_range(), text.clone())),
            Some(_) => self.unknown(node),
            None => {
                self.expands.push(name.to_owned());
                self.unknown(node);
            }
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
                ',' => self.has_comma = true,
                '.' if chars.as_str().starts_with('.') => self.has_comma = true,
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
        let mut places = self.places.clone();
        places.sort_by_key(|(range, _)| range.start);
        for (range, value) in &places {
            plain.push_str(text.get(at..range.start).unwrap_or_default());
            plain.push_str(value);
            at = at.max(range.end);
        }
        plain.push_str(text.get(at..node.end_byte()).unwrap_or_default());
        let read = shell_words::split(&plain).unwrap_or_default();
        let [word] = read.as_slice() else { return unclear("where its words end is not clear") };
        // Which of the signs in a pattern are quoted is lost in the word.
        let is_mixed = self.is_glob && source.contains(['\\', '\'', '"']) && word.contains(['[', '{', '\\']);
        let is_list = self.has_braces && (self.has_comma || self.is_glob || !self.places.is_empty());
        if let Some(pattern) = self.one_of(source) {
            Ok(Word::Glob(pattern))
        } else if self.is_unknown || is_list || is_mixed {
            Ok(Word::Unknown(source.to_owned()))
        } else if self.is_glob {
            Ok(Word::Glob(word.clone()))
        } else {
            Ok(Word::Known(word.clone()))
        }
    }
}

impl Words<'_, '_> {
    /// The pattern that a loop goes through, where the word is its variable in quotes and nothing else.
    fn one_of(&self, source: &str) -> Option<String> {
        let inner = source.strip_prefix('"')?.strip_suffix('"')?.strip_prefix('$')?;
        let name = inner.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(inner);
        match self.value(name) {
            Some(Bound::Glob(pattern)) => Some(pattern.clone()),
            _ => None,
        }
    }
}

/// The names in a sum.
pub(super) fn names_in(sum: &str) -> impl Iterator<Item = String> + '_ {
    let words = sum.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')).map(str::to_owned)
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
