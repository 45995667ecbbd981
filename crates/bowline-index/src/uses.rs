//! Where a name stands in a file as an identifier, and in which role: it is defined, called, imported, bound anew.
//!
//! Comments and strings are text and never listed, with one exception: the names in Python's `__all__`. This is no name
//! resolution: two uses of the same name may mean different things. What always holds: a use covers exactly the bytes of the
//! name, and uses come in the order of the file.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use crate::language::Language;
use crate::parse::{Next, Step, parse, walk_node, walk_steps};

mod roles;
mod rules;

/// More uses of one name are not listed.
const USES_MAX: usize = 20_000;
const OBJECT_CHARS_MAX: usize = 200;

/// What an identifier does where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// The name of a function, a type, a constant, a field, a variant.
    Definition,
    /// A parameter or a local variable of that name begins here.
    Binding,
    /// It is called, or an object of it is created.
    Call,
    Import,
    /// An entry of an export list: `export { load }`, `module.exports = { load }`, `__all__ = ["load"]`.
    Export,
    /// A member of something: `shop.load`, `shop::load`, the key in `{ load: 1 }`.
    Member,
    /// The name of an argument: `f(load=1)`.
    KeywordArgument,
    /// A key and the variable of that name at once: `{ load }`.
    Shorthand,
    Plain,
}

impl Role {
    /// One lowercase word or two.
    pub fn word(self) -> &'static str {
        match self {
            Role::Definition => "definition",
            Role::Binding => "binding",
            Role::Call => "call",
            Role::Import => "import",
            Role::Export => "export",
            Role::Member => "member",
            Role::KeywordArgument => "keyword argument",
            Role::Shorthand => "shorthand",
            Role::Plain => "plain",
        }
    }
}

/// One occurrence of a name as an identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    pub bytes: Range<usize>,
    /// Counted from 1.
    pub line: usize,
    pub role: Role,
}

/// Every occurrence of a name as an identifier, in the order of the file. Empty for an unknown language.
///
/// ```
/// use bowline_index::{Role, uses};
///
/// let content = b"def load(path):\n    return path  # load\n\nrows = shop.load(load(x), load=1)\n";
/// let found = uses("shop.py", content, "load");
/// let roles: Vec<Role> = found.iter().map(|found| found.role).collect();
/// assert_eq!(roles, [Role::Definition, Role::Member, Role::Call, Role::KeywordArgument]);
/// ```
pub fn uses(path: &str, content: &[u8], name: &str) -> Vec<Use> {
    let Some(reading) = Reading::of(path, content) else { return Vec::new() };
    let tokens = reading.tokens(name).into_iter();
    tokens.map(|token| Use { bytes: token.bytes, line: token.line, role: token.role }).collect()
}

/// A file and its tree: parsed once, asked often.
pub(crate) struct Reading<'a> {
    pub(crate) path: &'a str,
    pub(crate) content: &'a [u8],
    pub(crate) language: Language,
    pub(crate) tree: Tree,
}

/// Names of different kinds that do not meet, though they may be spelled alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    Value,
    /// A macro of Rust.
    Macro,
    /// A variable of the shell or of PHP.
    Variable,
}

/// A use with what is known of its surroundings.
#[derive(Debug, Clone)]
pub(crate) struct Token {
    pub(crate) bytes: Range<usize>,
    pub(crate) line: usize,
    pub(crate) role: Role,
    pub(crate) space: Space,
    /// What a member is a member of, as it is written: `self`, `shop`, `crate::shop`.
    pub(crate) object: Option<String>,
    /// Whether that is a path of Rust: `shop::load`, not `shop.load`.
    pub(crate) is_path: bool,
    /// Whether a definition is one of a type: a method, a field, a variant.
    pub(crate) is_member: bool,
    /// Whether it stands directly in the body of a type, outside its methods.
    pub(crate) is_in_type: bool,
    /// The types around it, innermost first.
    pub(crate) owners: Vec<Owner>,
    /// The inline modules of Rust around it, outermost first.
    pub(crate) modules: Vec<String>,
    /// Whether `this` means something else here than in the method around it: a function of JavaScript in a method.
    pub(crate) has_own_this: bool,
    /// Whether its function declares the name as `global`, so that no variable of a function around it is meant.
    pub(crate) is_global: bool,
    /// Whether it stands where the file can't be parsed.
    pub(crate) is_in_error: bool,
    /// For a binding or a definition in a function: where the name means that.
    pub(crate) holds: Option<Holds>,
}

/// A type around something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) name: String,
    /// What stands before its body: `class Cart(Shop):`, `impl Display for Cart`.
    pub(crate) head: String,
}

