//! The role of one identifier: the rules of its grammar first, then what a rule can't see (export objects of JavaScript,
//! macros of Rust, words of the shell).

use tree_sitter::Node;

use super::rules::{self, Gives};
use super::{Reading, Role, Space};
use crate::language::Language;
use crate::parse::Step;

/// How far back a path in the tokens of a macro is followed.
const PATH_TOKENS_MAX: usize = 32;

pub(crate) struct Given {
    pub(crate) role: Role,
    pub(crate) space: Space,
    pub(crate) object: Option<String>,
    pub(crate) is_parameter: bool,
    /// Whether the object is a path of Rust: `shop::load`, not `shop.load`.
    pub(crate) is_path: bool,
    /// Which of the steps decided: what is defined, for a definition.
    pub(crate) at: usize,
}

impl Given {
    fn new(role: Role, at: usize) -> Given {
        Given { role, space: Space::Value, object: None, is_parameter: false, is_path: false, at }
    }

    fn member(object: Option<String>, at: usize) -> Given {
        Given { object, ..Given::new(Role::Member, at) }
    }

    fn within(self, space: Space) -> Given {
        Given { space, ..self }
    }
}

/// The role of the last of these steps; none where it is no identifier.
pub(crate) fn given(reading: &Reading<'_>, steps: &[Step<'_>]) -> Option<Given> {
    let node = steps.last()?.node;
    let parent = steps.len().checked_sub(2)?;
    let around = steps.get(parent)?.node;
    if reading.language == Language::Python && node.kind() == "string_content" {
        return is_in_all(reading, steps).then(|| Given::new(Role::Export, parent));
    }
    if !rules::is_identifier(reading.language, node.kind()) {
        return None;
    }
    if steps.iter().any(|step| is_import(step.node.kind())) {
        return Some(Given::new(Role::Import, parent));
    }
    match (reading.language, around.kind()) {
        (Language::Bash, _) => return shell(reading, steps, parent),
        (Language::Rust, "token_tree") => return Some(macro_token(reading, &node, parent)),
        (Language::Python, "dotted_name") if around.named_child_count() > 1 => {
            return Some(dotted(reading, &around, &node, parent));
        }
        (Language::Php, "variable_name") => return Some(variable(reading, steps, parent)),
        _ => {}
    }
    let given = by_rules(reading, steps, parent)?;
    Some(match reading.language {
        Language::JavaScript | Language::TypeScript | Language::Tsx => script(reading, steps, given),
        Language::Rust => rust(reading, &node, &around, given),
        // The receiver of a method is optional in these.
        Language::Ruby if given.role == Role::Member && around.kind() == "call" && given.object.is_none() => {
            Given::new(Role::Call, parent)
        }
        Language::C | Language::Cpp => declared(steps, given),
        Language::Java if around.kind() == "method_invocation" => invocation(reading, steps, parent),
        _ => given,
    })
}

fn by_rules(reading: &Reading<'_>, steps: &[Step<'_>], parent: usize) -> Option<Given> {
    let mut at = parent;
    loop {
        let (around, field) = (steps.get(at)?.node, steps.get(at + 1)?.field);
        let Some(gives) = rules::gives(reading.language, around.kind(), field) else {
            return Some(Given::new(Role::Plain, at));
        };
        let is_inside = |kind: fn(Language, &str) -> bool| {
            steps.iter().take(at).any(|step| kind(reading.language, step.node.kind()))
        };
        let is_local = is_inside(rules::is_function) || is_inside(rules::is_block);
        return Some(match gives {
            Gives::Climb => {
                let Some(above) = at.checked_sub(1) else { return Some(Given::new(Role::Plain, at)) };
                at = above;
                continue;
            }
            Gives::Nothing => return None,
            Gives::Definition => Given::new(Role::Definition, at),
            Gives::Variable => variable_role(reading, steps, at, is_local),
            Gives::Rebind if is_local => Given::new(Role::Binding, at),
            Gives::Rebind | Gives::Plain => Given::new(Role::Plain, at),
            Gives::Local => Given::new(Role::Binding, at),
            Gives::Parameter => Given { is_parameter: true, ..Given::new(Role::Binding, at) },
            Gives::Call => Given::new(Role::Call, at),
            Gives::Macro if around.kind() == "macro_definition" => {
                Given::new(Role::Definition, at).within(Space::Macro)
            }
            Gives::Macro => Given::new(Role::Call, at).within(Space::Macro),
            Gives::Export => Given::new(Role::Export, at),
            Gives::Member("") => Given::member(None, at),
            Gives::Member(field) => {
                let is_path = matches!(field, "path");
                Given { is_path, ..Given::member(object(reading, &around, field), at) }
            }
            Gives::Keyword => Given::new(Role::KeywordArgument, at),
            Gives::Shorthand => Given::new(Role::Shorthand, at),
        });
    }
}

