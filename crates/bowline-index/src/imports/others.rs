//! Imports of the other languages: a line or two each.

use tree_sitter::Node;

use super::script::unquoted;
use super::{Import, Imported, children};
use crate::language::Language;
use crate::uses::Reading;

pub(crate) fn read(reading: &Reading<'_>, language: Language, node: &Node<'_>, found: &mut Vec<Import>) {
    let import = match language {
        Language::Bash => shell(reading, node),
        Language::Go => go(reading, node),
        Language::Java => java(reading, node),
        Language::C | Language::Cpp => include(reading, node),
        Language::Ruby => ruby(reading, node),
        Language::Php => php(reading, node),
        Language::Lua => lua(reading, node),
        _ => None,
    };
    found.extend(import);
}

/// `source lib.sh`, `. "$(dirname "$0")/lib.sh"`.
fn shell(reading: &Reading<'_>, node: &Node<'_>) -> Option<Import> {
    if node.kind() != "command" {
        return None;
    }
    let name = node.child_by_field_name("name")?;
    if !matches!(reading.text(&name), "source" | ".") {
        return None;
    }
    let argument = node.child_by_field_name("argument")?;
    let module = unquoted(reading.text(&argument));
    let import = reading.import(module, Imported::Everything, "", &argument);
    Some(Import { statement: node.byte_range(), is_reexported: true, ..import })
}

fn go(reading: &Reading<'_>, node: &Node<'_>) -> Option<Import> {
    if node.kind() != "import_spec" {
        return None;
    }
    let path = node.child_by_field_name("path")?;
    let module = unquoted(reading.text(&path));
    let named = node.child_by_field_name("name").map(|name| reading.text(&name));
    let local = named.unwrap_or_else(|| package_of(module));
    let import = match local {
        "." => reading.import(module, Imported::Everything, "", &path),
        _ => reading.import(module, Imported::Module, local, &path),
    };
    Some(Import { statement: node.byte_range(), ..import })
}

/// What a package of Go is called by its path: `text` for `example.com/text/v2`, `yaml` for `gopkg.in/yaml.v3`.
fn package_of(module: &str) -> &str {
    let is_version = |part: &str| part.strip_prefix('v').is_some_and(|rest| rest.parse::<u32>().is_ok());
    let mut parts = module.rsplit('/');
    let last = parts.next().unwrap_or_default();
    let last = if is_version(last) { parts.next().unwrap_or(last) } else { last };
    last.rsplit_once('.').filter(|(_, version)| is_version(version)).map_or(last, |(name, _)| name)
}

fn java(reading: &Reading<'_>, node: &Node<'_>) -> Option<Import> {
    if node.kind() != "import_declaration" {
        return None;
    }
    let parts = children(node);
    let path = parts.iter().find(|part| matches!(part.kind(), "scoped_identifier" | "identifier"))?;
    let import = if parts.iter().any(|part| part.kind() == "asterisk") {
        reading.import(reading.text(path), Imported::Everything, "", path)
    } else {
        let name = path.child_by_field_name("name")?;
        let module = path.child_by_field_name("scope").map_or("", |scope| reading.text(&scope));
        let text = reading.text(&name);
        reading.import(module, Imported::Name(text.to_owned()), text, &name)
    };
    Some(Import { statement: node.byte_range(), ..import })
}

fn include(reading: &Reading<'_>, node: &Node<'_>) -> Option<Import> {
    if node.kind() != "preproc_include" {
        return None;
    }
    let path = node.child_by_field_name("path")?;
    if path.kind() != "string_literal" {
        return None;
    }
    let import = reading.import(unquoted(reading.text(&path)), Imported::Everything, "", &path);
    Some(Import { statement: node.byte_range(), is_reexported: true, ..import })
}

fn ruby(reading: &Reading<'_>, node: &Node<'_>) -> Option<Import> {
    let method = (node.kind() == "call").then(|| node.child_by_field_name("method")).flatten()?;
    let argument = node.child_by_field_name("arguments")?.named_child(0)?;
    let text = unquoted(reading.text(&argument));
    let module = match reading.text(&method) {
        "require_relative" if text.starts_with('.') => text.to_owned(),
        "require_relative" => format!("./{text}"),
        "require" => text.to_owned(),
        _ => return None,
    };
    let import = reading.import(&module, Imported::Everything, "", &argument);
    Some(Import { statement: node.byte_range(), is_reexported: true, ..import })
}

fn php(reading: &Reading<'_>, node: &Node<'_>) -> Option<Import> {
    let is_require = matches!(
        node.kind(),
        "require_expression" | "require_once_expression" | "include_expression" | "include_once_expression"
    );
    let argument = is_require.then(|| node.named_child(0)).flatten()?;
    let text = reading.text(&argument);
    // `__DIR__ . '/shop.php'` is the folder of this file.
    let (start, end) = (text.find(['\'', '"'])?, text.rfind(['\'', '"'])?);
    let path = text.get(start + 1..end)?;
    let before: String = text.get(..start)?.split_whitespace().collect();
    let module = match before.as_str() {
        "" | "(" => path.to_owned(),
        "__DIR__." | "(__DIR__." => format!("./{}", path.trim_start_matches('/')),
        _ => return None,
    };
    let import = reading.import(&module, Imported::Everything, "", &argument);
    Some(Import { statement: node.byte_range(), is_reexported: true, ..import })
}

/// `local shop = require("lib.shop")`.
fn lua(reading: &Reading<'_>, node: &Node<'_>) -> Option<Import> {
    if node.kind() != "assignment_statement" {
        return None;
    }
    let name = node.named_child(0)?.named_child(0)?;
    let call = node.named_child(1)?.named_child(0)?;
    let called = call.child_by_field_name("name")?;
    if call.kind() != "function_call" || reading.text(&called) != "require" {
        return None;
    }
    let argument = call.child_by_field_name("arguments")?.named_child(0)?;
    let module = unquoted(reading.text(&argument));
    let import = reading.import(module, Imported::Module, reading.text(&name), &argument);
    let statement = node.parent().filter(|parent| parent.kind() == "variable_declaration").unwrap_or(*node);
    Some(Import { statement: statement.byte_range(), ..import })
}
