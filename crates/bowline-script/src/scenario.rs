//! The plain-text form of a scripted conversation: a project, what the user does, what the model answers.
//!
//! A file is a sequence of sections, each opened by a line `=== NAME …`; what stands before the first is a comment and
//! its first line the title. Parsing is complete: an unknown word is an error with its line and what is due, since a
//! directive that is silently skipped makes a test that shows nothing. What a run should give (`expect`, `files`,
//! `transcript`) is kept as text; whoever plays the scenario reads it. The whole format is in this crate's README.

mod directives;
mod lex;
mod project;
mod sections;

use thiserror::Error;

use crate::profile::{Kind, Profile};
use crate::reply::{Quirk, Reply, Step, Times};

pub use project::ProjectFile;
pub use sections::{Section, replace_section};

const SECTIONS: &str = "server, options, file, task, pasted, continue, next, compact, at, slow, reply, expect, files or transcript";
const RAW: [&str; 3] = ["expect", "files", "transcript"];

/// What is wrong in a scenario's text, where, and what is due there.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {wrong}; due: {due}")]
pub struct ScenarioError {
    pub line: usize,
    pub wrong: String,
    pub due: String,
}

impl ScenarioError {
    fn new(line: usize, wrong: impl Into<String>, due: impl Into<String>) -> Self {
        Self { line, wrong: wrong.into(), due: due.into() }
    }

    /// From a reader's words, `wrong; due: right`.
    fn said(line: usize, words: &str) -> Self {
        let (wrong, due) = words.split_once("; due: ").unwrap_or((words, "another value"));
        Self::new(line, wrong, due)
    }
}

/// A scripted conversation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scenario {
    pub title: String,
    pub server: Profile,
    /// In order, as written; whoever plays the scenario knows their meaning.
    pub options: Vec<(String, String)>,
    /// The project before the run.
    pub files: Vec<ProjectFile>,
    pub acts: Vec<Act>,
    /// Tools whose calls take that many milliseconds of virtual time.
    pub slow: Vec<(String, u64)>,
    pub replies: Vec<Reply>,
    /// `expect`, `files` and `transcript`, as far as they are there.
    pub sections: Vec<Section>,
}

/// Something the user does, and what comes from outside while it is worked on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Act {
    pub line: usize,
    pub kind: ActKind,
    /// What was pasted below the words that the user typed.
    pub pasted: Option<String>,
    /// The turn may only read.
    pub is_plan: bool,
    /// In order of time.
    pub inputs: Vec<Timed>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ActKind {
    /// A message: a turn.
    Task(String),
    /// *Continue*, with the hint, if any.
    Continue(Option<String>),
    /// What waits in the queue, else *Continue*.
    Next,
    /// The conversation is folded.
    Compact,
    /// The user decides about changes, a line each: `apply c1 c2:1`, `reject --all`, `rewind c3`.
    Changes(Vec<String>),
}

/// An input, so many milliseconds after the start of its act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timed {
    pub at_ms: u64,
    pub input: Input,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    Stop,
    /// A message for the turn under way.
    Steer(String),
    /// A message for the next turn.
    Queue(String),
    /// Another text for the n-th queued message.
    Change(usize, String),
    /// The n-th queued message is taken back.
    Withdraw(usize),
    /// An answer to the open question.
    Answer(Verdict, Option<String>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Yes,
    No,
}

impl Scenario {
    /// Reads a scenario's text.
    pub fn parse(text: &str) -> Result<Self, ScenarioError> {
        let (head, sections) = sections::split(text)?;
        let title = head.lines().next().unwrap_or_default().trim().to_owned();
        let mut scenario = Self { title, ..Self::default() };
        let mut server_line = None;
        for section in sections {
            if scenario.sections.last().is_some_and(|last| last.name == "transcript") {
                return Err(ScenarioError::new(
                    section.line,
                    "a section after the transcript",
                    "nothing more",
                ));
            }
            match section.name.as_str() {
                "server" if server_line.is_some() => {
                    return Err(ScenarioError::new(section.line, "a second server", "one === server"));
                }
                "server" => {
                    server_line = Some(section.line);
                    scenario.server = server(&section)?;
                }
                _ => scenario.add(section)?,
            }
        }
        scenario.check_quirks()?;
        Ok(scenario)
    }

