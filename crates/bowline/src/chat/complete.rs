//! Completion: what the word at the cursor asks for, which candidates fit it best, and which files a text names.
//!
//! Pure; the files of a project are listed in `complete/files.rs`. A file is named as `@path`, or as `@"my file.txt"` if
//! there are blanks in it.

mod files;

pub(crate) use files::files;

/// The most `@` words that are read in one text; a pasted program is full of them.
const MENTIONS_MAX: usize = 1000;

/// What stands behind a name in a sentence and is no part of it.
const PUNCTUATION: [char; 12] = ['.', ',', ';', ':', '!', '?', ')', ']', '}', '\'', '"', '`'];

/// What is asked for at the cursor. What is chosen replaces the text from `start` to the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted<'a> {
    /// The word is without its `/`.
    Command { start: usize, word: &'a str },
    /// Everything behind the command, up to the cursor.
    Argument { command: &'a str, start: usize, word: &'a str },
    /// The word is without its `@` and its quotation mark; `start` is where the `@` is.
    File { start: usize, word: &'a str },
}

pub(crate) fn wanted(text: &str, cursor: usize) -> Option<Wanted<'_>> {
    let before = text.get(..cursor)?;
    if let Some((start, word)) = mention_at_end(before) {
        return Some(Wanted::File { start, word });
    }
    let command = before.strip_prefix('/')?;
    let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    match command.split_once(char::is_whitespace) {
        None => is_name(command).then_some(Wanted::Command { start: 0, word: command }),
        Some((name, rest)) if !name.is_empty() && is_name(name) && !before.contains('\n') => {
            let word = rest.trim_start();
            Some(Wanted::Argument { command: name, start: before.len() - word.len(), word })
        }
        Some(_) => None,
    }
}

/// The `@` word that ends with the text, and where it begins.
fn mention_at_end(before: &str) -> Option<(usize, &str)> {
    // Blanks may stand in a quoted name only, so the last `@` that begins a word decides.
    let (start, _) = before.rmatch_indices('@').find(|(at, _)| begins_word(before, *at))?;
    let word = &before[start + 1..];
    let is_open = match word.strip_prefix('"') {
        Some(quoted) => !quoted.contains(['"', '\n']),
        None => !word.contains(char::is_whitespace),
    };
    is_open.then(|| (start, word.strip_prefix('"').unwrap_or(word)))
}

fn begins_word(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_none_or(char::is_whitespace)
}

/// A file as it is named in a text.
pub(crate) fn mention(path: &str) -> String {
    if path.contains(char::is_whitespace) { format!("@\"{path}\"") } else { format!("@{path}") }
}

/// A text with the files it names named plainly: the `@` is for the person who types, and a model would take it for a
/// part of the path. `is_file` is asked about every word that may be one.
pub(crate) fn plainly(text: &str, is_file: impl Fn(&str) -> bool) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut kept = 0;
    let starts = text.match_indices('@').map(|(at, _)| at).filter(|at| begins_word(text, *at));
    for start in starts.take(MENTIONS_MAX) {
        let behind = &text[start + 1..];
        if let Some(path) = named(behind, &is_file) {
            let quotes = usize::from(behind.starts_with('"'));
            plain.push_str(&text[kept..start]);
            plain.push_str(path);
            kept = start + 1 + path.len() + 2 * quotes;
        }
    }
    plain.push_str(&text[kept..]);
    plain
}

/// The file at the start of a text, with as little punctuation behind it as it takes.
fn named(text: &str, is_file: impl Fn(&str) -> bool) -> Option<&str> {
    if let Some((quoted, _)) = text.strip_prefix('"').and_then(|text| text.split_once('"')) {
        return Some(quoted).filter(|path| !path.is_empty() && !path.contains('\n') && is_file(path));
    }
    let mut word = text.split(char::is_whitespace).next().unwrap_or_default();
    loop {
        if word.is_empty() {
            return None;
        }
        if is_file(word) {
            return Some(word);
        }
        word = word.strip_suffix(PUNCTUATION)?;
    }
}

/// How well a candidate fits; the better first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// The name, which is the last segment of a path, begins with the word; or the path does, if the word has segments.
    Start,
    /// Another segment does.
    Segment,
    /// The word is somewhere in it.
    Within,
    /// Its characters are, in their order.
    Scattered,
}

