//! Doubts about a text that parses and fits its place: what it has lost compared with the old one, and what it uses that is not
//! there. A text that is likely to lose something is held back, so that a second one may be better; one that can't work is
//! refused.

use bowline_core::place::{Change, identifiers, options};
use bowline_core::tools::{ChangeCall, Doubts, HELD_BACK, LOST_CALL};
use bowline_index::{self as index, Language};

use super::Tool;
use crate::survey::{Source, defining, find, mentioning};
use crate::tools::Stop;
use crate::workspace::{FileRead, Resolved};

impl Tool<'_> {
    /// A text that no longer calls functions of the project which the old one called is likely to have lost something.
    pub(super) fn hold_back_lost_calls(
        &self,
        call: &ChangeCall,
        file: &Resolved,
        dropped: &[String],
    ) -> Result<(), Stop> {
        if call.doubts == Doubts::Accept || dropped.is_empty() {
            return Ok(());
        }
        match defining(self.workspace, "", dropped).first() {
            Some((name, _)) => Err(held_back(file, &format!("{LOST_CALL}{name}`"))),
            None => Ok(()),
        }
    }

    /// A type that is written anew keeps the members that are used elsewhere: a small model replaces a variant where one was to
    /// be added.
    pub(super) fn keeps_members(
        &self,
        file: &Resolved,
        read: &FileRead,
        place: &index::Place,
        content: &[u8],
    ) -> Result<(), String> {
        let container = place.path();
        let members = |content: &[u8]| -> Vec<String> {
            let all = index::places(&file.display, content);
            let own = all.into_iter().filter(|inner| inner.container.as_deref() == Some(&container));
            own.filter(|inner| inner.kind.is_definition()).map(|inner| inner.name).collect()
        };
        let now = members(content);
        let lost: Vec<String> =
            members(&read.bytes).into_iter().filter(|member| !now.contains(member)).collect();
        let before = read.bytes.get(..place.bytes.start).unwrap_or_default();
        let after = read.bytes.get(place.bytes.end..).unwrap_or_default();
        let rest = [before, after].map(|part| String::from_utf8_lossy(part).into_owned());
        let is_used = |member: &&String| {
            let in_file = rest.iter().any(|text| identifiers(text).contains(member));
            let is_other =
                |source: &Source| source.path != file.display && identifiers(&source.text).contains(member);
            in_file || mentioning(self.workspace, member).sources.iter().any(is_other)
        };
        match lost.iter().find(is_used) {
            Some(member) => Err(format!("`{member}` is missing in the new text, and it is still used")),
            None => Ok(()),
        }
    }
}

/// A text that no longer handles an option of the command line which the old one handled is likely to have lost something.
pub(super) fn hold_back_lost_options(
    call: &ChangeCall,
    file: &Resolved,
    old: &[u8],
    new: &str,
) -> Result<(), Stop> {
    let kept = options(new);
    let lost = options(&String::from_utf8_lossy(old)).into_iter().find(|option| !kept.contains(option));
    match lost.filter(|_| call.doubts == Doubts::HoldBack && call.change == Change::Rewrite) {
        Some(option) => Err(held_back(file, &format!("the new text no longer has the option `{option}`"))),
        None => Ok(()),
    }
}

/// A constant that the new text uses and nothing defines: `HOUR` in `8 * HOUR` beside `MINUTE`. It would fail when it runs.
pub(super) fn undefined_constant(
    call: &ChangeCall,
    file: &Resolved,
    read: &FileRead,
    content: &[u8],
) -> Option<String> {
    let is_checked = matches!(
        Language::of(&file.display),
        Some(Language::Python | Language::JavaScript | Language::TypeScript | Language::Tsx)
    );
    let all = index::places(&file.display, content);
    let place = find(&all, call.place.name.as_deref()?).filter(|_| is_checked)?;
    let known = identifiers(&String::from_utf8_lossy(&read.bytes));
    let imports = index::imports(&file.display, content);
    let is_constant = |name: &String| name.len() > 1 && !name.chars().any(char::is_lowercase);
    let text = String::from_utf8_lossy(content);
    let is_undefined = |name: &String| {
        // A local one is no place of its own.
        !text.contains(&format!("{name} ="))
            && !known.contains(name)
            && !GLOBALS.contains(&name.as_str())
            && !all.iter().any(|place| place.name == *name)
            && !imports.iter().any(|import| import.local == *name)
    };
    let own = text.get(place.bytes.clone()).unwrap_or_default();
    let used = index::identifiers(&file.display, content, place);
    let is_wrong = |name: &String| is_constant(name) && is_undefined(name) && is_alone(own, name);
    // A star import may define anything.
    used.into_iter().find(is_wrong).filter(|_| !text.contains("import *"))
}

/// Whether a text uses a name by itself, and not only as an attribute (`re.IGNORECASE`). One that the text itself binds, as a
/// variable or a key, is not meant.
fn is_alone(text: &str, name: &str) -> bool {
    let is_part = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '$');
    let behind: Vec<&str> = text
        .match_indices(name)
        .filter(|(at, _)| {
            let before = text.get(..*at).and_then(|before| before.chars().next_back());
            !before.is_some_and(|sign| is_part(sign) || sign == '.')
        })
        .filter_map(|(at, _)| text.get(at + name.len()..))
        .filter(|behind| !behind.starts_with(is_part))
        .map(str::trim_start)
        .collect();
    let is_bound =
        |behind: &&str| behind.starts_with(':') || behind.starts_with('=') && !behind.starts_with("==");
    !behind.is_empty() && !behind.iter().any(is_bound)
}

/// Names in capitals that a language defines.
const GLOBALS: [&str; 6] = ["JSON", "URL", "CSS", "NaN", "__", "_"];

/// A script for the plain shell in its own words, where the new text has what only bash knows. What the file had before is left
/// as it is.
pub(super) fn in_plain_shell(file: &Resolved, read: &FileRead, content: Vec<u8>) -> Vec<u8> {
    let is_new = index::to_plain_shell(&file.display, &read.bytes).is_none();
    index::to_plain_shell(&file.display, &content).filter(|_| is_new).unwrap_or(content)
}

/// A script for the plain shell that was one is not given what only bash knows.
pub(super) fn hold_back_bash(
    call: &ChangeCall,
    file: &Resolved,
    read: &FileRead,
    content: &[u8],
) -> Result<(), Stop> {
    let is_new = || index::bash_only(&file.display, &read.bytes).is_none();
    match index::bash_only(&file.display, content) {
        Some((line, what)) if call.doubts == Doubts::HoldBack && is_new() => {
            let why = format!("line {line} has `{what}`, which the plain sh does not know");
            Err(held_back(file, &why))
        }
        _ => Ok(()),
    }
}

fn held_back(file: &Resolved, why: &str) -> Stop {
    Stop::Failed(format!("{HELD_BACK}, {} was not changed: {why}.", file.display))
}
