//! A place: a part of a file that can be changed as one unit, and what can be asked of a list of places. Finding them is
//! the work of `places.rs`.

use std::ops::{Range, RangeInclusive};

use crate::kinds::Kind;

/// A part of a file that can be changed as one unit: a definition, a constant, a field, a section, a paragraph, or the
/// lines between two definitions.
///
/// What always holds for the places of a content, whatever its bytes are:
/// - `bytes` and `body` lie within the content; where the content is UTF-8, they begin and end between two characters;
/// - `own_lines` lies within `lines`, both within the file;
/// - `body` lies within `bytes`;
/// - a place inside another one lies wholly inside it and comes after it in the list; two places that are not nested do not
///   overlap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The name it is defined by (`load_rows`), the heading of a section, the first words of a paragraph or a block.
    pub name: String,
    /// The names of the definitions around it, joined with dots: `Shop`, `Shop.Cart`.
    pub container: Option<String>,
    pub kind: Kind,
    /// From its first line to its last, counted from 1, with the lines that belong in front of it: comments, decorators,
    /// attributes.
    pub lines: RangeInclusive<usize>,
    /// The lines without those in front.
    pub own_lines: RangeInclusive<usize>,
    /// Where the place has its lines to itself, all of `lines` with the last line break; else only its own text, such as one
    /// of two definitions on a line.
    pub bytes: Range<usize>,
    /// What stands between the head and the end of a function, a type or a module: the part that [`hidden`](crate::hidden)
    /// leaves out. Brackets around it are not part of it, nor is the docstring of Python. None for a place without such a part.
    pub body: Option<Range<usize>>,
    /// The signature as it stands in the file, on as many lines as it has there, without the body and without the lines in
    /// front: `pub fn total(&self) -> u32`. For a place without a body its first line that has words. Line breaks are `\n`.
    pub head: String,
}

impl Place {
    /// The name with its container: `Shop.total`.
    pub fn path(&self) -> String {
        match &self.container {
            Some(container) => format!("{container}.{}", self.name),
            None => self.name.clone(),
        }
    }
}

/// The innermost place on a line, counted from 1. Of several that are equally small, such as two definitions on one line, the
/// first.
///
/// ```
/// use bowline_index::{at_line, places};
///
/// let found = places("shop.py", b"class Shop:\n    tax = 7\n\n    def total(self):\n        return 0\n");
/// assert_eq!(at_line(&found, 5).unwrap().path(), "Shop.total");
/// assert_eq!(at_line(&found, 6), None);
/// ```
pub fn at_line(places: &[Place], line: usize) -> Option<&Place> {
    let around = places.iter().filter(|place| place.lines.contains(&line));
    around.min_by_key(|place| place.bytes.len())
}

/// The path of the innermost definition on a line: `Shop.total`.
pub fn scope(places: &[Place], line: usize) -> Option<String> {
    let around = places.iter().filter(|place| place.kind.is_definition() && place.lines.contains(&line));
    around.min_by_key(|place| place.bytes.len()).map(Place::path)
}

/// A place without its body: the lines in front, the signature, the opening bracket, the docstring of Python. A place without
/// a body is given as it is. Line breaks are `\n`, whatever they are in the file.
///
/// ```
/// use bowline_index::{hidden, places};
///
/// let content = b"fn add(a: u32, b: u32) -> u32 {\n    a + b\n}\n";
/// let found = places("add.rs", content);
/// assert_eq!(hidden(content, &found[0]), "fn add(a: u32, b: u32) -> u32 {");
/// ```
pub fn hidden(content: &[u8], place: &Place) -> String {
    let end = place.body.as_ref().map_or(place.bytes.end, |body| body.start);
    let shown = content.get(place.bytes.start..end).unwrap_or_default();
    String::from_utf8_lossy(shown).trim_end().replace("\r\n", "\n")
}
