//! Removes definitions that nothing else uses, with the lines in front of them, their entries in export lists, their imports
//! in other files, and the imports that only they needed.
//!
//! What is still used, or may be, is refused with the places that use it. What always holds: a removal that is not refused
//! leaves every file parsing that parsed before, and takes nothing away but the definitions, their imports and exports, and
//! blank lines that would be doubled.

use std::fmt;
use std::ops::Range;

use crate::check::{Broken, check};
use crate::edits::Edits;
use crate::kinds::Kind;
use crate::place::Place;
use crate::rename::ChangedFile;
use crate::sites::{How, Project, Site, SourceFile, Target, listed};

mod imports;
mod only_needed;
mod ranges;
mod unused;

pub use only_needed::Helpers;

/// What a removal changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    pub files: Vec<ChangedFile>,
    /// The path of each file and of each place in it that went as a helper of what was removed.
    pub helpers: Vec<(String, String)>,
}

/// Why nothing was removed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RemoveRefused {
    /// The place is no definition that could be used elsewhere: a paragraph, a module, the implementation of a trait.
    NotADefinition,
    /// The place does not define that name, or the file is not among those given.
    NotThere { name: String },
    /// These places use it, or may use it.
    Used { places: Vec<(String, usize)> },
    /// There are several definitions of the name, so that it is not known which one is used.
    Several { places: Vec<(String, usize)> },
    /// A file would no longer parse.
    Breaks { path: String, broken: Broken },
}

impl fmt::Display for RemoveRefused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RemoveRefused::NotADefinition => {
                formatter.write_str("this place can't be removed as a definition")
            }
            RemoveRefused::NotThere { name } => write!(formatter, "`{name}` is not defined there"),
            RemoveRefused::Used { places } => {
                write!(formatter, "it is still used: {}", listed(places))
            }
            RemoveRefused::Several { places } => {
                write!(formatter, "there are several definitions of it: {}", listed(places))
            }
            RemoveRefused::Breaks { path, broken } => {
                write!(formatter, "{path} would no longer parse: line {}: {}", broken.line, broken.what)
            }
        }
    }
}

impl std::error::Error for RemoveRefused {}

/// Removes the definitions at these places from all files, with their helpers if that is wanted. Several at once may use each
/// other. `files` should hold every file that could use them.
///
/// ```
/// use bowline_index::{Helpers, RemoveRefused, SourceFile, places, remove};
///
/// let shop = SourceFile { path: "shop.py", content: b"def a():\n    return b()\n\n\ndef b():\n    return 1\n\n\nX = 2\n" };
/// let main = SourceFile { path: "main.py", content: b"from shop import X, a\n\nprint(X)\n" };
/// let found = places(shop.path, shop.content);
/// let (a, b) = ((shop.path, &found[0]), (shop.path, &found[1]));
/// let used = remove(&[shop, main], &[b], Helpers::Kept).unwrap_err();
/// assert_eq!(used, RemoveRefused::Used { places: vec![("shop.py".into(), 2)] });
/// let removed = remove(&[shop, main], &[a], Helpers::Removed).unwrap();
/// assert_eq!(removed.helpers, [("shop.py".into(), "b".into())]);
/// assert_eq!(removed.files[0].content, b"X = 2\n");
/// assert_eq!(removed.files[1].content, b"from shop import X\n\nprint(X)\n");
/// ```
pub fn remove(
    files: &[SourceFile<'_>],
    at: &[(&str, &Place)],
    helpers: Helpers,
) -> Result<Removed, RemoveRefused> {
    let project = Project::read(files);
    let mut going = Going::new(&project);
    for (path, place) in at {
        going.add(path, place)?;
    }
    going.refuse()?;
    if helpers == Helpers::Removed {
        at.iter().for_each(|(path, _)| going.add_helpers(path));
    }
    let mut with_unused = going.clone();
    with_unused.add_unused_imports();
    // An import may be all that a block has.
    with_unused.change().or_else(|_| going.change())
}

/// What goes away.
#[derive(Clone)]
struct Going<'a, 'b> {
    project: &'b Project<'a>,
    /// Ranges of bytes, by file, without the imports.
    ranges: Vec<(usize, Range<usize>, What)>,
    /// The file of each import, and which of its imports it is.
    imports: Vec<(usize, usize)>,
    sites: Vec<Site>,
    helpers: Vec<(String, String)>,
}

/// What a range is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    /// Whole lines, with blank lines around them.
    Lines,
    /// A part of a line.
    Part,
}

impl<'a, 'b> Going<'a, 'b> {
    fn new(project: &'b Project<'a>) -> Going<'a, 'b> {
        Going { project, ranges: Vec::new(), imports: Vec::new(), sites: Vec::new(), helpers: Vec::new() }
    }

