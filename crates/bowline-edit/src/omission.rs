//! Marks that stand for text a model did not bother to write: `// ... existing code ...`, `# rest unchanged`.
//!
//! Taken at its word, such a replacement deletes what it only meant to skip. A mark that the old text has is part of the
//! file. A comment that merely reads like a mark must pass: so plain words have to fill the whole comment, nearly every word
//! has to be one that marks are made of, and what could be meant as it stands counts only where more lines go than come.

mod sign;
mod words;

use std::collections::HashSet;

use sign::{Sign, Weight, sign};

/// A line that stands for others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Counted from 1.
    pub line: usize,
    /// The line as it is, without white space around it.
    pub text: String,
}

/// The first line of `new` that stands for text which was left out. `old` is what `new` is to replace; a mark that stands
/// there, too, is none.
///
/// ```
/// use bowline_edit::omission;
///
/// let old = "def load(path):\n    check(path)\n    return read(path)\n";
/// let mark = omission(old, "def load(path):\n    log(path)\n    # ... rest of the function ...\n").unwrap();
/// assert_eq!((mark.line, mark.text.as_str()), (3, "# ... rest of the function ..."));
///
/// assert_eq!(omission(old, "def load(path):\n    ...\n"), None);
/// assert_eq!(omission(old, "call(first, ...rest);\n// ...and then all over again\n"), None);
/// ```
pub fn omission(old: &str, new: &str) -> Option<Mark> {
    let lines: Vec<&str> = new.lines().collect();
    let mut signs = lines.iter().enumerate().filter_map(|(at, line)| Some((at, sign(line)?))).peekable();
    signs.peek()?;
    let known: HashSet<String> = old.lines().filter_map(sign).map(|sign| sign.key).collect();
    let is_shrinking = shrinks(old, &lines);
    let found = signs.find(|(at, sign)| {
        !known.contains(&sign.key)
            && match weighed(&lines, *at, sign) {
                Some(Weight::Clear) => true,
                Some(Weight::Doubtful) => is_shrinking,
                None => false,
            }
    });
    found.map(|(at, _)| Mark { line: at + 1, text: lines[at].trim().to_owned() })
}

/// Whether more lines go than come, marks aside.
fn shrinks(old: &str, new: &[&str]) -> bool {
    let is_text = |line: &&str| line.chars().any(char::is_alphanumeric) && sign(line).is_none();
    let before: HashSet<&str> = old.lines().map(str::trim).filter(is_text).collect();
    let after: HashSet<&str> = new.iter().map(|line| line.trim()).filter(is_text).collect();
    before.difference(&after).count() > after.difference(&before).count()
}

/// A sign in the light of the lines around it.
fn weighed(lines: &[&str], at: usize, sign: &Sign) -> Option<Weight> {
    let above =
        lines[..at].iter().rev().map(|line| line.trim()).find(|line| !line.is_empty()).unwrap_or_default();
    let below =
        lines[at + 1..].iter().map(|line| line.trim()).find(|line| !line.is_empty()).unwrap_or_default();
    if sign.is_dots && !sign.is_comment {
        // The body of a function or a class in Python, more arguments in C and R, a doctest, the end of a YAML document.
        let is_body = above.ends_with(':') || above.ends_with("\"\"\"") || above.ends_with("'''");
        let is_argument = above.ends_with([',', '(']) || below.starts_with([')', ',']);
        let is_doctest =
            [above, below].iter().any(|line| line.starts_with(">>>") || line.starts_with("... "));
        let is_yaml = lines.contains(&"---") && lines[at].starts_with('.');
        return (!(is_body || is_argument || is_doctest || is_yaml)).then_some(sign.weight);
    }
    // A sentence that goes on from the comment above it, or a line of a longer one.
    let previous = at.checked_sub(1).map_or("", |above| lines[above].trim());
    let next = lines.get(at + 1).map_or("", |below| below.trim());
    let goes_on =
        |line: &str| !sign.marker.is_empty() && line.starts_with(&sign.marker) && sign::sign(line).is_none();
    if sign.is_dots && (goes_on(previous) || goes_on(next)) {
        return None;
    }
    if !sign.is_enclosed && goes_on(previous) {
        return (sign.weight == Weight::Clear).then_some(Weight::Doubtful);
    }
    Some(sign.weight)
}
