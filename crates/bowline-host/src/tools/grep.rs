//! `grep`: the lines that a regular expression fits, as `path:line: text`, with ripgrep's own engine.
//!
//! All hits are counted, up to a bound, and the first are shown. Binary files are passed over.

use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use grep_matcher::{LineTerminator, Matcher};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkFinish, SinkMatch};

use super::glob::Glob;
use super::walk::Next;
use super::{Answer, Stop, Tool, counted, named, no_result, success};
use crate::permission::is_secret;
use crate::walk::is_file;
use crate::workspace::{Kind, Opened, Resolved};

const MATCHES_MAX: usize = 200;
const LINE_CHARS_MAX: usize = 300;
/// How many characters before the hit are shown of a line that is cut.
const LEAD_CHARS: usize = 100;
const CONTEXT_LINES_MAX: usize = 10;
/// Beyond this many, hits are no longer counted.
const COUNTED_MAX: usize = 10_000;
/// A single line that needs more memory ends the search of its file.
const HEAP_BYTES_MAX: usize = 64 * 1024 * 1024;

impl Tool<'_> {
    pub(super) fn grep(&self, pattern: &str, path: Option<&str>, glob: Option<&str>, context: i64) -> Answer {
        let from = self.place(path)?;
        let matcher = matcher(pattern)?;
        let glob = glob.filter(|glob| !glob.trim().is_empty());
        let filter = glob.map(|glob| Glob::new(glob, self.workspace.root())).transpose()?;
        let context = usize::try_from(context).unwrap_or(0).min(CONTEXT_LINES_MAX);
        let mut searcher = SearcherBuilder::new()
            // The matcher's too: a searcher with another refuses to search.
            .line_terminator(LineTerminator::crlf())
            .line_number(true)
            .before_context(context)
            .after_context(context)
            .binary_detection(BinaryDetection::quit(0))
            .heap_limit(Some(HEAP_BYTES_MAX))
            .build();
        let mut hits = Hits::new(&matcher, self.cancel);
        let fits = |path: &Path| {
            filter.as_ref().is_none_or(|filter| filter.fits(path, &from.real, self.workspace.root()))
        };
        match from.kind {
            Kind::Folder => {
                self.walk(&from.real, None, |entry| {
                    if is_file(entry) && fits(entry.path()) {
                        let (real, display) = (entry.path().to_owned(), self.workspace.display(entry.path()));
                        self.search(&Resolved { real, display, kind: Kind::File }, &mut searcher, &mut hits);
                    }
                    Ok(if hits.count < COUNTED_MAX { Next::GoOn } else { Next::Stop })
                })?;
                let waiting = self.workspace.waiting_files(&from.real);
                for file in waiting.iter().filter(|file| fits(&file.real)) {
                    self.search(file, &mut searcher, &mut hits);
                }
            }
            _ => hits.search(&mut searcher, &from.display, self.workspace.open_file(&from)?),
        }
        self.check_cancelled()?;
        hits.answer(pattern, &from, glob)
    }

    /// One file of a folder. What may hold secrets is not searched unasked.
    fn search(&self, file: &Resolved, searcher: &mut Searcher, hits: &mut Hits<'_>) {
        let inside = file.real.strip_prefix(self.workspace.root()).unwrap_or(&file.real);
        if is_secret(inside) {
            let words = format!("{} may hold secrets: name it as the path to search it", file.display);
            hits.unread.push(words);
            return;
        }
        match self.workspace.open_file(file) {
            Ok(opened) => hits.search(searcher, &file.display, opened),
            Err(error) => hits.unread.push(error.to_string()),
        }
    }
}

fn matcher(pattern: &str) -> Result<RegexMatcher, Stop> {
    if pattern.is_empty() {
        return Err(Stop::Failed("The pattern is empty.".to_owned()));
    }
    RegexMatcherBuilder::new().multi_line(true).crlf(true).build(pattern).map_err(|error| {
        let error = error.to_string();
        let reason = error.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
        let reason = reason.strip_prefix("error: ").unwrap_or(reason);
        let pattern = pattern.replace('\n', "\\n");
        Stop::Failed(format!(
            "Bad pattern `{pattern}`: {reason}. It is a regular expression for one line: put \\ before each of \
             ( ) [ ] {{ }} . * + ? ^ $ | that stands for itself."
        ))
    })
}

/// What was found so far.
struct Hits<'a> {
    matcher: &'a RegexMatcher,
    cancel: &'a AtomicBool,
    path: String,
    lines: Vec<String>,
    /// All matching lines, shown or not.
    count: usize,
    files: usize,
    binary: bool,
    /// Files that could not be searched to their end, with the reason.
    unread: Vec<String>,
    /// The count when the current file began.
    before: usize,
}

