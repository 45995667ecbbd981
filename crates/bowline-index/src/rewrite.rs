//! Puts the text that a model wrote for a place into the file.
//!
//! Models answer with more and with less than they were asked for: the whole file, the method inside its class, imports in
//! front, an example call at the end, without the comment or decorator in front. What is plainly meant is understood and said;
//! what is not is refused. This is no judge of whether the code is right. What always holds for a rewrite that is not refused: a
//! file that parsed before parses after, the place still defines its name, and no other definition is lost or changed.

use std::fmt;

use crate::calls::calls;
use crate::check::{Broken, check};
use crate::fit::{self, is_same};
use crate::imports::add_imports;
use crate::kinds::Kind;
use crate::language::Language;
use crate::place::Place;
use crate::places::places;

pub(crate) mod answer;
pub(crate) mod document;
mod front;

/// A file with the new text in it, and what was made of that text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    pub content: Vec<u8>,
    /// What the old text called and the new one does not.
    pub dropped_calls: Vec<String>,
    /// New definitions beside the one that was asked for.
    pub added: Vec<String>,
    /// Imports that stood before the definition and were missing at the top of the file.
    pub imports_added: Vec<String>,
    /// The first lines of what was left out: example calls, a `main`, tests.
    pub left_out: Vec<String>,
}

/// Why a text was not put into the file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RewriteRefused {
    Empty,
    /// It is what stands there already, white space at the ends of lines aside.
    Identical,
    /// The file would no longer parse.
    Breaks(Broken),
    /// It does not define what it replaces.
    Lacks {
        wanted: String,
        defines: Vec<String>,
    },
    /// It leaves out definitions that the place holds.
    Drops {
        names: Vec<String>,
    },
    /// It defines other things anew that the file has already.
    ChangesOthers {
        names: Vec<String>,
    },
    /// It holds a statement that is neither a definition nor an example.
    Stray {
        line: String,
    },
}

impl fmt::Display for RewriteRefused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RewriteRefused::Empty => formatter.write_str("the text is empty"),
            RewriteRefused::Identical => formatter.write_str("the new text is the same as the old one"),
            RewriteRefused::Breaks(broken) => {
                write!(formatter, "the file would not parse: line {}: {}", broken.line, broken.what)
            }
            RewriteRefused::Lacks { wanted, defines } if defines.is_empty() => {
                write!(formatter, "it does not define `{wanted}`")
            }
            RewriteRefused::Lacks { wanted, defines } => {
                write!(formatter, "it defines `{}` and not `{wanted}`", defines.join("`, `"))
            }
            RewriteRefused::Drops { names } => write!(formatter, "it leaves out `{}`", names.join("`, `")),
            RewriteRefused::ChangesOthers { names } => {
                write!(formatter, "it also changes `{}`", names.join("`, `"))
            }
            RewriteRefused::Stray { line } => write!(formatter, "`{line}` does not belong there"),
        }
    }
}

impl std::error::Error for RewriteRefused {}

/// Puts a text in the place of a definition, or of any other place. A place that is no definition and spans the whole content
/// stands for the file. The text is the inside of a code fence; that it is complete, without a mark like `# … rest as before`,
/// is for the caller to check.
///
/// ```
/// use bowline_index::{places, rewrite};
///
/// let content = b"class Shop:\n    def total(self):\n        return 0\n\n    def count(self):\n        return 1\n";
/// let place = &places("shop.py", content)[1];
/// let text = "import math\n\ndef total(self):\n    return math.fsum(self.items)\n\nprint(Shop().total())\n";
/// let rewritten = rewrite("shop.py", content, place, text).unwrap();
/// let expected = "import math\n\n\nclass Shop:\n    def total(self):\n        return math.fsum(self.items)\n\n    \
///     def count(self):\n        return 1\n";
/// assert_eq!(String::from_utf8(rewritten.content).unwrap(), expected);
/// assert_eq!(rewritten.left_out, ["print(Shop().total())"]);
/// ```
pub fn rewrite(path: &str, content: &[u8], place: &Place, text: &str) -> Result<Rewritten, RewriteRefused> {
    let text = fit::plain(text);
    if text.trim().is_empty() {
        return Err(RewriteRefused::Empty);
    }
    let place = valid(content, place).ok_or_else(|| lacks(place, Vec::new()))?;
    let rewritten = match is_code(path, place) {
        true => code(path, content, place, &text)?,
        false => other(content, place, &text),
    };
    judge(path, content, place, rewritten)
}

/// A place of this content.
pub(crate) fn valid<'a>(content: &[u8], place: &'a Place) -> Option<&'a Place> {
    content.get(place.bytes.clone()).is_some().then_some(place)
}

pub(crate) fn lacks(place: &Place, defines: Vec<String>) -> RewriteRefused {
    RewriteRefused::Lacks { wanted: place.path(), defines }
}

fn is_code(path: &str, place: &Place) -> bool {
    let is_named =
        place.kind.is_definition() || matches!(place.kind, Kind::Constant | Kind::Field | Kind::Variant);
    Language::of(path).is_some() && is_named
}

