//! Renames a definition with everything that certainly means it: its uses, the imports of it, export lists.
//!
//! What may mean it and does not follow from the text is listed, never changed. Strings stay as they are, and so do words of
//! comments that need not be the name. What always holds: only occurrences of the old name change; a rename that is not refused
//! leaves every file parsing that parsed before.

mod mentions;
mod parameter;

use std::fmt;

use crate::check::{Broken, check};
use crate::edits::Edits;
use crate::kinds::Kind;
use crate::language::Language;
use crate::place::Place;
use crate::sites::{How, Project, Site, SourceFile, Surety, Target, listed};
use crate::uses::Role;
use crate::words::is_name;

pub use mentions::Mentions;
pub use parameter::rename_parameter;

/// A file that was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    pub path: String,
    pub content: Vec<u8>,
    /// The lines that changed, counted from 1, as they are numbered before the change.
    pub lines: Vec<usize>,
}

/// What a rename changed, and what it left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    pub files: Vec<ChangedFile>,
    /// The path and the line, counted from 1, of what may mean the definition too and was left as it is.
    pub uncertain: Vec<(String, usize)>,
}

/// Why nothing was renamed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RenameRefused {
    /// The place is no definition that can have another name: a paragraph, an implementation, `main`.
    NotADefinition,
    /// The place does not define that name, or the file is not among those given.
    NotThere { name: String },
    /// The new name is no identifier of the language, or a keyword of it.
    NotAName { to: String },
    /// The new name is the old one.
    Unchanged,
    /// The new name is already used there.
    Taken { path: String, line: usize },
    /// There are several definitions of the old name.
    Several { places: Vec<(String, usize)> },
    /// The name has to agree with that of a base class, a subclass or a trait.
    Inherited { path: String, line: usize },
    /// A file would no longer parse.
    Breaks { path: String, broken: Broken },
}

impl fmt::Display for RenameRefused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RenameRefused::NotADefinition => {
                formatter.write_str("this place has no name that can be changed")
            }
            RenameRefused::NotThere { name } => write!(formatter, "`{name}` is not defined there"),
            RenameRefused::NotAName { to } => write!(formatter, "`{to}` can't be a name"),
            RenameRefused::Unchanged => formatter.write_str("that is its name already"),
            RenameRefused::Taken { path, line } => {
                write!(formatter, "the new name is already used in {path}, line {line}")
            }
            RenameRefused::Several { places } => {
                write!(formatter, "there are several definitions of it: {}", listed(places))
            }
            RenameRefused::Inherited { path, line } => {
                write!(formatter, "the name has to agree with another definition, see {path}, line {line}")
            }
            RenameRefused::Breaks { path, broken } => {
                write!(formatter, "{path} would no longer parse: line {}: {}", broken.line, broken.what)
            }
        }
    }
}

impl std::error::Error for RenameRefused {}

