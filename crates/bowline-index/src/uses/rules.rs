//! Which role the grammars give an identifier, by the node it stands in and the field of it that it is. Tables only: what
//! needs more than one look is in `roles.rs`.

use crate::language::Language;

/// What a field of a node makes of an identifier.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gives {
    Definition,
    /// A definition outside functions, a local variable inside.
    Variable,
    /// A local variable inside functions, nothing new outside.
    Rebind,
    Parameter,
    Local,
    Call,
    Macro,
    Export,
    /// A member of what another field of the same node holds; of something unknown where that is empty.
    Member(&'static str),
    Keyword,
    Shorthand,
    Plain,
    /// Part of a pattern or a wrapper: what holds that decides.
    Climb,
    /// No identifier: a label, a lifetime.
    Nothing,
}

/// A node, a field of it (`*` for any, empty for what is in no field), and what that gives.
pub(crate) type Rule = (&'static str, &'static str, Gives);

use Gives::{
    Call, Climb, Definition, Export, Keyword, Local, Member, Nothing, Parameter, Plain, Rebind, Shorthand,
    Variable,
};

const PYTHON: &[Rule] = &[
    ("attribute", "attribute", Member("object")),
    ("keyword_argument", "name", Keyword),
    ("keyword_pattern", "", Keyword),
    ("function_definition", "name", Definition),
    ("class_definition", "name", Definition),
    ("case_pattern", "", Local),
    ("splat_pattern", "", Local),
    ("class_pattern", "", Plain),
    ("parameters", "", Parameter),
    ("lambda_parameters", "", Parameter),
    ("default_parameter", "name", Parameter),
    ("typed_default_parameter", "name", Parameter),
    ("typed_parameter", "", Parameter),
    ("list_splat_pattern", "", Climb),
    ("dictionary_splat_pattern", "", Climb),
    ("pattern_list", "", Climb),
    ("tuple_pattern", "", Climb),
    ("list_pattern", "", Climb),
    ("as_pattern_target", "", Climb),
    ("dotted_name", "", Climb),
    ("as_pattern", "alias", Local),
    ("assignment", "left", Variable),
    ("augmented_assignment", "left", Rebind),
    ("for_statement", "left", Rebind),
    ("for_in_clause", "left", Local),
    ("named_expression", "name", Rebind),
    ("call", "function", Call),
];

const SCRIPT: &[Rule] = &[
    ("member_expression", "property", Member("object")),
    ("nested_identifier", "property", Member("object")),
    ("nested_type_identifier", "name", Member("module")),
    ("pair", "key", Member("")),
    ("pair_pattern", "key", Member("")),
    ("jsx_attribute", "", Member("")),
    ("function_declaration", "name", Definition),
    ("generator_function_declaration", "name", Definition),
    ("class_declaration", "name", Definition),
    ("abstract_class_declaration", "name", Definition),
    ("function_signature", "name", Definition),
    ("interface_declaration", "name", Definition),
    ("enum_declaration", "name", Definition),
    ("type_alias_declaration", "name", Definition),
    ("internal_module", "name", Definition),
    ("module", "name", Definition),
    ("method_definition", "name", Definition),
    ("field_definition", "property", Definition),
    ("public_field_definition", "name", Definition),
    ("property_signature", "name", Definition),
    ("method_signature", "name", Definition),
    ("abstract_method_signature", "name", Definition),
    ("enum_body", "name", Definition),
    ("enum_assignment", "name", Definition),
    ("function_expression", "name", Parameter),
    ("class", "name", Parameter),
    ("variable_declarator", "name", Variable),
    ("array_pattern", "", Climb),
    ("object_pattern", "", Climb),
    ("rest_pattern", "", Climb),
    ("assignment_pattern", "left", Climb),
    ("object_assignment_pattern", "left", Climb),
    ("pair_pattern", "value", Climb),
    ("required_parameter", "pattern", Parameter),
    ("optional_parameter", "pattern", Parameter),
    ("formal_parameters", "", Parameter),
    ("arrow_function", "parameter", Parameter),
    ("catch_clause", "parameter", Parameter),
    ("type_parameter", "name", Parameter),
    ("export_specifier", "name", Export),
    ("export_specifier", "alias", Export),
    ("export_statement", "value", Export),
    ("call_expression", "function", Call),
    ("new_expression", "constructor", Call),
];

