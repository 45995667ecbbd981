//! Whether an import of Rust can be a trait whose methods are still called: such an import is used without its name.
//!
//! What always holds: where it is not certain that the name is no such trait, the answer is no.

use std::ops::Range;

use tree_sitter::Node;

use crate::imports::Import;
use crate::sites::ProjectFile;
use crate::uses::{Role, Token};

/// Traits of the standard library that are not in scope by themselves, with what is called of them.
const METHODS: [(&str, &str); 22] = [
    ("Read", "read read_exact read_to_end read_to_string read_vectored bytes chain take by_ref"),
    ("Write", "write write_all write_fmt write_str write_char write_vectored flush by_ref writeln"),
    ("BufRead", "read_line read_until lines split fill_buf consume skip_until has_data_left"),
    ("Seek", "seek rewind stream_position stream_len seek_relative"),
    ("FromStr", "from_str"),
    ("Hash", "hash hash_slice"),
    ("Hasher", "finish write write_u8 write_u16 write_u32 write_u64 write_usize write_i32 write_i64"),
    ("BuildHasher", "build_hasher hash_one"),
    ("Error", "source description cause provide"),
    ("Display", "fmt"),
    ("Debug", "fmt"),
    ("Any", "type_id"),
    ("Borrow", "borrow"),
    ("BorrowMut", "borrow_mut"),
    ("Deref", "deref"),
    ("DerefMut", "deref_mut"),
    ("Add", "add"),
    ("Sub", "sub"),
    ("Mul", "mul"),
    ("Neg", "neg"),
    ("Serialize", "serialize"),
    ("Deserialize", "deserialize"),
];
/// Macros that call a method of a trait.
const MACROS: [(&str, &str); 1] = [("Write", "write")];

/// Whether what is imported is no trait, or one of which nothing is called outside of the ranges that go away.
pub(super) fn is_no_trait_in_use(
    file: &ProjectFile<'_>,
    import: &Import,
    uses: &[&Token],
    gone: &[Range<usize>],
) -> bool {
    let name = match &import.imported {
        crate::imports::Imported::Name(name) => name.as_str(),
        _ => return true,
    };
    // Functions, macros and modules are in lower case, constants in capitals.
    let is_type_like = name.starts_with(char::is_uppercase) && name.chars().any(char::is_lowercase);
    if !is_type_like {
        return true;
    }
    if let Some((_, methods)) = METHODS.iter().find(|(known, _)| *known == name) {
        let is_gone = |token: &Token| {
            gone.iter().any(|range| range.start <= token.bytes.start && token.bytes.end <= range.end)
        };
        let is_called = |method: &str| {
            let tokens = file.reading.tokens(method);
            tokens.iter().any(|token| {
                let is_macro = MACROS.contains(&(name, "write")) && token.role == Role::Call;
                !is_gone(token) && (token.role == Role::Member || is_macro)
            })
        };
        return !methods.split(' ').any(is_called);
    }
    let is_standard =
        ["std", "core", "alloc"].contains(&import.module.split("::").next().unwrap_or_default());
    let kinds: Vec<Position> = uses.iter().filter_map(|token| position(file, token)).collect();
    !kinds.contains(&Position::Trait)
        && (kinds.contains(&Position::Type) || is_standard && kinds.contains(&Position::Path))
}

/// What the place of a name says about it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// Only a trait stands there.
    Trait,
    /// Only a type stands there.
    Type,
    /// In front of `::`.
    Path,
    Unknown,
}

fn position(file: &ProjectFile<'_>, token: &Token) -> Option<Position> {
    let root = file.reading.tree.root_node();
    let mut node = root.descendant_for_byte_range(token.bytes.start, token.bytes.end)?;
    let mut above = node.parent()?;
    if above.kind() == "generic_type" {
        (node, above) = (above, above.parent()?);
    }
    let is_field = |field: &str| above.child_by_field_name(field) == Some(node);
    let next = || node.next_sibling().map(|next: Node<'_>| next.kind() == "::");
    Some(match above.kind() {
        "trait_bounds" | "bounded_type" | "abstract_type" | "dynamic_type" | "removed_trait_bound" => {
            Position::Trait
        }
        "impl_item" if is_field("trait") => Position::Trait,
        "scoped_identifier" | "scoped_type_identifier" | "generic_type_with_turbofish"
            if is_field("path") =>
        {
            Position::Path
        }
        "token_tree" if next() == Some(true) => Position::Path,
        "token_tree" => Position::Unknown,
        "call_expression" | "tuple_struct_pattern" | "struct_expression" | "struct_pattern" => Position::Type,
        _ if node.kind() == "type_identifier" || node.kind() == "generic_type" => Position::Type,
        _ => Position::Unknown,
    })
}
