//! Which nodes of a grammar define something.

use tree_sitter::Node;

use crate::language::Language;

/// What a definition is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    Function,
    /// A class, a structure, an interface, an alias.
    Type,
    /// What belongs to a type and stands elsewhere.
    Implementation,
    Module,
    Macro,
}

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Kind::Function => "function",
            Kind::Type => "type",
            Kind::Implementation => "implementation",
            Kind::Module => "module",
            Kind::Macro => "macro",
        }
    }
}

pub(crate) fn kind_of(language: Language, node: &Node<'_>) -> Option<Kind> {
    if !node.is_named() {
        return None;
    }
    let kind = node.kind();
    match language {
        Language::Rust => rust(kind),
        Language::Python => python(kind),
        Language::JavaScript | Language::TypeScript | Language::Tsx => script(node),
        Language::Go => go(kind),
        Language::Java => java(kind),
        Language::C | Language::Cpp => c(node),
        Language::Ruby => ruby(kind),
        Language::Php => php(kind),
        Language::Lua => lua(node),
        Language::Bash => (kind == "function_definition").then_some(Kind::Function),
        Language::Css | Language::Html | Language::Json | Language::Toml | Language::Yaml => None,
    }
}

fn rust(kind: &str) -> Option<Kind> {
    Some(match kind {
        "function_item" | "function_signature_item" => Kind::Function,
        "struct_item" | "enum_item" | "union_item" | "trait_item" | "type_item" => Kind::Type,
        "impl_item" => Kind::Implementation,
        "mod_item" => Kind::Module,
        "macro_definition" => Kind::Macro,
        _ => return None,
    })
}

fn python(kind: &str) -> Option<Kind> {
    Some(match kind {
        "function_definition" => Kind::Function,
        "class_definition" => Kind::Type,
        _ => return None,
    })
}

fn script(node: &Node<'_>) -> Option<Kind> {
    Some(match node.kind() {
        "function_declaration"
        | "generator_function_declaration"
        | "function_signature"
        | "method_definition" => Kind::Function,
        "class_declaration"
        | "abstract_class_declaration"
        | "interface_declaration"
        | "enum_declaration"
        | "type_alias_declaration" => Kind::Type,
        "internal_module" | "module" => Kind::Module,
        // A function with a name by way of a constant or a property of a class.
        "variable_declarator" | "public_field_definition" | "field_definition" => {
            match node.child_by_field_name("value")?.kind() {
                "arrow_function" | "function_expression" | "generator_function" => Kind::Function,
                "class" => Kind::Type,
                _ => return None,
            }
        }
        _ => return None,
    })
}

fn go(kind: &str) -> Option<Kind> {
    Some(match kind {
        "function_declaration" | "method_declaration" => Kind::Function,
        "type_spec" | "type_alias" => Kind::Type,
        _ => return None,
    })
}

fn java(kind: &str) -> Option<Kind> {
    Some(match kind {
        "method_declaration" | "constructor_declaration" => Kind::Function,
        "class_declaration"
        | "interface_declaration"
        | "enum_declaration"
        | "record_declaration"
        | "annotation_type_declaration" => Kind::Type,
        _ => return None,
    })
}

fn c(node: &Node<'_>) -> Option<Kind> {
    let has_body = || node.child_by_field_name("body").is_some();
    Some(match node.kind() {
        "function_definition" => Kind::Function,
        "struct_specifier" | "union_specifier" | "enum_specifier" | "class_specifier" if has_body() => {
            Kind::Type
        }
        "type_definition" | "alias_declaration" => Kind::Type,
        "namespace_definition" => Kind::Module,
        "preproc_function_def" => Kind::Macro,
        _ => return None,
    })
}

fn ruby(kind: &str) -> Option<Kind> {
    Some(match kind {
        "method" | "singleton_method" => Kind::Function,
        "class" => Kind::Type,
        "module" => Kind::Module,
        _ => return None,
    })
}

fn php(kind: &str) -> Option<Kind> {
    Some(match kind {
        "function_definition" | "method_declaration" => Kind::Function,
        "class_declaration" | "interface_declaration" | "trait_declaration" | "enum_declaration" => {
            Kind::Type
        }
        _ => return None,
    })
}

fn lua(node: &Node<'_>) -> Option<Kind> {
    match node.kind() {
        "function_declaration" => Some(Kind::Function),
        // `run = function() … end`
        "assignment_statement" => {
            let values = node.named_child(1)?;
            (values.named_child(0)?.kind() == "function_definition").then_some(Kind::Function)
        }
        _ => None,
    }
}
