//! Which names a place calls and uses. By the grammar where there is one; else every word counts, and a word before a
//! parenthesis is a call.

use std::collections::HashSet;
use std::ops::Range;

use tree_sitter::Node;

use crate::language::Language;
use crate::parse::{Next, parse, walk};
use crate::place::Place;

/// More names of one place are not listed.
const NAMES_MAX: usize = 2_000;
/// How deep a name may lie in what is called: `a.b.c()`.
const CALLEE_DEPTH_MAX: usize = 16;

/// The functions that a place calls, in the order of the text, each once. A method is given by its name alone: `total` for
/// `shop.total()`. Where the place has a body, only that is looked at.
///
/// ```
/// use bowline_index::{calls, places};
///
/// let content = b"def total(rows):\n    return tax(sum(row.price() for row in rows))\n";
/// let found = places("shop.py", content);
/// assert_eq!(calls("shop.py", content, &found[0]), ["tax", "sum", "price"]);
/// ```
pub fn calls(path: &str, content: &[u8], place: &Place) -> Vec<String> {
    names(path, content, place, Wanted::Calls)
}

/// The names that a place uses, called or not, in the order of the text, each once, without keywords and comments. Where the
/// place has a body, only that is looked at.
///
/// ```
/// use bowline_index::{identifiers, places};
///
/// let content = b"def total(rows):\n    # Adds up.\n    return tax(rows, RATE)\n";
/// let found = places("shop.py", content);
/// assert_eq!(identifiers("shop.py", content, &found[0]), ["tax", "rows", "RATE"]);
/// ```
pub fn identifiers(path: &str, content: &[u8], place: &Place) -> Vec<String> {
    names(path, content, place, Wanted::Identifiers)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Calls,
    Identifiers,
}

fn names(path: &str, content: &[u8], place: &Place, wanted: Wanted) -> Vec<String> {
    let range = place.body.clone().unwrap_or_else(|| place.bytes.clone());
    let mut names = Names::default();
    let parsed = Language::of(path).and_then(|language| parse(language, content));
    let Some(tree) = parsed else {
        words(content, range, wanted, &mut names);
        return names.listed;
    };
    let mut found: Vec<Range<usize>> = Vec::new();
    walk(&tree, |cursor| {
        let node = cursor.node();
        if node.end_byte() <= range.start || node.start_byte() >= range.end {
            return Next::Past;
        }
        let named = match wanted {
            Wanted::Calls if node.kind() == "token_tree" => called_in_tokens(&node),
            Wanted::Calls => Vec::from_iter(callee(&node, content)),
            Wanted::Identifiers => Vec::from_iter(is_identifier(&node).then_some(node)),
        };
        let within = |named: &Node<'_>| range.start <= named.start_byte() && named.end_byte() <= range.end;
        found.extend(named.iter().filter(|named| within(named)).map(Node::byte_range));
        Next::Within
    });
    // The grammar has `a().b()` from the outside in.
    found.sort_by_key(|name| name.start);
    for name in found {
        names.add(content.get(name).unwrap_or_default());
    }
    names.listed
}

#[derive(Default)]
struct Names {
    listed: Vec<String>,
    known: HashSet<Vec<u8>>,
}

impl Names {
    fn add(&mut self, name: &[u8]) {
        let is_first = name.first().is_some_and(|byte| {
            is_word(*byte) && !byte.is_ascii_digit() || matches!(byte, b'$' | b'#' | b'@')
        });
        let is_name =
            is_first && !name.iter().any(|byte| byte.is_ascii_whitespace() || matches!(byte, b'(' | b'"'));
        if !is_name || name == b"self" || self.listed.len() >= NAMES_MAX || self.known.contains(name) {
            return;
        }
        self.known.insert(name.to_vec());
        self.listed.push(String::from_utf8_lossy(name).into_owned());
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// The name of what a node calls, if it is a call.
fn callee<'a>(node: &Node<'a>, content: &[u8]) -> Option<Node<'a>> {
    let field = |name| node.child_by_field_name(name);
    let called = match node.kind() {
        "call_expression" | "function_call_expression" => field("function"),
        // Python says `function`, Ruby `method`.
        "call" => field("function").or_else(|| field("method")),
        "new_expression" => field("constructor"),
        "method_invocation"
        | "member_call_expression"
        | "nullsafe_member_call_expression"
        | "scoped_call_expression"
        | "function_call"
        | "command" => field("name"),
        "object_creation_expression" => field("type").or_else(|| node.named_child(0)),
        "macro_invocation" => field("macro"),
        // Elements of HTML are written in lowercase.
        "jsx_opening_element" | "jsx_self_closing_element" => {
            field("name").filter(|name| content.get(name.start_byte()).is_some_and(u8::is_ascii_uppercase))
        }
        _ => None,
    }?;
    Some(last_name(called))
}

/// The arguments of a macro of Rust are tokens: a name and then parentheses is a call.
fn called_in_tokens<'a>(tokens: &Node<'a>) -> Vec<Node<'a>> {
    let mut cursor = tokens.walk();
    let tokens: Vec<Node<'a>> = tokens.children(&mut cursor).collect();
    let pairs = tokens.windows(2).filter_map(|pair| match pair {
        [name, next] if name.kind() == "identifier" && next.kind() == "token_tree" => Some(*name),
        _ => None,
    });
    pairs.collect()
}

/// `c` of `a.b.c`, `new` of `Shop::new`.
fn last_name(called: Node<'_>) -> Node<'_> {
    const FIELDS: [&str; 7] = ["field", "attribute", "property", "method", "name", "function", "type"];
    let mut named = called;
    for _ in 0..CALLEE_DEPTH_MAX {
        match FIELDS.iter().find_map(|field| named.child_by_field_name(field)) {
            Some(inner) => named = inner,
            None => break,
        }
    }
    named
}

fn is_identifier(node: &Node<'_>) -> bool {
    let kind = node.kind();
    let is_name = kind.contains("identifier")
        || matches!(kind, "constant" | "name" | "variable_name" | "command_name")
        || matches!(kind, "global_variable" | "instance_variable" | "class_variable");
    // `a.b` of Rust is a scoped identifier of two.
    is_name && (node.named_child_count() == 0 || kind == "command_name")
}

fn words(content: &[u8], range: Range<usize>, wanted: Wanted, names: &mut Names) {
    let text = content.get(range).unwrap_or_default();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let length = rest.iter().take_while(|byte| is_word(**byte)).count();
        let (word, after) = rest.split_at(length);
        let is_called = after.first() == Some(&b'(');
        if wanted == Wanted::Identifiers || is_called {
            names.add(word);
        }
        at += length.max(1);
    }
}
