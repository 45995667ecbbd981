//! A script for the plain shell that was written with what only bash knows, put into the words of the plain shell: a small
//! model writes `[[ $n =~ ^[0-9]+$ ]]` whatever it is told.
//!
//! What always holds: a construct is either put into words that mean the same, or left as it is.

use std::ops::Range;

use tree_sitter::Node;

use super::is_for_plain_shell;
use crate::language::Language;
use crate::parse::{Next, parse, walk};

/// Conditions inside conditions that are followed.
const DEPTH_MAX: usize = 20;

/// The script in the words of the plain shell. None if it says that it is one for another shell, or has nothing to be put otherwise.
///
/// ```
/// use bowline_index::to_plain_shell;
///
/// let script = b"#!/bin/sh\nif [[ -n $1 && $1 == a* ]]; then echo yes; fi\n";
/// let plain = to_plain_shell("a.sh", script).unwrap();
/// let expected = "#!/bin/sh\nif [ -n \"$1\" ] && case \"$1\" in a*) true ;; *) false ;; esac; then echo yes; fi\n";
/// assert_eq!(String::from_utf8(plain).unwrap(), expected);
/// ```
pub fn to_plain_shell(path: &str, content: &[u8]) -> Option<Vec<u8>> {
    // A file without a first line is read by other scripts, and the plain words are right for each of them.
    let is_read_by_others = !content.starts_with(b"#!");
    if Language::of(path) != Some(Language::Bash) || !(is_for_plain_shell(content) || is_read_by_others) {
        return None;
    }
    let text = std::str::from_utf8(content).ok()?;
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    walk(&parse(Language::Bash, content)?, |cursor| {
        let node = cursor.node();
        match replacement(&node, text) {
            Some(edit) => {
                edits.push(edit);
                Next::Past
            }
            None => Next::Within,
        }
    });
    if edits.is_empty() {
        return None;
    }
    let mut plain = text.to_owned();
    for (range, new) in edits.iter().rev() {
        plain.replace_range(range.clone(), new);
    }
    Some(plain.into_bytes())
}

/// What stands for a node, and the range that it replaces.
fn replacement(node: &Node<'_>, text: &str) -> Option<(Range<usize>, String)> {
    let own = text.get(node.byte_range())?;
    match node.kind() {
        "test_command" if own.starts_with("[[") => {
            let condition = condition(&node.named_child(0)?, text, 0)?;
            Some((node.byte_range(), condition.fitting(node)))
        }
        "test_command" if own.starts_with('[') => {
            let operator = equals(&node.named_child(0)?, text)?;
            Some((operator, "=".to_owned()))
        }
        "compound_statement" if own.starts_with("((") => {
            let inner = own.strip_prefix("((")?.strip_suffix("))")?.trim();
            let is_plain = !["++", "--", "**", ","].iter().any(|sign| inner.contains(sign));
            is_plain.then(|| (node.byte_range(), format!("[ $(({inner})) -ne 0 ]")))
        }
        "function_definition" if own.starts_with("function") => {
            let name = node.child_by_field_name("name")?;
            let body = node.child_by_field_name("body")?;
            let name_text = text.get(name.byte_range())?;
            Some((node.start_byte()..body.start_byte(), format!("{name_text}() ")))
        }
        "command_name" if own == "source" => Some((node.byte_range(), ".".to_owned())),
        _ => None,
    }
}

/// The `==` of a comparison in single brackets, which the plain shell writes `=`.
fn equals(node: &Node<'_>, text: &str) -> Option<Range<usize>> {
    let operator = node.child_by_field_name("operator")?;
    (node.kind() == "binary_expression" && text.get(operator.byte_range()) == Some("=="))
        .then(|| operator.byte_range())
}

/// A condition in the words of the plain shell.
struct Condition {
    text: String,
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// One command.
    Single,
    /// Several commands joined by `&&` or by `||`.
    Joined,
}

impl Condition {
    fn single(text: String) -> Condition {
        Condition { text, form: Form::Single }
    }

    /// The condition as one command.
    fn grouped(self) -> String {
        match self.form {
            Form::Single => self.text,
            Form::Joined => format!("{{ {}; }}", self.text),
        }
    }

    /// The condition as it can stand where the test stood.
    fn fitting(self, test: &Node<'_>) -> String {
        let is_alone = test.parent().is_none_or(|parent| {
            !matches!(parent.kind(), "list" | "negated_command" | "pipeline" | "redirected_statement")
        });
        if is_alone { self.text } else { self.grouped() }
    }

    fn not(self) -> Condition {
        Condition::single(format!("! {}", self.grouped()))
    }
}

