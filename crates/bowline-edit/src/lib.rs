//! Locates a model's edit in a file and applies it, or refuses it in words that make the next try right.
//!
//! A model says: in this text, replace `old` by `new`. [`locate`] finds the one place that is meant, [`apply`] makes
//! the new text out of one or several such edits, all or nothing, and a [`Refusal`] tells the model what to do
//! instead. An edit in the wrong place is far worse than one that is refused, so two places are never narrowed down to
//! one by guessing.
//!
//! This crate is pure: it reads and writes no file, knows no clock and never panics, whatever the bytes. What it does
//! not do is decide which file is meant, or write it.
//!
//! ```
//! use bowline_edit::{Edit, apply};
//!
//! let file = b"fn main() {\r\n    run(1);\r\n}\r\n";
//! let applied = apply(Some(file), &[Edit::one("run(1);\n}", "run(2);\n    stop();\n}")]).unwrap();
//! assert_eq!(applied.content, b"fn main() {\r\n    run(2);\r\n    stop();\r\n}\r\n");
//!
//! let refusal = apply(Some(b"a = 1\nb = 1\n"), &[Edit::one("= 1", "= 2")]).unwrap_err();
//! assert!(refusal.to_string().starts_with("`old` occurs 2 times: line 1, line 2."));
//! ```
//!
//! [`apply`] and [`locate`] are exact; [`apply_with`] and [`locate_with`] take a [`Mode`] and climb a ladder of [`Rung`]s:
//!
//! ```
//! use bowline_edit::{Edit, Mode, apply_with};
//!
//! let file = b"def total(items):\n\treturn sum(items)\n";
//! let edit = Edit::one("def total(items):\n    return sum(items)", "def total(items):\n    return max(items)");
//! let applied = apply_with(Some(file), &[edit], Mode::Careful).unwrap();
//! assert_eq!(applied.content, b"def total(items):\n\treturn max(items)\n");
//! ```
//!
//! A typo lands where nothing speaks against it, and another thing does not; the refusal says what to do, and what
//! [`Mode::Lenient`] would have done:
//!
//! ```
//! use bowline_edit::{Edit, Fault, Landing, Mode, Rung, apply_with};
//!
//! let file = b"def load(path):\n    text = read_text(path)\n    return parse(text)\n";
//! let edit = Edit::one("    text = raed_text(path)\n    return parse(text)", "    return parse(read_text(path))");
//! let applied = apply_with(Some(file), &[edit], Mode::Careful).unwrap();
//! assert!(matches!(applied.landings[0], Landing::Replaced { rung: Rung::Similar, .. }));
//! assert_eq!(applied.content, b"def load(path):\n    return parse(read_text(path))\n");
//!
//! let edit = Edit::one("    text = read_file(path)\n    return parse(text)", "    return parse(read_file(path))");
//! let refusal = apply_with(Some(file), &[edit], Mode::Careful).unwrap_err();
//! assert!(matches!(refusal.verdicts[0], Err(Fault::NotFound { .. })));
//! assert!(refusal.to_string().contains("Lenient mode would edit lines 2-3."));
//! ```
//!
//! A [`Patch`] keeps what a change did to a file, so that it can be taken back later, also where the file moved on:
//!
//! ```
//! use bowline_edit::Patch;
//!
//! let patch = Patch::between(Some(b"one\ntwo\nthree\n"), b"one\n2\nthree\n");
//! let moved_on = b"zero\none\n2\nthree\n";
//! assert_eq!(patch.rewind(Some(moved_on)).unwrap().unwrap(), b"zero\none\ntwo\nthree\n");
//! ```
//!
//! What always holds:
//! - bytes outside the replaced span are the file's own, also where the file is not UTF-8;
//! - a needle that is not exact is merged with the file and the replacement: what the model only repeats keeps the file's
//!   bytes, and what does not go together is refused;
//! - inserted lines end as the lines around them do; a byte order mark and the state of the final line break stay;
//! - a file with CRLF line endings and its twin with LF get the same answer.

mod apply;
mod artefacts;
mod beside;
mod canonical;
mod change;
mod diff;
mod distance;
mod draft;
mod endings;
mod gist;
mod in_place;
mod joined;
mod ladder;
mod lenient;
mod locate;
mod merge;
mod nearest;
mod omission;
mod page;
mod patch;
mod refusal;
mod rung;
mod search;
mod similar;
mod spelling;
mod tokens;
mod within;

pub use apply::{Applied, Edit, Landing, Replace, apply, apply_with};
pub use locate::{Located, Place, locate, locate_with};
pub use merge::Conflict;
pub use nearest::{Difference, Nearest};
pub use omission::{Mark, omission};
pub use patch::{Digest, Hunk, Patch, Stray};
pub use refusal::{Fault, Refusal, Would};
pub use rung::{Mode, Rung};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