/// Where a binding holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Holds {
    /// The function or block it belongs to.
    pub(crate) around: Range<usize>,
    /// The part of it in which the name means nothing else for sure: the body of a function with such a parameter.
    pub(crate) surely: Option<Range<usize>>,
}

impl<'a> Reading<'a> {
    pub(crate) fn of(path: &'a str, content: &'a [u8]) -> Option<Reading<'a>> {
        let language = Language::of(path)?;
        let tree = parse(language, content)?;
        Some(Reading { path, content, language, tree })
    }

    pub(crate) fn text(&self, node: &Node<'_>) -> &'a str {
        text_at(self.content, node.byte_range())
    }

    /// Every use of a name.
    pub(crate) fn tokens(&self, name: &str) -> Vec<Token> {
        let mut found = Vec::new();
        if name.is_empty() || !contains(self.content, name.as_bytes()) {
            return found;
        }
        walk_steps(&self.tree, |steps| {
            if found.len() >= USES_MAX {
                return Next::Past;
            }
            let Some(Step { node, .. }) = steps.last() else { return Next::Past };
            if node.child_count() == 0 && node.is_named() && self.text(node) == name {
                found.extend(self.token(steps));
            }
            Next::Within
        });
        found
    }

    fn token(&self, steps: &[Step<'_>]) -> Option<Token> {
        let node = steps.last()?.node;
        let mut given = roles::given(self, steps)?;
        let is_global = self.is_global(steps);
        if given.role == Role::Binding && is_global {
            given.role = Role::Plain;
        }
        // The name of a definition stands outside what it defines.
        let around = if given.role == Role::Definition {
            steps.get(..given.at).unwrap_or_default()
        } else {
            steps.get(..steps.len() - 1).unwrap_or_default()
        };
        let function = around.iter().rfind(|step| rules::is_function(self.language, step.node.kind()));
        let is_type = |step: &&Step<'_>| rules::is_type(self.language, step.node.kind());
        let is_function = |step: &&Step<'_>| rules::is_function(self.language, step.node.kind());
        let nearest = around.iter().rfind(|step| is_function(step) || is_type(step));
        let is_in_type = nearest.is_some_and(|step| is_type(&step));
        let receiver = steps.get(given.at).and_then(|step| self.receiver(&step.node));
        let owners = around.iter().rev().filter(is_type);
        let modules = around.iter().filter(|step| step.node.kind() == "mod_item");
        Some(Token {
            bytes: node.byte_range(),
            line: node.start_position().row + 1,
            role: given.role,
            space: given.space,
            object: given.object.map(|object| object.chars().take(OBJECT_CHARS_MAX).collect()),
            is_path: given.is_path,
            is_in_type,
            is_member: given.role == Role::Definition && (is_in_type || receiver.is_some()),
            owners: receiver.into_iter().chain(owners.filter_map(|step| self.owner(&step.node))).collect(),
            modules: modules.filter_map(|step| self.field(&step.node, "name")).collect(),
            has_own_this: function.is_some_and(|step| {
                matches!(
                    step.node.kind(),
                    "function_declaration" | "function_expression" | "generator_function"
                )
            }),
            is_global,
            is_in_error: steps.iter().any(|step| step.node.is_error()),
            holds: self.holds(given.role, given.is_parameter, around),
        })
    }

    fn holds(&self, role: Role, is_parameter: bool, around: &[Step<'_>]) -> Option<Holds> {
        let is_function = |step: &&Step<'_>| rules::is_function(self.language, step.node.kind());
        if role == Role::Binding && is_parameter {
            let node = around.iter().rfind(is_function)?.node;
            let surely = node.child_by_field_name("body").map(|body| body.byte_range());
            return Some(Holds { around: node.byte_range(), surely });
        }
        let is_scope =
            |step: &&Step<'_>| is_function(step) || rules::is_block(self.language, step.node.kind());
        let is_hoisted = around.iter().any(|step| step.node.kind() == "variable_declaration");
        let found = match role {
            Role::Definition => {
                let is_type = |step: &&Step<'_>| rules::is_type(self.language, step.node.kind());
                let nearest = around.iter().rfind(|step| is_scope(step) || is_type(step))?;
                is_scope(&nearest).then_some(nearest)
            }
            // `var` of JavaScript holds in the whole function.
            Role::Binding if is_hoisted => around.iter().rfind(is_function),
            Role::Binding => around.iter().rfind(is_scope),
            _ => None,
        }?;
        let whole = found.node.byte_range();
        let surely = match self.language {
            // A name that is assigned anywhere in a function is a local one in all of it.
            Language::Python => Some(whole.clone()),
            Language::JavaScript | Language::TypeScript | Language::Tsx => Some(whole.clone()),
            Language::Rust if role == Role::Definition => Some(whole.clone()),
            Language::Rust => {
                let statement = around.iter().rfind(|step| step.node.kind() == "let_declaration");
                statement.map(|step| step.node.end_byte()..whole.end)
            }
            _ => None,
        };
        Some(Holds { around: whole, surely })
    }

    /// Whether the innermost function of Python declares the last of these steps as `global`.
    fn is_global(&self, steps: &[Step<'_>]) -> bool {
        let function = steps.iter().rfind(|step| step.node.kind() == "function_definition");
        let body = function.and_then(|step| step.node.child_by_field_name("body"));
        let (Some(body), Some(leaf)) = (body, steps.last()) else { return false };
        let name = self.text(&leaf.node);
        let mut is_declared = false;
        walk_node(&body, |node| {
            if node.kind() == "global_statement" {
                let mut names = node.walk();
                is_declared |= node.named_children(&mut names).any(|declared| self.text(&declared) == name);
            }
            // Inner functions declare for themselves.
            let is_inner = node.kind() == "function_definition";
            if is_inner || is_declared { Next::Past } else { Next::Within }
        });
        is_declared
    }

    /// A type around something, its name without parameters: `Shop` of `impl<T> Shop<T>`.
    fn owner(&self, node: &Node<'_>) -> Option<Owner> {
        let named = match node.kind() {
            "impl_item" => node.child_by_field_name("type"),
            _ => node.child_by_field_name("name"),
        };
        let named = named.map(|named| named.child_by_field_name("type").unwrap_or(named));
        let end = node.child_by_field_name("body").map_or(node.end_byte(), |body| body.start_byte());
        let head = text_at(self.content, node.start_byte()..end).to_owned();
        // What has no name, such as an object literal, is an owner all the same.
        Some(Owner { name: named.map_or("", |named| self.text(&named)).to_owned(), head })
    }

    /// The type a method of Go belongs to.
    fn receiver(&self, node: &Node<'_>) -> Option<Owner> {
        let receiver = (self.language == Language::Go && node.kind() == "method_declaration")
            .then(|| node.child_by_field_name("receiver"))
            .flatten()?;
        let text = self.text(&receiver);
        let name = text.rsplit([' ', '*', '(']).next().unwrap_or_default().trim_end_matches(')');
        Some(Owner { name: name.to_owned(), head: String::new() })
    }

    /// The innermost function around some bytes.
    pub(crate) fn function_at(&self, bytes: &Range<usize>) -> Option<Range<usize>> {
        let mut node = self.tree.root_node().descendant_for_byte_range(bytes.start, bytes.end);
        while let Some(around) = node {
            if rules::is_function(self.language, around.kind()) {
                return Some(around.byte_range());
            }
            node = around.parent();
        }
        None
    }

    pub(crate) fn is_function(&self, node: &Node<'_>) -> bool {
        rules::is_function(self.language, node.kind())
    }

    /// Whether some bytes stand in a node of one of these kinds.
    pub(crate) fn has_parent(&self, bytes: &Range<usize>, kinds: &[&str]) -> bool {
        let mut node = self.tree.root_node().descendant_for_byte_range(bytes.start, bytes.end);
        while let Some(at) = node {
            if kinds.contains(&at.kind()) {
                return true;
            }
            node = at.parent();
        }
        false
    }

    /// Whether some bytes stand in what the first `for` of a comprehension goes through, which is read outside of it.
    pub(crate) fn is_first_source(&self, bytes: &Range<usize>) -> bool {
        let mut node = self.tree.root_node().descendant_for_byte_range(bytes.start, bytes.end);
        while let Some(at) = node {
            let above = at.parent();
            if let Some(clause) = above.filter(|above| above.kind() == "for_in_clause") {
                let is_source = clause.child_by_field_name("right") == Some(at);
                let before = clause.prev_named_sibling();
                return is_source && before.is_none_or(|before| before.kind() != "for_in_clause");
            }
            node = above;
        }
        false
    }

    pub(crate) fn field(&self, node: &Node<'_>, field: &str) -> Option<String> {
        node.child_by_field_name(field).map(|found| self.text(&found).to_owned())
    }
}

pub(crate) fn text_at(content: &[u8], bytes: Range<usize>) -> &str {
    content.get(bytes).and_then(|text| std::str::from_utf8(text).ok()).unwrap_or_default()
}

/// Whether one text stands in another.
pub(crate) fn contains(content: &[u8], what: &[u8]) -> bool {
    what.is_empty() || content.windows(what.len()).any(|window| window == what)
}