fn condition(node: &Node<'_>, text: &str, depth: usize) -> Option<Condition> {
    if depth > DEPTH_MAX {
        return None;
    }
    let inner = |node: &Node<'_>| condition(node, text, depth + 1);
    match node.kind() {
        "parenthesized_expression" => inner(&node.named_child(0)?),
        "unary_expression" => match node.child_by_field_name("operator").or_else(|| node.child(0)) {
            Some(operator) if operator.kind() == "test_operator" => {
                let flag = text.get(operator.byte_range())?;
                let operand = node.named_children(&mut node.walk()).find(|child| *child != operator)?;
                Some(Condition::single(format!("[ {flag} {} ]", quoted(&operand, text)?)))
            }
            _ => Some(inner(&node.named_child(0)?)?.not()),
        },
        "binary_expression" => binary(node, text, depth),
        _ => Some(Condition::single(format!("[ -n {} ]", quoted(node, text)?))),
    }
}

fn binary(node: &Node<'_>, text: &str, depth: usize) -> Option<Condition> {
    let left = node.child_by_field_name("left")?;
    let right = node.child_by_field_name("right")?;
    let operator = text.get(left.end_byte()..right.start_byte())?.trim();
    if let "&&" | "||" = operator {
        let left = condition(&left, text, depth + 1)?;
        let right = condition(&right, text, depth + 1)?;
        return Some(Condition {
            text: format!("{} {operator} {}", left.grouped(), right.grouped()),
            form: Form::Joined,
        });
    }
    // The grammar takes `! $a == b` for `(! $a) == b`; bash negates the comparison.
    if left.kind() == "unary_expression" {
        let operand = left.named_child(0)?;
        let is_not = text.get(left.byte_range())?.starts_with('!');
        return is_not.then(|| compared(&operand, operator, &right, text)).flatten().map(Condition::not);
    }
    compared(&left, operator, &right, text)
}

fn compared(left: &Node<'_>, operator: &str, right: &Node<'_>, text: &str) -> Option<Condition> {
    let value = quoted(left, text)?;
    let own = text.get(right.byte_range())?;
    let condition = match operator {
        "=~" => Condition::single(format!("printf '%s\\n' {value} | grep -Eq {}", pattern(right, own)?)),
        "==" | "=" | "!=" => {
            let is_glob = matches!(right.kind(), "regex" | "extglob_pattern" | "word" | "concatenation")
                && own.contains(['*', '?', '[']);
            let is_equal = match (is_glob, quoted(right, text)) {
                (true, _) if own.contains(['(', ')', ' ']) => return None,
                (true, _) => Condition::single(format!("case {value} in {own}) true ;; *) false ;; esac")),
                (false, other) => {
                    let sign = if operator == "!=" { "!=" } else { "=" };
                    return Some(Condition::single(format!("[ {value} {sign} {} ]", other?)));
                }
            };
            if operator == "!=" { is_equal.not() } else { is_equal }
        }
        "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" => {
            Condition::single(format!("[ {value} {operator} {} ]", quoted(right, text)?))
        }
        _ => return None,
    };
    Some(condition)
}

/// A regular expression as an argument of grep.
fn pattern(node: &Node<'_>, own: &str) -> Option<String> {
    match node.kind() {
        "simple_expansion" | "expansion" => Some(format!("\"{own}\"")),
        "string" | "raw_string" => Some(own.to_owned()),
        // What the shell itself would read in it can't be told from the pattern.
        _ if own.contains(['\'', '"', '`']) || own.contains("$(") || own.contains("${") => None,
        _ => Some(format!("'{}'", own.replace("\\ ", " "))),
    }
}

/// An operand, in quotes where the plain shell would take it apart.
fn quoted(node: &Node<'_>, text: &str) -> Option<String> {
    let own = text.get(node.byte_range())?;
    match node.kind() {
        "string" | "raw_string" | "number" | "ansi_c_string" => Some(own.to_owned()),
        "simple_expansion" | "expansion" | "command_substitution" => Some(format!("\"{own}\"")),
        "word" | "extglob_pattern" | "regex" | "variable_name" => {
            let is_plain = |sign: char| {
                sign.is_alphanumeric() || matches!(sign, '_' | '-' | '.' | '/' | ':' | '%' | '+' | ',' | '@')
            };
            Some(if own.chars().all(is_plain) { own.to_owned() } else { format!("\"{own}\"") })
                .filter(|_| !own.contains(['"', '\'', '`']))
        }
        "concatenation" if !own.contains(['"', '\'', '`']) => Some(format!("\"{own}\"")),
        _ => None,
    }
}
