//! Writes imports into a file, in the file's own style.

use crate::edits::Edits;
use crate::fit;
use crate::imports::{Import, Imported};
use crate::language::Language;
use crate::uses::Reading;

/// The content with these imports, and the lines that were added. What a language has no plain form for is not added. A file
/// that has no style of its own yet gets that of the text they come from.
pub(crate) fn add_imports(
    path: &str,
    content: &[u8],
    wanted: &[Import],
    written: &str,
) -> (Vec<u8>, Vec<String>) {
    let Some(reading) = Reading::of(path, content) else { return (content.to_vec(), Vec::new()) };
    let known = reading.imports();
    let style = Style::of(&reading, &known, written);
    let mut edits = Edits::default();
    let mut lines: Vec<String> = Vec::new();
    let mut said = Vec::new();
    for import in wanted {
        let Some(line) = style.line(import) else { continue };
        match list_end(&reading, &known, import) {
            Some(at) => {
                let name = match &import.imported {
                    Imported::Name(name) => name.clone(),
                    _ => continue,
                };
                edits.replace(at..at, format!(", {name}").into_bytes());
            }
            None if lines.contains(&line) => continue,
            None => lines.push(line.clone()),
        }
        said.push(line);
    }
    if !lines.is_empty() {
        let (at, text) = block(&reading, &known, &lines);
        edits.replace(at..at, text.into_bytes());
    }
    (edits.apply(content), said)
}

/// How a file writes its imports.
struct Style {
    language: Language,
    quote: char,
    end: &'static str,
    is_required: bool,
}

impl Style {
    fn of(reading: &Reading<'_>, known: &[Import], written: &str) -> Style {
        let statements: Vec<&str> = known
            .iter()
            .map(|import| crate::uses::text_at(reading.content, import.statement.clone()))
            .collect();
        let text = String::from_utf8_lossy(reading.content);
        let is_double = statements.iter().any(|statement| statement.contains('"'));
        let is_open = text.lines().any(|line| line.trim_end().ends_with(')'))
            && !text.lines().any(|line| line.trim_end().ends_with(';'));
        let is_required = match module_system(reading.path, &text) {
            ModuleSystem::Unknown => module_system(reading.path, written),
            known => known,
        };
        Style {
            language: reading.language,
            quote: if is_double { '"' } else { '\'' },
            end: if is_open { "" } else { ";" },
            is_required: is_required == ModuleSystem::Require,
        }
    }

    fn line(&self, import: &Import) -> Option<String> {
        let (module, local) = (&import.module, &import.local);
        let (quote, end) = (self.quote, self.end);
        Some(match (self.language, &import.imported) {
            (Language::Python, Imported::Name(name)) if name == local => {
                format!("from {module} import {name}")
            }
            (Language::Python, Imported::Name(name)) => format!("from {module} import {name} as {local}"),
            (Language::Python, Imported::Module) if module == local => format!("import {module}"),
            (Language::Python, Imported::Module) => format!("import {module} as {local}"),
            (Language::Rust, Imported::Name(name)) if name == local => format!("use {module}::{name};"),
            (Language::Rust, Imported::Name(name)) => format!("use {module}::{name} as {local};"),
            (Language::Rust, Imported::Module) if !module.starts_with("self::") => format!("use {module};"),
            (Language::Java, Imported::Name(name)) => format!("import {module}.{name};"),
            (Language::Go, Imported::Module) => format!("import \"{module}\""),
            (Language::JavaScript | Language::TypeScript | Language::Tsx, imported) => {
                let source = format!("{quote}{module}{quote}");
                match (imported, self.is_required) {
                    (Imported::Name(name), false) if name == "default" => {
                        format!("import {local} from {source}{end}")
                    }
                    (Imported::Name(name), true) if name == local => {
                        format!("const {{ {name} }} = require({source}){end}")
                    }
                    (Imported::Name(name), false) if name == local => {
                        format!("import {{ {name} }} from {source}{end}")
                    }
                    (Imported::Name(name), true) => {
                        format!("const {{ {name}: {local} }} = require({source}){end}")
                    }
                    (Imported::Name(name), false) => {
                        format!("import {{ {name} as {local} }} from {source}{end}")
                    }
                    (Imported::Module, true) => format!("const {local} = require({source}){end}"),
                    (Imported::Module, false) => format!("import * as {local} from {source}{end}"),
                    (Imported::Everything, _) => return None,
                }
            }
            _ => return None,
        })
    }
}

/// How a file of JavaScript gets at others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ModuleSystem {
    Import,
    Require,
    Unknown,
}