/// A variable is a definition in a class or outside functions, and a binding inside a function.
fn variable_role(reading: &Reading<'_>, steps: &[Step<'_>], at: usize, is_local: bool) -> Given {
    let nearest = steps.iter().take(at).rfind(|step| {
        let kind = step.node.kind();
        rules::is_function(reading.language, kind) || rules::is_type(reading.language, kind)
    });
    let is_in_type = nearest.is_some_and(|step| rules::is_type(reading.language, step.node.kind()));
    match is_local && !is_in_type {
        true => Given::new(Role::Binding, at),
        false => Given::new(Role::Definition, at),
    }
}

fn object(reading: &Reading<'_>, node: &Node<'_>, field: &str) -> Option<String> {
    let text = node.child_by_field_name(field).map(|object| reading.text(&object));
    text.map(|text| text.split_whitespace().collect::<String>()).filter(|text| !text.is_empty())
}

fn is_import(kind: &str) -> bool {
    matches!(
        kind,
        "import_statement"
            | "import_from_statement"
            | "future_import_statement"
            | "use_declaration"
            | "extern_crate_declaration"
            | "import_declaration"
            | "namespace_use_declaration"
            | "preproc_include"
    )
}

/// Whether a string is an entry of Python's `__all__`.
fn is_in_all(reading: &Reading<'_>, steps: &[Step<'_>]) -> bool {
    steps.iter().any(|step| {
        let target = match step.node.kind() {
            "assignment" | "augmented_assignment" => step.node.child_by_field_name("left"),
            "call" => step.node.child_by_field_name("function").and_then(|called| called.named_child(0)),
            _ => None,
        };
        target.is_some_and(|target| reading.text(&target) == "__all__")
    }) && !steps.iter().any(|step| step.node.kind() == "function_definition")
}

/// `Day.MON` in a pattern of Python.
fn dotted(reading: &Reading<'_>, around: &Node<'_>, node: &Node<'_>, at: usize) -> Given {
    if node.start_byte() == around.start_byte() {
        return Given::new(Role::Plain, at);
    }
    let before = around.start_byte()..node.start_byte();
    let object = super::text_at(reading.content, before).trim_end_matches('.').to_owned();
    Given::member(Some(object), at)
}

/// What export objects, `require` and shorthand keys of JavaScript make of an identifier.
fn script(reading: &Reading<'_>, steps: &[Step<'_>], given: Given) -> Given {
    let Some(leaf) = steps.last() else { return given };
    let parent = steps.len().saturating_sub(2);
    match leaf.node.kind() {
        "shorthand_property_identifier" if is_export_object(reading, steps) => {
            Given::new(Role::Export, parent)
        }
        "shorthand_property_identifier" => Given::new(Role::Shorthand, parent),
        _ if is_required(reading, steps) => Given::new(Role::Import, parent),
        "shorthand_property_identifier_pattern" if given.role != Role::Binding => {
            Given::new(Role::Binding, parent)
        }
        "property_identifier" if given.role == Role::Member && is_export_member(reading, steps) => {
            Given { object: exported(reading, steps), ..Given::new(Role::Export, parent) }
        }
        _ if given.role == Role::Export && leaf.field == "alias" => {
            Given { object: exported(reading, steps), ..given }
        }
        _ if given.role == Role::Plain && is_loop_variable(steps) => Given::new(Role::Binding, given.at),
        _ => given,
    }
}

/// `for (const row of rows)`, but not `for (row of rows)`, which binds nothing new.
fn is_loop_variable(steps: &[Step<'_>]) -> bool {
    let nearest = steps.iter().rposition(|step| step.node.kind() == "for_in_statement");
    let Some(at) = nearest else { return false };
    let is_left = steps.get(at + 1).is_some_and(|step| step.field == "left");
    is_left && steps.get(at).is_some_and(|step| step.node.child_by_field_name("kind").is_some())
}

/// Whether the variable is made from `require(…)`: `const { load } = require('./shop')`.
fn is_required(reading: &Reading<'_>, steps: &[Step<'_>]) -> bool {
    let at = steps.iter().rposition(|step| step.node.kind() == "variable_declarator");
    let Some(at) = at else { return false };
    if steps.get(at + 1).is_none_or(|step| step.field != "name") {
        return false;
    }
    let value = steps.get(at).and_then(|step| step.node.child_by_field_name("value"));
    value.is_some_and(|value| crate::imports::required(reading, &value).is_some())
}