/// Gives the definition at a place another name, in all files. `files` should hold every file that could use it, and the
/// `Cargo.toml` of Rust packages, whose names tests and programs import. In the files that use it, mentions in comments change
/// with it.
///
/// ```
/// use bowline_index::{Mentions, SourceFile, places, rename};
///
/// let shop = SourceFile { path: "shop.py", content: b"def load(path):\n    return path\n" };
/// let main = SourceFile { path: "main.py", content: b"from shop import load\n\nload('a')  # load() loads\n" };
/// let place = &places(shop.path, shop.content)[0];
/// let renamed = rename(&[shop, main], (shop.path, place), "load_rows", Mentions::Certain).unwrap();
/// assert_eq!(renamed.files[0].content, b"def load_rows(path):\n    return path\n");
/// assert_eq!(renamed.files[1].content, b"from shop import load_rows\n\nload_rows('a')  # load_rows() loads\n");
/// assert!(renamed.uncertain.is_empty());
/// ```
pub fn rename(
    files: &[SourceFile<'_>],
    at: (&str, &Place),
    to: &str,
    mentions: Mentions,
) -> Result<Renamed, RenameRefused> {
    let (path, place) = at;
    if !can_be_renamed(path, place) {
        return Err(RenameRefused::NotADefinition);
    }
    let project = Project::read(files);
    let missing = || RenameRefused::NotThere { name: place.name.clone() };
    let target = project.target(path, place).ok_or_else(missing)?;
    let language = Language::of(path).ok_or(RenameRefused::NotADefinition)?;
    if target.name == to {
        return Err(RenameRefused::Unchanged);
    }
    if is_special(language, &target) {
        return Err(RenameRefused::NotADefinition);
    }
    if !is_name(language, to) {
        return Err(RenameRefused::NotAName { to: to.to_owned() });
    }
    let sites = project.sites(&target);
    refuse(&project, &sites)?;
    let (certain, uncertain): (Vec<&Site>, Vec<&Site>) =
        sites.iter().partition(|site| site.surety == Surety::Certain);
    free_name(&project, &target, &certain, to)?;
    let files = change(&project, &certain, &target, to, mentions)?;
    let mut uncertain: Vec<(String, usize)> =
        uncertain.iter().map(|site| (project.path(site.file).to_owned(), site.line)).collect();
    uncertain.dedup();
    Ok(Renamed { files, uncertain })
}

fn can_be_renamed(path: &str, place: &Place) -> bool {
    let is_named = matches!(
        place.kind,
        Kind::Function | Kind::Type | Kind::Macro | Kind::Constant | Kind::Field | Kind::Variant
    );
    // A public class of Java is found by the name of its file.
    let file = path.rsplit('/').next().unwrap_or_default();
    let is_file = place.kind == Kind::Type && file == format!("{}.java", place.name);
    is_named && !is_file
}

/// Names that the language itself looks for.
fn is_special(language: Language, target: &Target) -> bool {
    let name = target.name.as_str();
    let is_started =
        matches!(language, Language::Rust | Language::Go | Language::C | Language::Cpp | Language::Java);
    let is_method = target.token.is_member;
    name.starts_with("__") && name.ends_with("__")
        || is_started && matches!(name, "main" | "init")
        || is_method && language == Language::Ruby && name == "initialize"
        || is_method && name == "constructor"
}

fn refuse(project: &Project<'_>, sites: &[Site]) -> Result<(), RenameRefused> {
    let place = |site: &Site| (project.path(site.file).to_owned(), site.line);
    if let Some(site) = sites.iter().find(|site| site.how == How::Inherited) {
        let (path, line) = place(site);
        return Err(RenameRefused::Inherited { path, line });
    }
    if sites.iter().any(|site| site.how == How::Another) {
        let definitions = sites.iter().filter(|site| matches!(site.how, How::Another | How::Definition));
        return Err(RenameRefused::Several { places: definitions.map(place).collect() });
    }
    Ok(())
}

/// The new name must not mean anything yet in the files that change.
fn free_name(
    project: &Project<'_>,
    target: &Target,
    certain: &[&Site],
    to: &str,
) -> Result<(), RenameRefused> {
    for (index, file) in project.files.iter().enumerate() {
        if !certain.iter().any(|site| site.file == index) {
            continue;
        }
        let taken = file.reading.tokens(to).into_iter().find(|token| {
            token.space == target.token.space
                && match token.role {
                    Role::Member => target.token.is_member,
                    Role::KeywordArgument => false,
                    Role::Definition => token.is_member == target.token.is_member,
                    _ => !target.token.is_member,
                }
        });
        if let Some(token) = taken {
            return Err(RenameRefused::Taken { path: file.reading.path.to_owned(), line: token.line });
        }
    }
    Ok(())
}

fn change(
    project: &Project<'_>,
    certain: &[&Site],
    target: &Target,
    to: &str,
    mentions: Mentions,
) -> Result<Vec<ChangedFile>, RenameRefused> {
    let old = &target.name;
    let mut changed = Vec::new();
    for (index, file) in project.files.iter().enumerate() {
        let mut edits = Edits::default();
        let mut lines = Vec::new();
        for site in certain.iter().filter(|site| site.file == index) {
            let text = match site.how {
                How::ShorthandValue => format!("{old}: {to}"),
                How::ShorthandKey => format!("{to}: {old}"),
                _ => to.to_owned(),
            };
            edits.replace(site.bytes.clone(), text.into_bytes());
            lines.push(site.line);
        }
        if lines.is_empty() {
            continue;
        }
        for (bytes, line) in mentions::mentions(&file.reading, old, mentions, target.token.is_member) {
            edits.replace(bytes, to.as_bytes().to_vec());
            lines.push(line);
        }
        lines.sort_unstable();
        lines.dedup();
        let (path, before) = (file.reading.path, file.reading.content);
        let content = edits.apply(before);
        if let Some(broken) = check(path, before, &content) {
            return Err(RenameRefused::Breaks { path: path.to_owned(), broken });
        }
        changed.push(ChangedFile { path: path.to_owned(), content, lines });
    }
    Ok(changed)
}