const RUST: &[Rule] = &[
    ("field_expression", "field", Member("value")),
    ("scoped_identifier", "name", Member("path")),
    ("scoped_type_identifier", "name", Member("path")),
    ("field_pattern", "name", Member("")),
    ("function_item", "name", Definition),
    ("function_signature_item", "name", Definition),
    ("struct_item", "name", Definition),
    ("enum_item", "name", Definition),
    ("union_item", "name", Definition),
    ("trait_item", "name", Definition),
    ("type_item", "name", Definition),
    ("associated_type", "name", Definition),
    ("mod_item", "name", Definition),
    ("macro_definition", "name", Gives::Macro),
    ("const_item", "name", Definition),
    ("static_item", "name", Definition),
    ("enum_variant", "name", Definition),
    ("field_declaration", "name", Definition),
    ("shorthand_field_initializer", "", Shorthand),
    ("parameter", "pattern", Parameter),
    ("closure_parameters", "", Parameter),
    ("let_declaration", "pattern", Local),
    ("let_condition", "pattern", Local),
    ("for_expression", "pattern", Local),
    ("match_pattern", "condition", Plain),
    ("match_pattern", "", Local),
    ("tuple_pattern", "", Climb),
    ("tuple_struct_pattern", "type", Plain),
    ("tuple_struct_pattern", "", Climb),
    ("slice_pattern", "", Climb),
    ("ref_pattern", "", Climb),
    ("mut_pattern", "", Climb),
    ("reference_pattern", "", Climb),
    ("captured_pattern", "", Climb),
    ("or_pattern", "", Climb),
    ("field_pattern", "pattern", Climb),
    ("struct_pattern", "", Climb),
    ("type_parameter", "name", Parameter),
    ("const_parameter", "name", Parameter),
    ("call_expression", "function", Call),
    ("generic_function", "function", Climb),
    ("macro_invocation", "macro", Gives::Macro),
    ("attribute", "", Gives::Macro),
    ("label", "", Nothing),
    ("lifetime", "", Nothing),
];

const GO: &[Rule] = &[
    ("selector_expression", "field", Member("operand")),
    ("qualified_type", "name", Member("package")),
    ("literal_element", "", Climb),
    ("keyed_element", "key", Member("")),
    ("function_declaration", "name", Definition),
    ("method_declaration", "name", Definition),
    ("method_elem", "name", Definition),
    ("type_spec", "name", Definition),
    ("type_alias", "name", Definition),
    ("field_declaration", "name", Definition),
    ("const_spec", "name", Variable),
    ("var_spec", "name", Variable),
    ("expression_list", "", Climb),
    ("short_var_declaration", "left", Local),
    ("range_clause", "left", Local),
    ("parameter_declaration", "name", Parameter),
    ("variadic_parameter_declaration", "name", Parameter),
    ("type_parameter_declaration", "name", Parameter),
    ("call_expression", "function", Call),
    ("package_clause", "*", Nothing),
];

const JAVA: &[Rule] = &[
    ("field_access", "field", Member("object")),
    ("scoped_type_identifier", "", Member("")),
    ("method_reference", "", Member("")),
    ("method_declaration", "name", Definition),
    ("constructor_declaration", "name", Plain),
    ("class_declaration", "name", Definition),
    ("interface_declaration", "name", Definition),
    ("enum_declaration", "name", Definition),
    ("record_declaration", "name", Definition),
    ("annotation_type_declaration", "name", Definition),
    ("enum_constant", "name", Definition),
    ("variable_declarator", "name", Variable),
    ("formal_parameter", "name", Parameter),
    ("catch_formal_parameter", "name", Parameter),
    ("inferred_parameters", "", Parameter),
    ("lambda_expression", "parameters", Parameter),
    ("enhanced_for_statement", "name", Local),
    ("type_parameter", "", Parameter),
    ("labeled_statement", "", Nothing),
    ("package_declaration", "*", Nothing),
    ("scoped_identifier", "*", Climb),
];

