//! The places of a file: by its grammar where there is one, else by its lines.

use std::cmp::Reverse;

use crate::blocks::blocks;
use crate::extent::extents;
use crate::language::Language;
use crate::lines::Lines;
use crate::parse::{BYTES_MAX, parse};
use crate::place::Place;
use crate::survey::survey;
use crate::text;

/// The places of a file in the order of the file, a place before those inside it.
///
/// In a language that has a grammar here these are functions, types with their fields and variants, constants and modules;
/// in data and styles, keys and rules. What lies between them are blocks, such as the imports. Any other text has sections,
/// paragraphs and blocks. So every line with a letter or a digit on it is part of a place, up to 20,000 places.
///
/// A file that is larger than [`BYTES_MAX`] or is no text, because it has a NUL in it, has no places. A source file that takes
/// longer to parse than [`PARSE_MS_MAX`](crate::PARSE_MS_MAX) is read as any other text. The rest is linear in the size of the file.
///
/// ```
/// use bowline_index::{Kind, places};
///
/// let found = places("shop.py", b"import os\n\nTAX = 7\n\n# A shop.\nclass Shop:\n    def total(self):\n        return 0\n");
/// let shown: Vec<_> = found.iter().map(|place| (place.path(), place.kind, place.lines.clone())).collect();
/// assert_eq!(shown[0], ("imports".to_owned(), Kind::Block, 1..=1));
/// assert_eq!(shown[1], ("TAX".to_owned(), Kind::Constant, 3..=3));
/// assert_eq!(shown[2], ("Shop".to_owned(), Kind::Type, 5..=8));
/// assert_eq!(shown[3], ("Shop.total".to_owned(), Kind::Function, 7..=8));
///
/// let found = places("README.md", b"# Shop\n\n## Install\n\nRun it.\n");
/// assert_eq!(found[1].path(), "Shop.Install");
/// ```
pub fn places(path: &str, content: &[u8]) -> Vec<Place> {
    if content.len() > BYTES_MAX || content.contains(&0) {
        return Vec::new();
    }
    let lines = Lines::new(content);
    let parsed = Language::of(path).and_then(|language| Some((language, parse(language, content)?)));
    let Some((language, tree)) = parsed else { return text::places(path, &lines) };
    let survey = survey(language, &tree, content);
    let mut places = extents(language, &survey, &lines);
    places.extend(blocks(&survey, &places, &lines));
    places.sort_by_key(|place| (place.bytes.start, Reverse(place.bytes.end)));
    places
}

/// The definitions among the places of a file: functions, types, implementations, modules and macros. Empty for a language
/// that is not known or defines nothing.
///
/// ```
/// use bowline_index::{Kind, definitions};
///
/// let found = definitions("a.go", b"package a\n\nfunc Run() int {\n\treturn 1\n}\n");
/// assert_eq!((found[0].name.as_str(), found[0].kind, found[0].lines.clone()), ("Run", Kind::Function, 3..=5));
/// ```
pub fn definitions(path: &str, content: &[u8]) -> Vec<Place> {
    places(path, content).into_iter().filter(|place| place.kind.is_definition()).collect()
}