    /// The text of `expect`, `files` or `transcript`.
    pub fn section(&self, name: &str) -> Option<&str> {
        self.sections.iter().find(|section| section.name == name).map(|section| section.body.as_str())
    }

    /// The value of an option; of one given twice, the last.
    pub fn option(&self, key: &str) -> Option<&str> {
        self.options.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    fn add(&mut self, section: Section) -> Result<(), ScenarioError> {
        let said = |wrong: String| ScenarioError::said(section.line, &wrong);
        match section.name.as_str() {
            "options" => self.options.extend(options(&section)?),
            "file" => {
                let file = project::file(&section)?;
                if self.files.iter().any(|other| other.path == file.path) {
                    let wrong = format!("`{}` is there twice", file.path);
                    return Err(ScenarioError::new(section.line, wrong, "one section for a file"));
                }
                self.files.push(file);
            }
            "task" => self.act(&section, ActKind::Task(section.body.trim().to_owned()))?,
            "continue" => {
                let hint = section.body.trim();
                self.act(&section, ActKind::Continue((!hint.is_empty()).then(|| hint.to_owned())))?;
            }
            "pasted" => match self.acts.last_mut() {
                Some(act) if matches!(act.kind, ActKind::Task(_) | ActKind::Continue(Some(_))) => {
                    act.pasted = Some(section.body.trim_end().to_owned());
                }
                _ => {
                    let wrong = "a paste without words that it belongs to";
                    return Err(ScenarioError::new(
                        section.line,
                        wrong,
                        "=== task first, or === continue with a hint",
                    ));
                }
            },
            "next" => self.act(&section, ActKind::Next)?,
            "compact" => self.act(&section, ActKind::Compact)?,
            "changes" => {
                let lines = section.body.lines().map(str::trim).filter(|line| !line.is_empty());
                self.act(&section, ActKind::Changes(lines.map(str::to_owned).collect()))?;
            }
            "at" => self.inputs(&section)?,
            "slow" => match section.words.split_whitespace().collect::<Vec<_>>()[..] {
                [tool, time] => self.slow.push((tool.to_owned(), lex::duration_ms(time).map_err(said)?)),
                _ => {
                    let wrong = format!("`slow {}`", section.words);
                    return Err(ScenarioError::new(section.line, wrong, "=== slow run_command 30s"));
                }
            },
            "reply" => {
                if self.replies.last().is_some_and(|last| last.times == Times::Ever) {
                    let wrong = "a reply after one that repeats for ever";
                    return Err(ScenarioError::new(
                        section.line,
                        wrong,
                        "repeat in the last reply only, or repeat=N",
                    ));
                }
                self.replies.push(directives::reply(&section)?);
            }
            name if RAW.contains(&name) => {
                if self.sections.iter().any(|other| other.name == name) {
                    let wrong = format!("a second section `{name}`");
                    return Err(ScenarioError::new(section.line, wrong, "each of them once"));
                }
                self.sections.push(section);
            }
            name => {
                return Err(ScenarioError::new(section.line, format!("unknown section `{name}`"), SECTIONS));
            }
        }
        Ok(())
    }

    fn act(&mut self, section: &Section, kind: ActKind) -> Result<(), ScenarioError> {
        let is_plan = section.words == "plan";
        if !section.words.is_empty() && !is_plan {
            let wrong = format!("`{}` after {}", section.words, section.name);
            let due = "the words in the lines below, or plan for a turn that only reads";
            return Err(ScenarioError::new(section.line, wrong, due));
        }
        self.acts.push(Act { line: section.line, kind, pasted: None, is_plan, inputs: Vec::new() });
        Ok(())
    }

    fn inputs(&mut self, section: &Section) -> Result<(), ScenarioError> {
        let at_ms =
            lex::duration_ms(&section.words).map_err(|wrong| ScenarioError::said(section.line, &wrong))?;
        let Some(act) = self.acts.last_mut() else {
            return Err(ScenarioError::new(
                section.line,
                "an input before any act",
                "=== task or === continue first",
            ));
        };
        if act.inputs.last().is_some_and(|last| last.at_ms > at_ms) {
            return Err(ScenarioError::new(
                section.line,
                "an input earlier than the one before",
                "rising times",
            ));
        }
        for (line, text) in section.lines() {
            let input = input(text).map_err(|wrong| ScenarioError::said(line, &wrong))?;
            act.inputs.push(Timed { at_ms, input });
        }
        Ok(())
    }

    /// Ollama has its own form of a call: a quirk of the other protocol would be played as nothing at all.
    fn check_quirks(&self) -> Result<(), ScenarioError> {
        let known = |quirk: &Quirk| matches!(quirk, Quirk::NoId | Quirk::SameIndex | Quirk::NoIndex);
        for reply in self.replies.iter().filter(|_| self.server.kind == Kind::Ollama) {
            if reply.calls().any(|call| !call.quirks.iter().all(known)) {
                let wrong = "a call with a quirk that Ollama's protocol has no place for";
                return Err(ScenarioError::new(reply.line, wrong, "no-id, no-index or same-index"));
            }
            if reply.steps.iter().any(|step| matches!(step, Step::ProgressPercent(_))) {
                return Err(ScenarioError::new(reply.line, "Ollama tells no progress", "wait or ping"));
            }
        }
        Ok(())
    }
}

fn server(section: &Section) -> Result<Profile, ScenarioError> {
    lex::pairs(&section.words)
        .and_then(|pairs| Profile::parse(&pairs))
        .map_err(|wrong| ScenarioError::said(section.line, &wrong))
}

/// The words of the opening line, and lines of `key=value` whose value runs to the end of the line.
fn options(section: &Section) -> Result<Vec<(String, String)>, ScenarioError> {
    let mut options =
        lex::pairs(&section.words).map_err(|wrong| ScenarioError::said(section.line, &wrong))?;
    for (line, text) in section.lines() {
        let (key, value) =
            text.split_once('=').ok_or_else(|| ScenarioError::new(line, format!("`{text}`"), "key=value"))?;
        options.push((key.trim().to_owned(), value.trim().to_owned()));
    }
    Ok(options)
}

fn input(text: &str) -> Result<Input, String> {
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    match name {
        "stop" if rest.is_empty() => Ok(Input::Stop),
        "steer" => lex::quoted(rest.trim()).map(Input::Steer),
        "queue" => lex::quoted(rest.trim()).map(Input::Queue),
        "change" => {
            let (n, text) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
            Ok(Input::Change(number(n)?, lex::quoted(text.trim())?))
        }
        "withdraw" => number(rest.trim()).map(Input::Withdraw),
        "answer" => {
            let (verdict, reason) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
            let verdict = match verdict {
                "yes" => Verdict::Yes,
                "no" => Verdict::No,
                _ => return Err(format!("`answer {rest}`; due: answer yes, or answer no \"reason\"")),
            };
            let reason = if reason.is_empty() { None } else { Some(lex::quoted(reason.trim())?) };
            Ok(Input::Answer(verdict, reason))
        }
        _ => Err(format!(
            "unknown input `{text}`; due: stop, steer \"…\", queue \"…\", change 1 \"…\", withdraw 1 or answer yes|no"
        )),
    }
}

/// Of a queued message, counted from 1.
fn number(word: &str) -> Result<usize, String> {
    let number = word.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| format!("`{word}`; due: the number of a queued message, from 1"))
}