/// `module.exports = { … }`, directly in it.
fn is_export_object(reading: &Reading<'_>, steps: &[Step<'_>]) -> bool {
    let Some(at) = steps.iter().rposition(|step| step.node.kind() == "object") else { return false };
    // Only an entry of the object itself: the key of a pair or a shorthand.
    let is_direct = steps.len() - at <= 3;
    let Some(above) = at.checked_sub(1).and_then(|above| steps.get(above)) else { return false };
    is_direct
        && steps.get(at).is_some_and(|step| step.field == "right")
        && assigns_exports(reading, &above.node)
}

fn assigns_exports(reading: &Reading<'_>, node: &Node<'_>) -> bool {
    let left = node.child_by_field_name("left");
    node.kind() == "assignment_expression" && left.is_some_and(|left| is_exports(reading.text(&left)))
}

fn is_exports(text: &str) -> bool {
    matches!(text, "module.exports" | "exports")
}

/// The key of an export object, or `exports.load = …`.
fn is_export_member(reading: &Reading<'_>, steps: &[Step<'_>]) -> bool {
    let Some(parent) = steps.len().checked_sub(2) else { return false };
    let Some(around) = steps.get(parent) else { return false };
    if around.node.kind() == "pair" {
        return is_export_object(reading, steps);
    }
    let object = around.node.child_by_field_name("object");
    around.field == "left" && object.is_some_and(|object| is_exports(reading.text(&object)))
}

/// What is exported under this name: `rows` of `load: rows`, `exports.load = rows` and `export { rows as load }`.
fn exported(reading: &Reading<'_>, steps: &[Step<'_>]) -> Option<String> {
    let around = steps.get(steps.len().checked_sub(2)?)?.node;
    let value = match around.kind() {
        "pair" => around.child_by_field_name("value"),
        "export_specifier" => around.child_by_field_name("name"),
        _ => steps.get(steps.len().checked_sub(3)?)?.node.child_by_field_name("right"),
    };
    value.map(|value| reading.text(&value).to_owned())
}

/// What patterns and struct literals of Rust make of an identifier.
fn rust(reading: &Reading<'_>, node: &Node<'_>, around: &Node<'_>, given: Given) -> Given {
    let text = reading.text(node);
    match (around.kind(), given.role) {
        ("field_initializer", _) if around.child_by_field_name("field") == Some(*node) => {
            Given::member(struct_name(reading, around), given.at)
        }
        ("shorthand_field_initializer", _) => Given { object: struct_name(reading, around), ..given },
        ("field_pattern", Role::Member) if node.kind() == "shorthand_field_identifier" => {
            Given::new(Role::Binding, given.at)
        }
        // In a pattern a capital begins a constant, a type or a variant.
        (_, Role::Binding) if !given.is_parameter && text.starts_with(char::is_uppercase) => {
            Given::new(Role::Plain, given.at)
        }
        _ => given,
    }
}

fn struct_name(reading: &Reading<'_>, field: &Node<'_>) -> Option<String> {
    let literal = field.parent()?.parent()?;
    literal.child_by_field_name("name").map(|name| reading.text(&name).to_owned())
}

/// The tokens of a macro are no tree: what stands before and after an identifier tells its role.
fn macro_token(reading: &Reading<'_>, node: &Node<'_>, at: usize) -> Given {
    let before = node.prev_sibling();
    let after = node.next_sibling();
    let text = |node: &Option<Node<'_>>| node.map_or("", |node| reading.text(&node));
    match text(&before) {
        "." => {
            let object = before.and_then(|dot| dot.prev_sibling());
            Given::member(object.map(|object| reading.text(&object).to_owned()), at)
        }
        "::" => Given { is_path: true, ..Given::member(path_before(reading, node), at) },
        "let" | "mut" | "for" => Given::new(Role::Binding, at),
        "|" if matches!(text(&after), "|" | "," | ":") => Given::new(Role::Binding, at),
        _ if text(&after) == "=" => Given::new(Role::KeywordArgument, at),
        _ if text(&after) == "!" => Given::new(Role::Call, at).within(Space::Macro),
        _ if text(&after).starts_with('(') => Given::new(Role::Call, at),
        _ => Given::new(Role::Plain, at),
    }
}