pub(crate) fn module_system(path: &str, text: &str) -> ModuleSystem {
    let has_require = text.contains("require(") || text.contains("module.exports");
    let has_import = text.lines().any(|line| line.starts_with("import ") || line.starts_with("export "));
    match path.rsplit('.').next() {
        Some("cjs") => ModuleSystem::Require,
        Some("ts" | "tsx" | "mts" | "mjs" | "jsx") => ModuleSystem::Import,
        _ if has_import => ModuleSystem::Import,
        _ if has_require => ModuleSystem::Require,
        _ => ModuleSystem::Unknown,
    }
}

/// Where a name can be appended to the names that are imported from the same module already.
fn list_end(reading: &Reading<'_>, known: &[Import], import: &Import) -> Option<usize> {
    let is_list = matches!(
        reading.language,
        Language::Python | Language::JavaScript | Language::TypeScript | Language::Tsx
    );
    let is_plain =
        matches!(&import.imported, Imported::Name(name) if name == &import.local && name != "default");
    if !is_list || !is_plain {
        return None;
    }
    let same = known.iter().rfind(|other| {
        other.module == import.module
            && matches!(&other.imported, Imported::Name(name) if *name == other.local)
            && reading.function_at(&other.statement).is_none()
    })?;
    // Only in a list: not `import load from`, not `const load = require(…).load`.
    let statement = crate::uses::text_at(reading.content, same.statement.clone());
    let is_braced = statement.contains('{');
    let is_one_line = !statement.contains('\n');
    let is_last =
        !known.iter().any(|other| other.statement == same.statement && other.bytes.start > same.bytes.start);
    let is_type = statement.starts_with("import type") || statement.starts_with("export");
    (is_one_line && is_last && !is_type && (is_braced || reading.language == Language::Python))
        .then_some(same.bytes.end)
}

/// Where new import lines go, and their text with the blank lines around them.
fn block(reading: &Reading<'_>, known: &[Import], lines: &[String]) -> (usize, String) {
    let line_break = fit::line_break(reading.content);
    let text = lines.join(line_break);
    let content = reading.content;
    let line_end = |at: usize| {
        let rest = content.get(at..).unwrap_or_default();
        at + rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |end| end + 1)
    };
    let is_top = |import: &&Import| {
        let start = import.statement.start;
        let is_first = start == 0 || content.get(start - 1) == Some(&b'\n');
        is_first && import.inside.is_empty() && reading.function_at(&import.statement).is_none()
    };
    let is_module =
        |import: &&Import| import.module.starts_with("self::") && reading.language == Language::Rust;
    let tops: Vec<&Import> = known.iter().filter(is_top).collect();
    let last = tops.iter().rfind(|import| !is_module(import)).or(tops.last());
    if let Some(last) = last {
        let at = line_end(last.statement.end.saturating_sub(1).max(last.statement.start));
        let open =
            if content.get(..at).is_some_and(|before| before.ends_with(b"\n")) { "" } else { line_break };
        return (at, format!("{open}{text}{line_break}"));
    }
    let at = header_end(reading, line_end);
    let rest = content.get(at..).unwrap_or_default();
    let is_blank = rest.is_empty() || rest.starts_with(b"\n") || rest.starts_with(b"\r\n");
    let blank = if reading.language == Language::Python && !rest.starts_with(b"\n") { 2 } else { 1 };
    let before = if at == 0 { "" } else { line_break };
    let after = if is_blank { String::new() } else { line_break.repeat(blank) };
    (at, format!("{before}{text}{line_break}{after}"))
}

/// The end of what has to stay at the top of a file: a first line for the system, the docstring, what holds for the whole file.
fn header_end(reading: &Reading<'_>, line_end: impl Fn(usize) -> usize) -> usize {
    let root = reading.tree.root_node();
    let mut cursor = root.walk();
    let mut end = 0;
    for node in root.named_children(&mut cursor) {
        let text = reading.text(&node);
        let inner = node.named_child(0).map_or("", |inner| inner.kind());
        let is_header = match node.kind() {
            "hash_bang_line"
            | "inner_attribute_item"
            | "package_clause"
            | "package_declaration"
            | "php_tag" => true,
            "expression_statement" => inner == "string",
            kind if kind.contains("comment") => {
                let after = line_end(node.end_byte().saturating_sub(1));
                let rest = reading.content.get(after..).unwrap_or_default();
                let is_apart = rest.starts_with(b"\n") || rest.starts_with(b"\r\n");
                text.starts_with("#!") || text.starts_with("//!") || text.starts_with("# -*-") || is_apart
            }
            _ => false,
        };
        if !is_header {
            break;
        }
        end = line_end(node.end_byte().saturating_sub(1).max(node.start_byte()));
    }
    end
}