    fn add(&mut self, path: &str, place: &Place) -> Result<(), RemoveRefused> {
        let is_named = matches!(
            place.kind,
            Kind::Function | Kind::Type | Kind::Macro | Kind::Constant | Kind::Field | Kind::Variant
        );
        if !is_named {
            return Err(RemoveRefused::NotADefinition);
        }
        let missing = || RemoveRefused::NotThere { name: place.name.clone() };
        let target = self.project.target(path, place).ok_or_else(missing)?;
        let reading = &self.project.files.get(target.file).ok_or_else(missing)?.reading;
        let range = ranges::definition(reading, place).ok_or(RemoveRefused::NotADefinition)?;
        self.ranges.push((target.file, range.0, range.1));
        let sites = self.project.sites(&target);
        for site in &sites {
            let Some(file) = self.project.files.get(site.file) else { continue };
            match site.how {
                How::Import => {
                    let found = file.imports.iter().position(|import| import.bytes == site.bytes);
                    self.imports.extend(found.map(|at| (site.file, at)));
                }
                How::Export => {
                    let found = ranges::export(&file.reading, site);
                    self.ranges.extend(found.map(|(range, what)| (site.file, range, what)));
                }
                _ => {}
            }
        }
        self.add_renamed(&target, &sites);
        self.sites.extend(sites);
        Ok(())
    }

    /// Uses of the names that the target was imported under.
    fn add_renamed(&mut self, target: &Target, sites: &[Site]) {
        let mut found = Vec::new();
        for site in sites.iter().filter(|site| site.how == How::Import) {
            let Some(file) = self.project.files.get(site.file) else { continue };
            let imports = file.imports.iter().filter(|import| import.bytes == site.bytes);
            for import in imports.filter(|import| import.local != target.name) {
                let tokens = file.reading.tokens(&import.local).into_iter();
                found.extend(
                    tokens
                        .filter(|token| {
                            !(import.statement.start <= token.bytes.start
                                && token.bytes.end <= import.statement.end)
                        })
                        .map(|token| Site {
                            file: site.file,
                            bytes: token.bytes,
                            line: token.line,
                            how: How::Use,
                            surety: site.surety,
                        }),
                );
            }
        }
        self.sites.extend(found);
    }

    fn refuse(&self) -> Result<(), RemoveRefused> {
        let place = |site: &Site| (self.project.path(site.file).to_owned(), site.line);
        let by_file: Vec<Vec<(Range<usize>, What)>> =
            (0..self.project.files.len()).map(|file| self.in_file(file)).collect();
        let is_going = |site: &Site| {
            let mut ranges = by_file.get(site.file).into_iter().flatten();
            ranges.any(|(range, _)| range.start <= site.bytes.start && site.bytes.end <= range.end)
        };
        let left: Vec<&Site> = self.sites.iter().filter(|site| !is_going(site)).collect();
        if left.iter().any(|site| site.how == How::Another) {
            let definitions =
                self.sites.iter().filter(|site| matches!(site.how, How::Another | How::Definition));
            return Err(RemoveRefused::Several { places: definitions.map(place).collect() });
        }
        let mut places: Vec<(String, usize)> = left.into_iter().map(place).collect();
        places.dedup();
        if places.is_empty() { Ok(()) } else { Err(RemoveRefused::Used { places }) }
    }

    /// All that goes away in a file.
    fn in_file(&self, index: usize) -> Vec<(Range<usize>, What)> {
        let ranges = self.ranges.iter().filter(|(at, _, _)| *at == index);
        let mut found: Vec<_> = ranges.map(|(_, range, what)| (range.clone(), *what)).collect();
        let imports: Vec<usize> =
            self.imports.iter().filter(|(at, _)| *at == index).map(|(_, import)| *import).collect();
        if let Some(file) = self.project.files.get(index).filter(|_| !imports.is_empty()) {
            found.extend(imports::ranges(file, &imports));
        }
        found
    }

    /// The imports of the changed files that only what goes away used. One may be made from another.
    fn add_unused_imports(&mut self) {
        for index in 0..self.project.files.len() {
            loop {
                let gone: Vec<Range<usize>> =
                    self.in_file(index).into_iter().map(|(range, _)| range).collect();
                if gone.is_empty() {
                    break;
                }
                let known = self.imports.len();
                let found = unused::unused(self.project, index, &gone);
                self.imports.extend(found.into_iter().map(|import| (index, import)));
                self.imports.dedup();
                if self.imports.len() == known {
                    break;
                }
            }
        }
    }

    fn change(&self) -> Result<Removed, RemoveRefused> {
        let mut files = Vec::new();
        for (index, file) in self.project.files.iter().enumerate() {
            let (path, before) = (file.reading.path, file.reading.content);
            let mut going = self.in_file(index);
            if going.is_empty() {
                continue;
            }
            going.sort_by_key(|(range, _)| (range.start, range.end));
            let mut edits = Edits::default();
            let mut lines = Vec::new();
            for range in ranges::joined(before, going) {
                lines.extend(ranges::lines(before, &range));
                edits.remove(range);
            }
            lines.dedup();
            let content = edits.apply(before);
            if let Some(broken) = check(path, before, &content) {
                return Err(RemoveRefused::Breaks { path: path.to_owned(), broken });
            }
            files.push(ChangedFile { path: path.to_owned(), content, lines });
        }
        Ok(Removed { files, helpers: self.helpers.clone() })
    }
}