const C: &[Rule] = &[
    ("field_expression", "field", Member("argument")),
    ("qualified_identifier", "name", Member("scope")),
    ("field_designator", "", Member("")),
    ("field_declaration", "declarator", Definition),
    ("enumerator", "name", Definition),
    ("preproc_def", "name", Definition),
    ("preproc_function_def", "name", Definition),
    ("struct_specifier", "name", Definition),
    ("union_specifier", "name", Definition),
    ("enum_specifier", "name", Definition),
    ("class_specifier", "name", Definition),
    ("type_definition", "declarator", Definition),
    ("alias_declaration", "name", Definition),
    ("namespace_definition", "name", Definition),
    ("function_declarator", "declarator", Climb),
    ("pointer_declarator", "declarator", Climb),
    ("reference_declarator", "", Climb),
    ("array_declarator", "declarator", Climb),
    ("parenthesized_declarator", "", Climb),
    ("function_definition", "declarator", Definition),
    ("init_declarator", "declarator", Climb),
    ("declaration", "declarator", Variable),
    ("parameter_declaration", "declarator", Parameter),
    ("optional_parameter_declaration", "declarator", Parameter),
    ("for_range_loop", "declarator", Local),
    ("call_expression", "function", Call),
    ("statement_identifier", "*", Nothing),
];

const RUBY: &[Rule] = &[
    ("call", "method", Member("receiver")),
    ("scope_resolution", "name", Member("scope")),
    ("pair", "key", Member("")),
    ("method", "name", Definition),
    ("singleton_method", "name", Definition),
    ("class", "name", Definition),
    ("module", "name", Definition),
    ("assignment", "left", Variable),
    ("left_assignment_list", "", Climb),
    ("operator_assignment", "left", Rebind),
    ("method_parameters", "", Parameter),
    ("block_parameters", "", Parameter),
    ("lambda_parameters", "", Parameter),
    ("optional_parameter", "name", Parameter),
    ("keyword_parameter", "name", Parameter),
    ("splat_parameter", "name", Parameter),
    ("hash_splat_parameter", "name", Parameter),
    ("block_parameter", "name", Parameter),
];

const PHP: &[Rule] = &[
    ("member_call_expression", "name", Member("object")),
    ("nullsafe_member_call_expression", "name", Member("object")),
    ("scoped_call_expression", "name", Member("scope")),
    ("member_access_expression", "name", Member("object")),
    ("class_constant_access_expression", "", Member("")),
    ("qualified_name", "*", Member("")),
    ("namespace_name", "*", Nothing),
    ("function_definition", "name", Definition),
    ("method_declaration", "name", Definition),
    ("class_declaration", "name", Definition),
    ("interface_declaration", "name", Definition),
    ("trait_declaration", "name", Definition),
    ("enum_declaration", "name", Definition),
    ("enum_case", "name", Definition),
    ("const_element", "", Definition),
    ("argument", "name", Keyword),
    ("function_call_expression", "function", Call),
    ("object_creation_expression", "", Call),
];

const LUA: &[Rule] = &[
    ("dot_index_expression", "field", Member("table")),
    ("method_index_expression", "method", Member("table")),
    ("field", "name", Member("")),
    ("function_declaration", "name", Definition),
    ("parameters", "*", Parameter),
    ("variable_list", "name", Climb),
    ("assignment_statement", "", Variable),
    ("for_generic_clause", "*", Local),
    ("function_call", "name", Call),
];

const BASH: &[Rule] = &[
    ("function_definition", "name", Definition),
    ("command_name", "", Call),
    ("variable_assignment", "name", Variable),
];

