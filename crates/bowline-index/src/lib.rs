//! What a file says about itself: its language, whether it still parses, and the places that a change can point at.
//!
//! Made for a program that changes files on behalf of a model and wants to know, within milliseconds and without the
//! project's own compiler, whether a change has broken one. A grammar is not a compiler: it flags valid code that it does
//! not know, and a file may have been broken long before. So [`check`] compares: only a file that parsed before and does
//! not parse after has been broken.
//!
//! ```
//! use bowline_index::{Kind, Language, at_line, calls, check, hidden, places};
//!
//! let before = b"fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n";
//! let after = b"fn total(items: &[u32]) -> u32 {\n    items.iter().sum(\n}\n";
//! let broken = check("src/shop.rs", before, after).unwrap();
//! assert_eq!((broken.line, broken.what.as_str()), (2, "`(` is not closed"));
//! assert_eq!(check("src/shop.rs", after, after), None);
//!
//! let content = b"TAX = 7\n\nclass Shop:\n    # Adds up.\n    def total(self):\n        return tax(self.rows)\n";
//! let found = places("shop.py", content);
//! let total = at_line(&found, 6).unwrap();
//! assert_eq!((total.path().as_str(), total.kind, total.lines.clone()), ("Shop.total", Kind::Function, 4..=6));
//! assert_eq!(hidden(content, total), "    # Adds up.\n    def total(self):");
//! assert_eq!(calls("shop.py", content, total), ["tax"]);
//!
//! assert_eq!(Language::of("notes.txt"), None);
//! ```
//!
//! A [`Place`] is a part of a file that can be changed as one unit. [`places`] covers the whole file: definitions and
//! constants where there is a grammar, keys and rules in data and styles, sections and paragraphs in text, and blocks for
//! the lines between them.
//!
//! Some changes need no model: [`rename`], [`rename_parameter`] and [`remove`] carry out in all files what follows from their text, and say what does not;
//! [`missing_imports`] adds imports. [`rewrite`] and [`add_after`] put the text that a model wrote into its place, or refuse it.
//! [`uses`], [`imports`] and [`resolves`] are what they rest on: names, scopes and modules, no types.
//!
//! It reads no file itself. What always holds: any bytes are an answer, within [`BYTES_MAX`] and [`PARSE_MS_MAX`]; nothing
//! is known of a file that is larger, and one that takes longer to parse counts as plain text.

mod add;
mod blocks;
mod brackets;
mod calls;
mod check;
mod edits;
mod expose;
mod extent;
mod fit;
mod grammar;
mod imports;
mod kinds;
mod language;
mod lines;
mod missing;
mod parse;
mod place;
mod places;
mod remove;
mod rename;
mod rewrite;
mod shell;
mod sites;
mod survey;
mod text;
mod uses;
mod words;

pub use add::{AddRefused, Added, add_after};
pub use calls::{calls, identifiers};
pub use check::{Broken, check};
pub use expose::expose;
pub use imports::{Import, Imported, imports, resolves};
pub use kinds::Kind;
pub use language::Language;
pub use missing::missing_imports;
pub use parse::{BYTES_MAX, PARSE_MS_MAX};
pub use place::{Place, at_line, hidden, scope};
pub use places::{definitions, places};
pub use remove::{Helpers, RemoveRefused, Removed, remove};
pub use rename::{ChangedFile, Mentions, RenameRefused, Renamed, rename, rename_parameter};
pub use rewrite::{RewriteRefused, Rewritten, rewrite};
pub use shell::{bash_only, is_for_plain_shell, to_plain_shell};
pub use sites::SourceFile;
pub use uses::{Role, Use, uses};
