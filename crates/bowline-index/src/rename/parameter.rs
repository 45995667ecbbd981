//! Renames a parameter or a local variable of one function: its uses there, the arguments that certain calls name it by, and
//! what the function's comments say of it.
//!
//! What always holds: nothing changes outside of the function but names of arguments; where another variable of the same name
//! can't be told apart, nothing changes at all.

use std::ops::Range;

use tree_sitter::Node;

use super::{ChangedFile, Mentions, RenameRefused, Renamed, mentions};
use crate::check::check;
use crate::edits::Edits;
use crate::language::Language;
use crate::parse::{Next, walk, walk_node};
use crate::place::Place;
use crate::places::places;
use crate::sites::{How, Project, ProjectFile, SourceFile, Surety, Target};
use crate::uses::{Holds, Role, Token};
use crate::words::is_name;

/// A change of some bytes, with their line.
type Change = (usize, Range<usize>, String, usize);

/// Gives a parameter or a local variable of the function at a place another name. `files` should hold every file that could call
/// the function. A parameter goes before a local variable; of several variables of that name, none is meant.
///
/// ```
/// use bowline_index::{Mentions, SourceFile, places, rename_parameter};
///
/// let content = b"def band(f):\n    return f'{f} MHz'\n\n\nprint(band(f=7), f)\n";
/// let file = SourceFile { path: "bands.py", content };
/// let place = &places(file.path, file.content)[0];
/// let renamed = rename_parameter(&[file], (file.path, place), ("f", "mhz"), Mentions::Certain).unwrap();
/// let expected = b"def band(mhz):\n    return f'{mhz} MHz'\n\n\nprint(band(mhz=7), f)\n";
/// assert_eq!(renamed.files[0].content, expected);
/// ```
pub fn rename_parameter(
    files: &[SourceFile<'_>],
    at: (&str, &Place),
    (from, to): (&str, &str),
    which: Mentions,
) -> Result<Renamed, RenameRefused> {
    let (path, place) = at;
    let language = Language::of(path).ok_or(RenameRefused::NotADefinition)?;
    if from == to {
        return Err(RenameRefused::Unchanged);
    }
    if !is_name(language, to) {
        return Err(RenameRefused::NotAName { to: to.to_owned() });
    }
    let project = Project::read(files);
    let missing = || RenameRefused::NotThere { name: from.to_owned() };
    let index = project.files.iter().position(|file| file.reading.path == path).ok_or_else(missing)?;
    let file = project.files.get(index).ok_or_else(missing)?;
    let function = function(file, place).ok_or_else(missing)?;
    let variable = variable(file, function, from)?;
    if let Some(token) = used(file, function, to) {
        return Err(RenameRefused::Taken { path: path.to_owned(), line: token.line });
    }
    let mut changes: Vec<Change> = Vec::new();
    for token in &variable.tokens {
        let text = match is_key_too(file, token) {
            true => format!("{from}: {to}"),
            false => to.to_owned(),
        };
        changes.push((index, token.bytes.clone(), text, token.line));
    }
    let own = |(bytes, line): (Range<usize>, usize)| (index, bytes, to.to_owned(), line);
    changes.extend(in_formats(file, function, &variable, from).into_iter().map(own));
    let said = mentions::of_parameter(&file.reading, &place.bytes, from, which);
    changes.extend(said.into_iter().map(own));
    let mut uncertain = Vec::new();
    if variable.is_parameter {
        for call in calls(&project, path, place, from) {
            match call.surety {
                Surety::Certain => changes.push((call.file, call.bytes, to.to_owned(), call.line)),
                Surety::Uncertain => uncertain.push((project.path(call.file).to_owned(), call.line)),
            }
        }
    }
    uncertain.dedup();
    Ok(Renamed { files: changed(&project, &changes)?, uncertain })
}

fn changed(project: &Project<'_>, changes: &[Change]) -> Result<Vec<ChangedFile>, RenameRefused> {
    let mut files = Vec::new();
    for (index, file) in project.files.iter().enumerate() {
        let mut edits = Edits::default();
        let mut lines = Vec::new();
        for (_, bytes, text, line) in changes.iter().filter(|(of, ..)| *of == index) {
            edits.replace(bytes.clone(), text.clone().into_bytes());
            lines.push(*line);
        }
        if lines.is_empty() {
            continue;
        }
        lines.sort_unstable();
        lines.dedup();
        let (path, before) = (file.reading.path, file.reading.content);
        let content = edits.apply(before);
        if let Some(broken) = check(path, before, &content) {
            return Err(RenameRefused::Breaks { path: path.to_owned(), broken });
        }
        files.push(ChangedFile { path: path.to_owned(), content, lines });
    }
    Ok(files)
}

/// The function that a place defines.
fn function<'t>(file: &'t ProjectFile<'_>, place: &Place) -> Option<Node<'t>> {
    let reading = &file.reading;
    let within =
        |node: &Node<'_>| place.bytes.start <= node.start_byte() && node.end_byte() <= place.bytes.end;
    let tokens = reading.tokens(&place.name);
    let name = tokens.iter().find(|token| {
        token.role == Role::Definition
            && place.bytes.start <= token.bytes.start
            && token.bytes.end <= place.bytes.end
    })?;
    let mut found: Option<Node<'t>> = None;
    walk(&reading.tree, |cursor| {
        let node = cursor.node();
        // A decorator in front of it may hold functions, too.
        let is_it = within(&node) && node.end_byte() > name.bytes.end && reading.is_function(&node);
        if found.is_none() && is_it {
            found = Some(node);
        }
        if found.is_some() { Next::Past } else { Next::Within }
    });
    found
}

/// A parameter or a local variable with all that means it.
struct Variable {
    tokens: Vec<Token>,
    is_parameter: bool,
    /// Where others of the same name are meant.
    hidden: Vec<Range<usize>>,
}

fn variable(file: &ProjectFile<'_>, function: Node<'_>, name: &str) -> Result<Variable, RenameRefused> {
    let reading = &file.reading;
    let whole = function.byte_range();
    let body = function.child_by_field_name("body").map_or(whole.clone(), |body| body.byte_range());
    let mut tokens = reading.tokens(name);
    tokens.retain(|token| contains(&whole, &token.bytes));
    let several = |tokens: &[&Token]| RenameRefused::Several {
        places: tokens.iter().map(|token| (reading.path.to_owned(), token.line)).collect(),
    };
    let own: Vec<&Token> = tokens.iter().filter(|token| token.role == Role::Binding).collect();
    let is_parameter = |token: &Token| !contains(&body, &token.bytes) && around(token) == Some(whole.clone());
    let first = own.iter().find(|token| is_parameter(token)).or(own.first());
    let Some(first) = first.copied() else {
        return Err(RenameRefused::NotThere { name: name.to_owned() });
    };
    // Where a variable is assigned anew it is the same one, except in Rust, where each `let` makes another.
    let is_rust = reading.language == Language::Rust;
    let is_same = |token: &Token| match is_rust {
        true => token.bytes == first.bytes || is_parameter(first) && is_parameter(token),
        false => around(token) == around(first),
    };
    let (same, others): (Vec<&Token>, Vec<&Token>) = own.iter().partition(|token| is_same(token));
    let is_declared =
        |token: &Token| reading.has_parent(&token.bytes, &["nonlocal_statement", "global_statement"]);
    let is_vague = |token: &&&Token| token.holds.as_ref().is_none_or(|holds| holds.surely.is_none());
    let unclear: Vec<&Token> = tokens
        .iter()
        .filter(|token| {
            token.is_global || token.is_in_error || is_declared(token) || token.role == Role::Definition
        })
        .chain(others.iter().filter(is_vague).copied())
        .collect();
    let is_one_of_several = !is_parameter(first) && !others.is_empty();
    if !unclear.is_empty() || is_one_of_several {
        return Err(several(if unclear.is_empty() { &own } else { &unclear }));
    }
    let hidden: Vec<Range<usize>> =
        others.iter().filter_map(|token| token.holds.as_ref()?.surely.clone()).collect();
    let scope = around(first).unwrap_or_else(|| whole.clone());
    let is_outside = |token: &Token| {
        // The default of a parameter and its type are read where the function stands.
        let in_head = is_parameter(first) && !contains(&body, &token.bytes);
        in_head && !matches!(reading.language, Language::JavaScript | Language::TypeScript | Language::Tsx)
            || is_rust
                && first
                    .holds
                    .as_ref()
                    .and_then(|holds| holds.surely.as_ref())
                    .is_some_and(|surely| !contains(surely, &token.bytes))
    };
    let means = |token: &&Token| match token.role {
        Role::Binding => same.iter().any(|own| own.bytes == token.bytes),
        Role::Call | Role::Plain | Role::Shorthand => {
            let is_hidden = hidden.iter().any(|range| contains(range, &token.bytes));
            let is_first_source = reading.is_first_source(&token.bytes);
            contains(&scope, &token.bytes) && !is_outside(token) && (!is_hidden || is_first_source)
        }
        _ => false,
    };
    let found: Vec<Token> = tokens.iter().filter(means).cloned().collect();
    Ok(Variable { is_parameter: is_parameter(first), tokens: found, hidden })
}

fn around(token: &Token) -> Option<Range<usize>> {
    token.holds.as_ref().map(|Holds { around, .. }| around.clone())
}

fn contains(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Where the function uses a name already.
fn used(file: &ProjectFile<'_>, function: Node<'_>, name: &str) -> Option<Token> {
    let whole = function.byte_range();
    let mut tokens = file.reading.tokens(name).into_iter();
    tokens.find(|token| {
        contains(&whole, &token.bytes) && !matches!(token.role, Role::Member | Role::KeywordArgument)
    })
}

/// Whether a variable stands for a key of the same name: `{ f }`.
fn is_key_too(file: &ProjectFile<'_>, token: &Token) -> bool {
    let root = file.reading.tree.root_node();
    let node = root.descendant_for_byte_range(token.bytes.start, token.bytes.end);
    let kind = node.map_or("", |node| node.kind());
    token.role == Role::Shorthand
        || matches!(kind, "shorthand_property_identifier_pattern" | "shorthand_field_identifier")
}

/// `{f}` in the texts that macros of Rust format.
fn in_formats(
    file: &ProjectFile<'_>,
    function: Node<'_>,
    variable: &Variable,
    name: &str,
) -> Vec<(Range<usize>, usize)> {
    let mut found = Vec::new();
    if file.reading.language != Language::Rust {
        return found;
    }
    walk_node(&function, |node| {
        let is_hidden = variable.hidden.iter().any(|range| contains(range, &node.byte_range()));
        if node.kind() != "string_literal"
            || is_hidden
            || !file.reading.has_parent(&node.byte_range(), &["token_tree"])
        {
            return Next::Within;
        }
        let text = file.reading.text(node);
        for end in ["}", ":"] {
            for (at, _) in text.match_indices(&format!("{{{name}{end}")) {
                let start = node.start_byte() + at + 1;
                let breaks = text.get(..at).unwrap_or_default().matches('\n').count();
                if !text.get(..at).unwrap_or_default().ends_with('{') {
                    found.push((start..start + name.len(), node.start_position().row + 1 + breaks));
                }
            }
        }
        Next::Past
    });
    found
}

/// An argument that a call names.
struct Argument {
    file: usize,
    bytes: Range<usize>,
    line: usize,
    surety: Surety,
}

/// The arguments of this name in calls of a function.
fn calls(project: &Project<'_>, path: &str, place: &Place, name: &str) -> Vec<Argument> {
    let file = project.files.iter().find(|file| file.reading.path == path);
    // `__init__` is called by the name of its class, too.
    let all = file.map(|file| places(path, file.reading.content)).unwrap_or_default();
    let is_class = |other: &&Place| Some(other.path()) == place.container && other.name != place.name;
    let class = all.iter().find(is_class).filter(|_| place.name == "__init__");
    let mut found = Vec::new();
    for at in [Some(place), class].into_iter().flatten() {
        let Some(target) = project.target(path, at) else { continue };
        for (index, bytes, surety) in named(project, &target) {
            let Some(file) = project.files.get(index) else { continue };
            let Some(arguments) = arguments(file, &bytes) else { continue };
            let mut cursor = arguments.walk();
            for argument in arguments.named_children(&mut cursor) {
                let key = argument.child_by_field_name("name");
                let is_keyword = matches!(argument.kind(), "keyword_argument" | "argument");
                let Some(key) = key.filter(|key| is_keyword && file.reading.text(key) == name) else {
                    continue;
                };
                let (bytes, line) = (key.byte_range(), key.start_position().row + 1);
                found.push(Argument { file: index, bytes, line, surety });
            }
        }
    }
    found.sort_by_key(|argument| (argument.file, argument.bytes.start));
    found.dedup_by_key(|argument| (argument.file, argument.bytes.start));
    found
}

/// Where a function is used, also by another name that it was imported under: the file, the name, and how sure that is.
fn named(project: &Project<'_>, target: &Target) -> Vec<(usize, Range<usize>, Surety)> {
    let mut found = Vec::new();
    for site in project.sites(target) {
        if site.how == How::Use {
            found.push((site.file, site.bytes.clone(), site.surety));
        }
        let Some(file) = project.files.get(site.file).filter(|_| site.how == How::Import) else { continue };
        let import = file.imports.iter().find(|import| import.bytes == site.bytes);
        let Some(import) = import.filter(|import| import.is_renamed()) else { continue };
        let tokens = file.reading.tokens(&import.local).into_iter();
        let is_bound = file.reading.tokens(&import.local).iter().any(|token| token.role == Role::Binding);
        let surety = if is_bound { Surety::Uncertain } else { site.surety };
        found.extend(
            tokens.filter(|token| token.role == Role::Call).map(|token| (site.file, token.bytes, surety)),
        );
    }
    found
}

/// The arguments of the call of a function that is named there, past `shop.` in front of it, or of `partial(band, f=1)`.
fn arguments<'t>(file: &'t ProjectFile<'_>, site: &Range<usize>) -> Option<Node<'t>> {
    let root = file.reading.tree.root_node();
    let mut node = root.descendant_for_byte_range(site.start, site.end)?;
    loop {
        let above = node.parent()?;
        if let Some(arguments) = above.child_by_field_name("arguments") {
            let called = above.child_by_field_name("function").or_else(|| above.child_by_field_name("name"));
            let is_called = called.is_some_and(|called| called.end_byte() == site.end);
            let is_partial = called.is_some_and(|called| file.reading.text(&called).ends_with("partial"));
            return (is_called || is_partial).then_some(arguments);
        }
        if above.kind().ends_with("statement") || above.kind() == "block" {
            return None;
        }
        node = above;
    }
}