/// What a field of a node gives; none where no rule speaks of it.
pub(crate) fn gives(language: Language, parent: &str, field: &str) -> Option<Gives> {
    let rules = match language {
        Language::Python => PYTHON,
        Language::JavaScript | Language::TypeScript | Language::Tsx => SCRIPT,
        Language::Rust => RUST,
        Language::Go => GO,
        Language::Java => JAVA,
        Language::C | Language::Cpp => C,
        Language::Ruby => RUBY,
        Language::Php => PHP,
        Language::Lua => LUA,
        Language::Bash => BASH,
        Language::Css | Language::Html | Language::Json | Language::Toml | Language::Yaml => &[],
    };
    let found = rules.iter().find(|(node, of, _)| *node == parent && (*of == "*" || *of == field));
    found.map(|(_, _, gives)| *gives)
}

/// Whether leaves of this kind are identifiers.
pub(crate) fn is_identifier(language: Language, kind: &str) -> bool {
    match language {
        Language::Bash => matches!(kind, "word" | "variable_name"),
        Language::Ruby => matches!(kind, "identifier" | "constant" | "hash_key_symbol"),
        Language::Php => kind == "name",
        Language::Css | Language::Html | Language::Json | Language::Toml | Language::Yaml => false,
        _ => matches!(
            kind,
            "identifier"
                | "type_identifier"
                | "field_identifier"
                | "property_identifier"
                | "private_property_identifier"
                | "shorthand_property_identifier"
                | "shorthand_property_identifier_pattern"
                | "shorthand_field_identifier"
                | "package_identifier"
                | "namespace_identifier"
        ),
    }
}

/// Nodes in which parameters and local variables live.
pub(crate) fn is_function(language: Language, kind: &str) -> bool {
    match language {
        Language::Python => matches!(
            kind,
            "function_definition"
                | "lambda"
                | "list_comprehension"
                | "set_comprehension"
                | "dictionary_comprehension"
                | "generator_expression"
        ),
        Language::Rust => matches!(kind, "function_item" | "function_signature_item" | "closure_expression"),
        Language::Bash | Language::C | Language::Cpp => {
            matches!(kind, "function_definition" | "lambda_expression")
        }
        Language::Ruby => matches!(kind, "method" | "singleton_method" | "block" | "do_block" | "lambda"),
        _ => matches!(
            kind,
            "function_declaration"
                | "generator_function_declaration"
                | "function_expression"
                | "generator_function"
                | "arrow_function"
                | "method_definition"
                | "function_signature"
                | "method_signature"
                | "abstract_method_signature"
                | "call_signature"
                | "construct_signature"
                | "function_type"
                | "constructor_type"
                | "catch_clause"
                | "method_declaration"
                | "constructor_declaration"
                | "lambda_expression"
                | "func_literal"
                | "function_definition"
                | "anonymous_function"
        ),
    }
}

/// Nodes that a local variable does not outlive, besides functions.
pub(crate) fn is_block(language: Language, kind: &str) -> bool {
    match language {
        Language::Python | Language::Bash | Language::Ruby | Language::Php => false,
        Language::Rust => {
            matches!(kind, "block" | "match_arm" | "for_expression" | "if_expression" | "while_expression")
        }
        _ => matches!(
            kind,
            "statement_block"
                | "switch_body"
                | "for_statement"
                | "for_in_statement"
                | "enhanced_for_statement"
                | "for_range_loop"
                | "if_statement"
                | "block"
                | "compound_statement"
                | "do_statement"
                | "for_generic_clause"
        ),
    }
}

/// Nodes whose inner definitions are members: classes, structures, implementations, object literals.
pub(crate) fn is_type(language: Language, kind: &str) -> bool {
    match language {
        Language::Python => kind == "class_definition",
        Language::Rust => {
            matches!(kind, "impl_item" | "trait_item" | "struct_item" | "enum_item" | "union_item")
        }
        Language::Ruby => matches!(kind, "class" | "module"),
        Language::C | Language::Cpp => {
            matches!(kind, "struct_specifier" | "union_specifier" | "class_specifier")
        }
        Language::Go => kind == "type_spec",
        _ => matches!(
            kind,
            "class_declaration"
                | "abstract_class_declaration"
                | "class"
                | "interface_declaration"
                | "enum_declaration"
                | "record_declaration"
                | "trait_declaration"
                | "annotation_type_declaration"
                | "object_type"
                | "object"
        ),
    }
}
