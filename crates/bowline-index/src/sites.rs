//! Which occurrences of a name in a set of files mean one definition, and how sure that is. The ground of renaming and
//! removing.
//!
//! This is no compiler: it knows scopes, imports and the plain forms of members, not types. What always holds: a site that is
//! `Certain` follows from the text of the files alone; everything that may mean the definition and does not follow from it is
//! `Uncertain`.

use std::ops::Range;

use crate::imports::{Import, Packages};
use crate::kinds::Kind;
use crate::language::Language;
use crate::place::Place;
use crate::uses::{Reading, Role, Space, Token};

mod free;
mod member;
mod strings;
mod unresolved;
mod visible;

/// A file of a project: its path relative to the project, written with `/`, and its content.
#[derive(Debug, Clone, Copy)]
pub struct SourceFile<'a> {
    pub path: &'a str,
    pub content: &'a [u8],
}

/// Places as a message lists them: `shop.py, line 3; main.py, line 7`.
pub(crate) fn listed(places: &[(String, usize)]) -> String {
    let named: Vec<String> = places.iter().map(|(path, line)| format!("{path}, line {line}")).collect();
    named.join("; ")
}

/// Files that were read, with what they import.
pub(crate) struct Project<'a> {
    pub(crate) files: Vec<ProjectFile<'a>>,
    pub(crate) packages: Packages,
}

pub(crate) struct ProjectFile<'a> {
    pub(crate) reading: Reading<'a>,
    pub(crate) imports: Vec<Import>,
}

/// What is renamed or removed.
#[derive(Debug)]
pub(crate) struct Target {
    /// Which of the files defines it.
    pub(crate) file: usize,
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) token: Token,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Surety {
    Certain,
    Uncertain,
}

/// What a site is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Definition,
    /// Another definition of the same thing, so that there is not the one.
    Another,
    /// A definition that this one has to agree with: of a base class, a trait, a subclass.
    Inherited,
    Import,
    Export,
    Use,
    /// `{ load }`, where a new name of the variable leaves the key.
    ShorthandValue,
    /// `Cart { load }`, where a new name of the field leaves the variable.
    ShorthandKey,
}

#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub(crate) file: usize,
    pub(crate) bytes: Range<usize>,
    pub(crate) line: usize,
    pub(crate) how: How,
    pub(crate) surety: Surety,
}

impl Site {
    fn new(file: usize, token: &Token, how: How, surety: Surety) -> Site {
        let surety = if token.is_in_error { Surety::Uncertain } else { surety };
        Site { file, bytes: token.bytes.clone(), line: token.line, how, surety }
    }
}

impl<'a> Project<'a> {
    pub(crate) fn read(files: &[SourceFile<'a>]) -> Project<'a> {
        let mut packages = Packages::default();
        let manifests = files.iter().filter(|file| file.path.rsplit('/').next() == Some("Cargo.toml"));
        manifests.for_each(|file| packages.add(file.path, file.content));
        let readings = files.iter().filter_map(|file| Reading::of(file.path, file.content));
        let files = readings.map(|reading| {
            let imports = reading.imports();
            ProjectFile { reading, imports }
        });
        Project { files: files.collect(), packages }
    }

    /// The definition at a place; none where the name of it is not defined there.
    pub(crate) fn target(&self, path: &str, place: &Place) -> Option<Target> {
        let file = self.files.iter().position(|file| file.reading.path == path)?;
        let tokens = self.files.get(file)?.reading.tokens(&place.name).into_iter();
        let mut within = tokens
            .filter(|token| place.bytes.start <= token.bytes.start && token.bytes.end <= place.bytes.end);
        let token = within.find(|token| token.role == Role::Definition)?;
        Some(Target { file, name: place.name.clone(), kind: place.kind, token })
    }

    /// All sites that mean the definition or may mean it, in the order of the files and within them.
    pub(crate) fn sites(&self, target: &Target) -> Vec<Site> {
        let mut sites =
            if target.token.is_member { member::sites(self, target) } else { free::sites(self, target) };
        sites.extend(strings::sites(self, target, &sites));
        sites.sort_by_key(|site| (site.file, site.bytes.start));
        sites.dedup_by_key(|site| (site.file, site.bytes.start));
        sites
    }

    pub(crate) fn path(&self, file: usize) -> &'a str {
        self.files.get(file).map_or("", |file| file.reading.path)
    }

    /// The file of the target, and those of its language that could use it.
    fn related(&self, target: &Target) -> impl Iterator<Item = (usize, &ProjectFile<'a>)> {
        let language = self.files.get(target.file).map(|file| file.reading.language);
        self.files.iter().enumerate().filter(move |(_, file)| {
            language.is_some_and(|language| crate::imports::is_related(language, file.reading.language))
        })
    }
}

/// Whether a value is assigned anew in these languages by what looks like its definition.
fn is_assigned_again(language: Language, kind: Kind, space: Space) -> bool {
    let is_dynamic = matches!(
        language,
        Language::Python | Language::Bash | Language::Ruby | Language::Php | Language::Lua
    );
    is_dynamic && (kind == Kind::Constant || space == Space::Variable)
}

/// Whether a name stands in a text as a word.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|after| after.chars().next());
        !word.is_empty() && !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}