/// The candidates that fit a word, the best first: by how they fit, then the shorter, then by the alphabet. Capitals count
/// if the word has any. Hidden ones are left out unless the word asks for them.
pub(crate) fn rank<'a>(word: &str, candidates: impl Iterator<Item = &'a str>, max: usize) -> Vec<&'a str> {
    let has_capitals = word.chars().any(char::is_uppercase);
    let wants_hidden = is_hidden(word);
    let fitting =
        candidates.filter(|candidate| wants_hidden || !is_hidden(candidate)).filter_map(|candidate| {
            let fit = if has_capitals { fit(word, candidate) } else { fit(word, &candidate.to_lowercase()) }?;
            // Without a word there is nothing to fit: what is near the top comes first.
            let depth =
                if word.is_empty() { candidate.trim_end_matches('/').matches('/').count() } else { 0 };
            Some((fit, depth, candidate.len(), candidate))
        });
    let mut fitting: Vec<_> = fitting.collect();
    if fitting.len() > max && max > 0 {
        fitting.select_nth_unstable(max - 1);
    }
    fitting.truncate(max);
    fitting.sort_unstable();
    fitting.into_iter().map(|(.., candidate)| candidate).collect()
}

fn fit(word: &str, candidate: &str) -> Option<Fit> {
    let has_segments = word.contains('/');
    if has_segments && word == candidate {
        // A folder that is there already: what is in it is asked for.
        return None;
    }
    let path = candidate.strip_suffix('/').unwrap_or(candidate);
    let name = if has_segments { 0 } else { path.rfind('/').map_or(0, |at| at + 1) };
    if path[name..].starts_with(word) {
        return Some(Fit::Start);
    }
    let mut places = candidate.match_indices(word).map(|(at, _)| at).peekable();
    if places.peek().is_some() {
        let is_segment = places.any(|at| at == 0 || candidate.as_bytes()[at - 1] == b'/');
        return Some(if is_segment { Fit::Segment } else { Fit::Within });
    }
    let mut characters = candidate.chars();
    word.chars().all(|wanted| characters.any(|c| c == wanted)).then_some(Fit::Scattered)
}

/// Whether a segment begins with a dot.
fn is_hidden(path: &str) -> bool {
    path.split('/').any(|segment| segment.starts_with('.') && segment != "..")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;

    /// A text with `|` for the cursor.
    fn asked(line: &str) -> String {
        let (before, after) = line.split_once('|').unwrap();
        let text = format!("{before}{after}").replace("\\n", "\n");
        match wanted(&text, before.replace("\\n", "\n").len()) {
            None => "nothing".to_owned(),
            Some(wanted) => format!("{wanted:?}"),
        }
    }

    #[test]
    fn the_word_at_the_cursor_says_what_is_wanted() {
        cases::check("chat/wanted.cases", |_, input| input.lines().map(|line| asked(line) + "\n").collect());
    }

    #[test]
    fn the_best_comes_first() {
        cases::check("chat/rank.cases", |_, input| {
            let (word, candidates) = input.split_once('\n').unwrap();
            let word = word.strip_prefix("word:").unwrap().trim();
            rank(word, candidates.lines(), 100).join("\n")
        });
    }

    #[test]
    fn the_best_are_kept_when_there_are_too_many() {
        let names: Vec<String> = (0..1000).map(|number| format!("src/file{number}.rs")).collect();
        let ranked = rank("file", names.iter().rev().map(String::as_str), 3);
        assert_eq!(ranked, ["src/file0.rs", "src/file1.rs", "src/file2.rs"]);
        assert!(rank("file", names.iter().map(String::as_str), 0).is_empty());
    }

    #[test]
    fn files_are_named_plainly() {
        let exists = ["src/main.rs", "my file.txt", "a.b", "dir/"];
        let plain = |text: &str| plainly(text, |path| exists.contains(&path));
        assert_eq!(plain("look at @src/main.rs, and @a.b."), "look at src/main.rs, and a.b.");
        assert_eq!(plain("@\"my file.txt\" @dir/ é"), "my file.txt dir/ é");
        let others = "mail me@src/main.rs, @missing, @, @\" @\"open";
        assert_eq!(plain(others), others);
        assert_eq!(plain(&"@x ".repeat(100_000)).len(), 300_000);
        assert_eq!(mention("my file.txt"), "@\"my file.txt\"");
        assert_eq!(mention("a.b"), "@a.b");
    }
}