/// `crate::shop` of `crate::shop::load` in the tokens of a macro.
fn path_before(reading: &Reading<'_>, node: &Node<'_>) -> Option<String> {
    let mut parts = Vec::new();
    let mut sign = node.prev_sibling()?;
    for _ in 0..PATH_TOKENS_MAX {
        let part = sign.prev_sibling()?;
        parts.push(reading.text(&part));
        match part.prev_sibling() {
            Some(before) if reading.text(&before) == "::" => sign = before,
            _ => break,
        }
    }
    parts.reverse();
    Some(parts.join("::"))
}

/// A prototype of C and the mention of a structure define nothing.
fn declared(steps: &[Step<'_>], given: Given) -> Given {
    let decided = steps.get(given.at).map(|step| step.node);
    let is_prototype = steps.iter().skip(given.at).any(|step| step.node.kind() == "function_declarator");
    let is_mention = decided.is_some_and(|node| {
        node.kind().ends_with("_specifier") && node.child_by_field_name("body").is_none()
    });
    let is_declaration = decided.is_some_and(|node| node.kind() == "declaration");
    match given.role {
        Role::Definition if is_mention || is_declaration && is_prototype => Given::new(Role::Plain, given.at),
        _ => given,
    }
}

/// `load()` and `this.load()` of Java.
fn invocation(reading: &Reading<'_>, steps: &[Step<'_>], at: usize) -> Given {
    let is_name = steps.last().is_some_and(|step| step.field == "name");
    let around = steps.get(at).map(|step| step.node);
    let object = around.and_then(|around| object(reading, &around, "object"));
    match (is_name, object) {
        (false, _) => Given::new(Role::Plain, at),
        (true, None) => Given::new(Role::Call, at),
        (true, object) => Given::member(object, at),
    }
}

/// `$load` of PHP.
fn variable(reading: &Reading<'_>, steps: &[Step<'_>], at: usize) -> Given {
    let around = at.checked_sub(1).and_then(|above| steps.get(above)).map_or("", |step| step.node.kind());
    let given = match around {
        "simple_parameter" | "variadic_parameter" => {
            Given { is_parameter: true, ..Given::new(Role::Binding, at) }
        }
        "property_element" => Given::new(Role::Definition, at),
        _ => Given::new(Role::Plain, at),
    };
    let _ = reading;
    given.within(Space::Variable)
}

/// Words of the shell: a command is a call, a function's name in `trap` and `export -f` is a use, other words are text.
fn shell(reading: &Reading<'_>, steps: &[Step<'_>], at: usize) -> Option<Given> {
    let (leaf, around) = (steps.last()?, steps.get(at)?);
    if leaf.node.kind() == "variable_name" {
        return Some(shell_variable(reading, steps, at));
    }
    match around.node.kind() {
        "function_definition" if leaf.field == "name" => Some(Given::new(Role::Definition, at)),
        "command_name" => Some(Given::new(Role::Call, at)),
        "command" if leaf.field == "argument" => {
            let arguments = reading.text(&around.node);
            let mut words = arguments.split_whitespace();
            match words.next().unwrap_or_default() {
                "trap" if words.next() == Some(reading.text(&leaf.node)) => Some(Given::new(Role::Plain, at)),
                "type" | "command" => Some(Given::new(Role::Plain, at)),
                "read" | "mapfile" | "readarray" | "getopts" => {
                    Some(Given::new(Role::Plain, at).within(Space::Variable))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn shell_variable(reading: &Reading<'_>, steps: &[Step<'_>], at: usize) -> Given {
    let around = steps.get(at).map(|step| step.node);
    let above = at.checked_sub(1).and_then(|above| steps.get(above)).map(|step| step.node);
    let is_assigned = around.is_some_and(|around| around.kind() == "variable_assignment");
    let declaring = if is_assigned { above } else { around };
    let declaring = declaring.filter(|node| matches!(node.kind(), "declaration_command" | "unset_command"));
    let words: Vec<&str> = declaring.map_or("", |node| reading.text(&node)).split_whitespace().collect();
    if words.contains(&"-f") || words.contains(&"-F") {
        return Given::new(Role::Plain, at);
    }
    let is_in_function = steps.iter().any(|step| step.node.kind() == "function_definition");
    let is_local = matches!(words.first(), Some(&("local" | "declare" | "typeset")));
    let is_environment = above.is_some_and(|above| above.kind() == "command");
    let role = match is_in_function {
        true if is_local => Role::Binding,
        false if is_assigned && !is_environment => Role::Definition,
        _ => Role::Plain,
    };
    Given::new(role, at).within(Space::Variable)
}
