//! A small task as data: the project's files, the user's words, and how the result is judged. This file reads the form and
//! refuses whatever it does not understand; it runs nothing. The form is described in `tasks/README.md`.
//!
//! What always holds for a task that was read: its kind is one of [`KINDS`], and it is judged in exactly one way, by a check
//! of the files or by the words of the answer.

use std::path::{Component, Path};

use anyhow::{Context, Result, bail, ensure};

/// The pinned kinds. The repository holds two tasks of each, one seen and one unseen, and some for practice.
pub(crate) const KINDS: [&str; 12] = [
    "constant",
    "rename-in-file",
    "rename-across-files",
    "failing-test",
    "parameter",
    "validation",
    "enum-variant",
    "dead-code",
    "crash",
    "long-file",
    "new-function",
    "question",
];

/// How the end of a line of `may change` says how many lines may go.
const LOST: &str = "lines lost at most";

/// Whether a task may be looked at while the product is tuned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Set {
    Seen,
    Unseen,
}

impl Set {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Seen => "seen",
            Self::Unseen => "unseen",
        }
    }
}

#[derive(Debug)]
pub(crate) struct File {
    /// From the project's root.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A file that the run may change or create.
#[derive(Debug)]
pub(crate) struct Allowed {
    pub(crate) path: String,
    /// How many of its lines may be missing or different afterwards; any number without.
    pub(crate) lines_lost_max: Option<usize>,
}

#[derive(Debug)]
pub(crate) enum Judging {
    /// The files are judged.
    Files {
        may_change: Vec<Allowed>,
        /// Added to a copy of the project after the run; the model never sees them.
        hidden: Vec<File>,
        /// A shell script that passes in that copy.
        check: String,
    },
    /// Nothing may change, and the answer's words are judged.
    Answer {
        /// Of each line of alternatives, one has to be there.
        has: Vec<Vec<String>>,
    },
}

#[derive(Debug)]
pub(crate) struct Task {
    /// The file's name without its ending.
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) set: Set,
    pub(crate) files: Vec<File>,
    /// What the user says.
    pub(crate) message: String,
    pub(crate) judging: Judging,
    /// A patch for `git apply`, or for a question the answer.
    #[cfg_attr(not(test), expect(dead_code, reason = "the test of the tasks applies it"))]
    pub(crate) solution: String,
    /// Answers that look right and are not: what is wrong with each, and its patch or answer.
    #[cfg_attr(not(test), expect(dead_code, reason = "the test of the tasks applies them"))]
    pub(crate) wrong: Vec<(String, String)>,
}

/// All tasks of a folder, those of a kind together and in the order of [`KINDS`].
pub(crate) fn read_all(folder: &Path) -> Result<Vec<Task>> {
    let mut tasks = Vec::new();
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_none_or(|end| end != "task") {
            continue;
        }
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        tasks.push(Task::parse(&name, &text).with_context(|| path.display().to_string())?);
    }
    tasks.sort_by(|left, right| {
        let place = |task: &Task| KINDS.iter().position(|kind| *kind == task.kind);
        (place(left), left.set == Set::Unseen, &left.name).cmp(&(
            place(right),
            right.set == Set::Unseen,
            &right.name,
        ))
    });
    Ok(tasks)
}

/// The sections as they are met; what is missing is found at the end.
#[derive(Default)]
struct Parts {
    kind: Option<&'static str>,
    set: Option<Set>,
    files: Vec<File>,
    message: Option<String>,
    may_change: Vec<Allowed>,
    hidden: Vec<File>,
    check: Option<String>,
    has: Vec<Vec<String>>,
    solution: Option<String>,
    wrong: Vec<(String, String)>,
}

impl Task {
    pub(crate) fn parse(name: &str, text: &str) -> Result<Task> {
        let mut parts = Parts::default();
        for (line, head, body) in sections(text)? {
            parts.add(head, body).with_context(|| format!("line {line}"))?;
        }
        parts.task(name)
    }
}

impl Parts {
    fn add(&mut self, head: &str, body: String) -> Result<()> {
        let (name, value) = head.split_once(' ').unwrap_or((head, ""));
        let lines = || body.lines().map(str::trim).filter(|line| !line.is_empty());
        match (name, value) {
            ("kind", kind) => {
                let known = KINDS.iter().find(|known| **known == kind);
                let known = known.with_context(|| format!("`{kind}` is no kind: {}", KINDS.join(", ")))?;
                set_once(&mut self.kind, known, "kind")?;
            }
            ("set", "seen") => set_once(&mut self.set, Set::Seen, "set")?,
            ("set", "unseen") => set_once(&mut self.set, Set::Unseen, "set")?,
            ("file", path) => add_file(&mut self.files, path, body)?,
            ("hidden", path) => add_file(&mut self.hidden, path, body)?,
            ("message", "") => set_once(&mut self.message, body.trim().to_owned(), "message")?,
            ("may", "change") => {
                self.may_change = lines().map(allowed).collect::<Result<_>>()?;
            }
            ("check", "") => set_once(&mut self.check, body, "check")?,
            ("answer", "has") => self.has = lines().map(alternatives).collect(),
            ("solution", "") => set_once(&mut self.solution, body, "solution")?,
            ("wrong", what) if !what.is_empty() => self.wrong.push((what.to_owned(), body)),
            _ => bail!("`=== {head}` is no section of a task"),
        }
        Ok(())
    }

