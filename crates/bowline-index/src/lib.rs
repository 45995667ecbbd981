//! What a source file says about itself: its language, whether it still parses, what it defines.
//!
//! Made for a program that changes files on behalf of a model and wants to know, within milliseconds and without the
//! project's own compiler, whether a change has broken one. A grammar is not a compiler: it flags valid code that it does
//! not know, and a file may have been broken long before. So [`check`] compares: only a file that parsed before and does
//! not parse after has been broken.
//!
//! ```
//! use bowline_index::{Language, check, definitions, scope};
//!
//! let before = b"fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n";
//! let after = b"fn total(items: &[u32]) -> u32 {\n    items.iter().sum(\n}\n";
//! let broken = check("src/shop.rs", before, after).unwrap();
//! assert_eq!((broken.line, broken.what.as_str()), (2, "`(` is not closed"));
//! assert_eq!(check("src/shop.rs", after, after), None);
//!
//! let found = definitions("shop.py", b"class Shop:\n    def total(self):\n        return 0\n");
//! assert_eq!(found[1].name, "total");
//! assert_eq!(scope(&found, 3).as_deref(), Some("Shop.total"));
//!
//! assert_eq!(Language::of("notes.txt"), None);
//! ```
//!
//! It reads no file itself. What always holds: any bytes are an answer, within [`BYTES_MAX`] and [`PARSE_MS_MAX`]; what is
//! larger or takes longer is taken for a file nothing is known of.

mod brackets;
mod check;
mod definitions;
mod kinds;
mod language;
mod parse;

pub use check::{Broken, check};
pub use definitions::{Definition, definitions, scope};
pub use kinds::Kind;
pub use language::Language;
pub use parse::{BYTES_MAX, PARSE_MS_MAX};