impl<'a> Hits<'a> {
    fn new(matcher: &'a RegexMatcher, cancel: &'a AtomicBool) -> Hits<'a> {
        Hits {
            matcher,
            cancel,
            path: String::new(),
            lines: Vec::new(),
            count: 0,
            files: 0,
            binary: false,
            unread: Vec::new(),
            before: 0,
        }
    }

    fn search(&mut self, searcher: &mut Searcher, path: &str, file: Opened) {
        path.clone_into(&mut self.path);
        self.before = self.count;
        let reader = Interruptible { file, cancel: self.cancel };
        let matcher = self.matcher;
        // A file that cannot be read to its end keeps the hits it gave.
        if let Err(error) = searcher.search_reader(matcher, reader, &mut *self) {
            self.unread.push(format!("{path}: {error}"));
        }
        self.files += usize::from(self.count > self.before);
    }

    fn push(&mut self, mark: char, number: Option<u64>, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_end_matches(['\n', '\r']);
        let hit = self.matcher.find(text.as_bytes()).ok().flatten().map_or(0, |found| found.start());
        let number = number.unwrap_or_default();
        self.lines.push(format!("{}{mark}{number}{mark} {}", self.path, cut(text, hit)));
    }

    fn answer(mut self, pattern: &str, from: &Resolved, glob: Option<&str>) -> Answer {
        if self.count == 0 {
            let files = glob.map_or(String::new(), |glob| format!(" in files like {glob}"));
            let skipped = match (from.kind, self.binary) {
                (Kind::Folder, _) => " Binary files and those that .gitignore names are not searched.",
                (_, true) => " It is a binary file.",
                _ => "",
            };
            let pattern = pattern.replace('\n', "\\n");
            return no_result(format!(
                "No match for `{pattern}` in {}{files}.{skipped}{}",
                named(from),
                self.missed()
            ));
        }
        if self.count > MATCHES_MAX {
            let at_least = if self.count >= COUNTED_MAX { "at least " } else { "" };
            self.lines.push(format!(
                "… {at_least}{} more matches, in {}. Narrow the search with `path`, `glob` or a longer pattern.",
                self.count - MATCHES_MAX,
                counted(self.files, "file")
            ));
        }
        success(self.lines.join("\n") + &self.missed())
    }
}

impl Hits<'_> {
    /// What could not be searched: no hits there means nothing.
    fn missed(&self) -> String {
        match self.unread.as_slice() {
            [] => String::new(),
            [first, ..] => {
                format!("\n{} not searched to the end: {first}", counted(self.unread.len(), "file"))
            }
        }
    }
}

/// At most as many characters as are shown, with the hit among them.
fn cut(text: &str, hit: usize) -> String {
    let chars = text.chars().count();
    if chars <= LINE_CHARS_MAX {
        return text.to_owned();
    }
    let before = text.get(..hit).map_or(0, |before| before.chars().count());
    let skip = if before + LEAD_CHARS < LINE_CHARS_MAX { 0 } else { before - LEAD_CHARS };
    let shown: String = text.chars().skip(skip).take(LINE_CHARS_MAX).collect();
    let (front, back) =
        (if skip > 0 { "…" } else { "" }, if skip + LINE_CHARS_MAX < chars { "…" } else { "" });
    format!("{front}{shown}{back}")
}

impl Sink for &mut Hits<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        self.count += 1;
        if self.count <= MATCHES_MAX {
            self.push(':', found.line_number(), found.bytes());
        }
        Ok(self.count < COUNTED_MAX)
    }

    fn context(&mut self, _: &Searcher, beside: &SinkContext<'_>) -> Result<bool, io::Error> {
        if self.count <= MATCHES_MAX {
            self.push('-', beside.line_number(), beside.bytes());
        }
        Ok(true)
    }

    fn context_break(&mut self, _: &Searcher) -> Result<bool, io::Error> {
        if self.count < MATCHES_MAX {
            self.lines.push("--".to_owned());
        }
        Ok(true)
    }

    fn finish(&mut self, _: &Searcher, end: &SinkFinish) -> Result<(), io::Error> {
        self.binary |= end.binary_byte_offset().is_some();
        Ok(())
    }
}

/// A file whose reading ends when the call is cancelled, however large it is.
struct Interruptible<'a> {
    file: Opened,
    cancel: &'a AtomicBool,
}

impl Read for Interruptible<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(io::Error::other("cancelled"));
        }
        self.file.read(buffer)
    }
}