/// What is no definition is replaced as it is.
fn other(content: &[u8], place: &Place, text: &str) -> Rewritten {
    let line_break = fit::line_break(content);
    let old = content.get(place.bytes.clone()).unwrap_or_default();
    let mut new = text.lines().map(str::trim_end).collect::<Vec<_>>().join(line_break);
    if old.ends_with(b"\n") {
        new.push_str(line_break);
    }
    let content = spliced(content, place, new.as_bytes());
    Rewritten {
        content,
        dropped_calls: Vec::new(),
        added: Vec::new(),
        imports_added: Vec::new(),
        left_out: Vec::new(),
    }
}

fn code(path: &str, content: &[u8], place: &Place, text: &str) -> Result<Rewritten, RewriteRefused> {
    let answer = answer::Answer::read(path, content, place, text)?;
    let line_break = fit::line_break(content);
    let region = answer.region(path, content, place);
    let mut new = region.join(line_break);
    let old = content.get(place.bytes.clone()).unwrap_or_default();
    if old.ends_with(b"\n") {
        new.push_str(line_break);
    }
    if is_same(&new, &String::from_utf8_lossy(old)) {
        return Err(RewriteRefused::Identical);
    }
    let content = spliced(content, place, new.as_bytes());
    let content = answer.put_outside(path, content, place);
    let (content, imports_added) = add_imports(path, &content, &answer.imports, text);
    let (added, left_out) = (answer.added_names(), answer.left_out);
    Ok(Rewritten { content, dropped_calls: Vec::new(), added, imports_added, left_out })
}

fn spliced(content: &[u8], place: &Place, new: &[u8]) -> Vec<u8> {
    let before = content.get(..place.bytes.start).unwrap_or_default();
    let after = content.get(place.bytes.end..).unwrap_or_default();
    [before, new, after].concat()
}

/// What must hold whatever the text was.
fn judge(
    path: &str,
    content: &[u8],
    place: &Place,
    rewritten: Rewritten,
) -> Result<Rewritten, RewriteRefused> {
    let old = String::from_utf8_lossy(content);
    let new = String::from_utf8_lossy(&rewritten.content);
    let lines = |text: &str| text.lines().map(str::trim_end).map(str::to_owned).collect::<Vec<_>>();
    if lines(&old) == lines(&new) {
        return Err(RewriteRefused::Identical);
    }
    if let Some(broken) = check(path, content, &rewritten.content) {
        return Err(RewriteRefused::Breaks(broken));
    }
    let (before, after) = (places(path, content), places(path, &rewritten.content));
    let lost = lost(place, &before, &after);
    if !lost.is_empty() {
        return Err(RewriteRefused::Drops { names: lost });
    }
    let doubled = doubled(&before, &after);
    if !doubled.is_empty() {
        return Err(RewriteRefused::ChangesOthers { names: doubled });
    }
    if !is_code(path, place) {
        return Ok(rewritten);
    }
    let is_wanted = |found: &&Place| found.path() == place.path() && found.kind == place.kind;
    let Some(found) = after.iter().find(is_wanted) else {
        // A function may become a constant that holds one.
        return match after.iter().any(|found| found.path() == place.path()) {
            true => Ok(rewritten),
            false => Err(lacks(place, Vec::new())),
        };
    };
    let now = calls(path, &rewritten.content, found);
    let was = calls(path, content, place).into_iter();
    let dropped_calls = was.filter(|name| !now.contains(name)).collect();
    Ok(Rewritten { dropped_calls, ..rewritten })
}

/// The definitions that were there and are there more often now.
fn doubled(before: &[Place], after: &[Place]) -> Vec<String> {
    let count = |all: &[Place], path: &str, kind| {
        all.iter().filter(|found| found.kind == kind && found.path() == path).count()
    };
    let mut doubled = Vec::new();
    for found in before.iter().filter(|found| matches!(found.kind, Kind::Function | Kind::Type)) {
        let path = found.path();
        let is_more = count(after, &path, found.kind) > count(before, &path, found.kind);
        if is_more && !doubled.contains(&path) {
            doubled.push(path);
        }
    }
    doubled
}

/// The definitions that are no longer there. What a function defines inside itself is its own business.
fn lost(place: &Place, before: &[Place], after: &[Place]) -> Vec<String> {
    let is_inner = |found: &Place| {
        place.kind == Kind::Function
            && found.bytes != place.bytes
            && place.bytes.start <= found.bytes.start
            && found.bytes.end <= place.bytes.end
    };
    let mut left: Vec<(String, Kind)> = after.iter().map(|found| (found.path(), found.kind)).collect();
    let mut lost = Vec::new();
    for found in before.iter().filter(|found| found.kind.is_definition() && !is_inner(found)) {
        let path = found.path();
        let same = left.iter().position(|(other, kind)| *other == path && *kind == found.kind);
        match same.or_else(|| left.iter().position(|(other, _)| *other == path)) {
            Some(at) => {
                left.swap_remove(at);
            }
            None => lost.push(path),
        }
    }
    lost
}