    fn task(self, name: &str) -> Result<Task> {
        let check = self.check.filter(|check| !check.trim().is_empty());
        let judging = match (check, self.has.is_empty()) {
            (Some(check), true) => {
                ensure!(!self.may_change.is_empty(), "`=== may change` names no file");
                Judging::Files { may_change: self.may_change, hidden: self.hidden, check }
            }
            (None, false) => Judging::Answer { has: self.has },
            _ => bail!("there has to be either `=== check` or `=== answer has`"),
        };
        ensure!(!self.files.is_empty(), "there is no `=== file PATH`");
        Ok(Task {
            name: name.to_owned(),
            kind: self.kind.context("there is no `=== kind`")?,
            set: self.set.context("there is no `=== set seen` or `=== set unseen`")?,
            files: self.files,
            message: self.message.filter(|words| !words.is_empty()).context("there is no `=== message`")?,
            judging,
            solution: self.solution.context("there is no `=== solution`")?,
            wrong: self.wrong,
        })
    }
}

/// The sections of a file, each with its line, from 1, the words after `===`, and its text. What stands before the first
/// says what the task is about.
fn sections(text: &str) -> Result<Vec<(usize, &str, String)>> {
    let mut found: Vec<(usize, &str, String)> = Vec::new();
    let mut about = String::new();
    for (line, number) in text.lines().zip(1..) {
        if let Some(head) = line.strip_prefix("=== ") {
            found.push((number, head.trim(), String::new()));
            continue;
        }
        let body = found.last_mut().map_or(&mut about, |(_, _, body)| body);
        body.push_str(line);
        body.push('\n');
    }
    ensure!(!about.trim().is_empty(), "the first line has to say what the task is about");
    Ok(found)
}

fn set_once<T>(place: &mut Option<T>, value: T, name: &str) -> Result<()> {
    ensure!(place.is_none(), "a second `=== {name}`");
    *place = Some(value);
    Ok(())
}

fn add_file(files: &mut Vec<File>, path: &str, text: String) -> Result<()> {
    let path = inside(path)?;
    ensure!(files.iter().all(|file| file.path != path), "{path} is there twice");
    files.push(File { path, text });
    Ok(())
}

/// A path that stays in the project.
fn inside(path: &str) -> Result<String> {
    let is_plain = |part: Component| matches!(part, Component::Normal(_));
    if path.is_empty() || !Path::new(path).components().all(is_plain) {
        bail!("`{path}` is no path inside the project");
    }
    Ok(path.to_owned())
}

fn allowed(line: &str) -> Result<Allowed> {
    let Some((path, bound)) = line.split_once(',') else {
        return Ok(Allowed { path: inside(line)?, lines_lost_max: None });
    };
    let number = bound.trim().strip_suffix(LOST).and_then(|number| number.trim().parse().ok());
    let number = number.with_context(|| format!("`{bound}` is not `N {LOST}`"))?;
    Ok(Allowed { path: inside(path)?, lines_lost_max: Some(number) })
}

fn alternatives(line: &str) -> Vec<String> {
    line.split('|').map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "About.\n=== kind constant\n=== set seen\n=== file a/b.py\nx = 1\n\n=== message\nChange x.\n=== may change\n\
                         a/b.py, 2 lines lost at most\nnew.py\n=== hidden t.py\nimport b\n=== check\ntrue\n=== solution\npatch\n";

    #[test]
    fn a_task_is_read_whole() {
        let task = Task::parse("name", WHOLE).unwrap();
        assert_eq!((task.kind, task.set, task.message.as_str()), ("constant", Set::Seen, "Change x."));
        assert_eq!((task.files[0].path.as_str(), task.files[0].text.as_str()), ("a/b.py", "x = 1\n\n"));
        let Judging::Files { may_change, hidden, check } = task.judging else { panic!("files are judged") };
        assert_eq!((may_change[0].lines_lost_max, may_change[1].lines_lost_max), (Some(2), None));
        assert_eq!((hidden[0].path.as_str(), check.as_str()), ("t.py", "true\n"));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        let without = |section: &str| WHOLE.replace(section, "");
        let wrong = [
            ("no `=== kind`", without("=== kind constant\n")),
            ("is no kind", WHOLE.replace("constant", "colour")),
            ("=== set seen", without("=== set seen\n")),
            ("no `=== message`", without("=== message\nChange x.\n")),
            ("either", without("=== check\ntrue\n")),
            ("either", format!("{WHOLE}=== answer has\n7\n")),
            ("is no section", format!("{WHOLE}=== chek\n")),
            ("is no path inside", WHOLE.replace("a/b.py\n", "../b.py\n")),
            ("lines lost", WHOLE.replace("2 lines lost at most", "few")),
            ("say what the task is about", without("About.\n")),
            ("twice", WHOLE.replace("=== message", "=== file a/b.py\n=== message")),
            ("a second", format!("{WHOLE}=== check\nfalse\n")),
        ];
        for (why, text) in wrong {
            let error = format!("{:#}", Task::parse("name", &text).unwrap_err());
            assert!(error.contains(why), "{error}, expected {why}");
        }
    }
}
