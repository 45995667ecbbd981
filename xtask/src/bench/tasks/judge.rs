//! Whether a run solved its task. The files decide, or for a question the answer: a run that a guard stopped after the right
//! change has solved it, and one that says "done" after a wrong change has not.
//!
//! The check runs in a copy of the project, to which the hidden files are added only then. So the model never sees them, and
//! nothing that a run left behind outside its files can help.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result};

use super::changed::Snapshot;
use super::ground::{Ground, program, write};
use super::supervise::{End, Supervisor};
use super::task::{File, Judging, Task};

const CHECK_MAX: Duration = Duration::from_secs(120);
/// Exit codes of bowline after which its files are judged: done, stopped by a guard or a limit, done with something refused.
const JUDGED_CODES: [i32; 3] = [0, 3, 4];
/// As much of a check's last line as fits into a report. Characters.
const SAID_MAX: usize = 90;
/// What tools write on the line that tells most.
const ERRORS: [&str; 5] = ["Error: ", "Error [", "error: ", "error[", "left: "];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    Solved,
    /// The time was up.
    Time,
    /// bowline failed, with how it ended.
    Ended(String),
    /// Something was changed that had to stay as it was.
    TouchedElse(Vec<String>),
    NothingChanged,
    /// The check failed, with its last line.
    CheckFailed(String),
    /// The answer is wrong, and why.
    WrongAnswer(String),
}

impl Verdict {
    pub(crate) fn is_solved(&self) -> bool {
        *self == Self::Solved
    }

    /// A word or two that do not depend on the task.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Time => "time is up",
            Self::Ended(_) => "failed",
            Self::TouchedElse(_) => "touched something else",
            Self::NothingChanged => "nothing changed",
            Self::CheckFailed(_) => "check failed",
            Self::WrongAnswer(_) => "wrong answer",
        }
    }

    /// More about it; empty where there is nothing to say.
    pub(crate) fn detail(&self) -> String {
        match self {
            Self::Solved | Self::Time | Self::NothingChanged => String::new(),
            Self::TouchedElse(violations) => violations.join(", "),
            Self::Ended(why) | Self::CheckFailed(why) | Self::WrongAnswer(why) => why.clone(),
        }
    }
}

/// What a run left to be judged.
pub(crate) struct Left<'a> {
    pub(crate) before: &'a Snapshot,
    pub(crate) end: End,
    pub(crate) answer: &'a str,
}

pub(crate) async fn judge(
    supervisor: &mut Supervisor,
    task: &Task,
    ground: &Ground,
    left: &Left<'_>,
) -> Result<Verdict> {
    match left.end {
        End::Time => return Ok(Verdict::Time),
        End::Signal(number) => return Ok(Verdict::Ended(format!("signal {number}"))),
        End::Exit(code) if !JUDGED_CODES.contains(&code) => {
            return Ok(Verdict::Ended(format!("exit code {code}")));
        }
        End::Exit(_) => {}
    }
    let after = Snapshot::of(&ground.project())?;
    match &task.judging {
        Judging::Answer { has } => {
            let violations = left.before.violations(&after, &[]);
            if !violations.is_empty() {
                return Ok(Verdict::TouchedElse(violations));
            }
            Ok(judge_answer(left.answer, has))
        }
        Judging::Files { may_change, hidden, check } => {
            let violations = left.before.violations(&after, may_change);
            if !violations.is_empty() {
                return Ok(Verdict::TouchedElse(violations));
            }
            if *left.before == after {
                return Ok(Verdict::NothingChanged);
            }
            run_check(supervisor, ground, &after, hidden, check).await
        }
    }
}

/// Runs the check in a copy of the files with the hidden ones beside them.
pub(crate) async fn run_check(
    supervisor: &mut Supervisor,
    ground: &Ground,
    after: &Snapshot,
    hidden: &[File],
    check: &str,
) -> Result<Verdict> {
    let copy = ground.judged();
    std::fs::create_dir_all(&copy)?;
    after.copy_to(&copy)?;
    write(&copy, hidden)?;
    let printed = ground.printed("check.txt");
    let output = std::fs::File::create(&printed).with_context(|| printed.display().to_string())?;
    let mut command = program("sh", &copy);
    command
        .args(["-e", "-u", "-c", check])
        .stdout(Stdio::from(output.try_clone()?))
        .stderr(Stdio::from(output))
        .envs([("PYTHONDONTWRITEBYTECODE", "1"), ("NO_COLOR", "1"), ("CARGO_TERM_COLOR", "never")])
        .envs([("CARGO_NET_OFFLINE", "true"), ("CARGO_INCREMENTAL", "0"), ("CARGO_PROFILE_DEV_DEBUG", "0")]);
    let (end, _) = supervisor.run(&mut command, CHECK_MAX).await?;
    let said = String::from_utf8_lossy(&std::fs::read(&printed)?).into_owned();
    Ok(match end {
        End::Exit(0) => Verdict::Solved,
        End::Time => Verdict::CheckFailed(format!("it did not end within {} s", CHECK_MAX.as_secs())),
        End::Exit(_) | End::Signal(_) => Verdict::CheckFailed(told(&said)),
    })
}

/// The line that says what is wrong: the first that names an error, else the last.
fn told(said: &str) -> String {
    let mut lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    let names_error = |line: &&str| ERRORS.iter().any(|word| line.contains(word));
    let line = lines.clone().find(names_error).or_else(|| lines.next_back());
    line.unwrap_or("it printed nothing").chars().take(SAID_MAX).collect()
}

fn judge_answer(answer: &str, has: &[Vec<String>]) -> Verdict {
    if answer.trim().is_empty() {
        return Verdict::WrongAnswer("there is none".to_owned());
    }
    match has.iter().find(|words| !words.iter().any(|word| says(answer, word))) {
        Some(missing) => Verdict::WrongAnswer(format!("it does not say {}", missing.join(" or "))),
        None => Verdict::Solved,
    }
}

/// Whether a text has these words, whole and in any case.
fn says(text: &str, words: &str) -> bool {
    let (text, words) = (text.to_lowercase(), words.to_lowercase());
    text.match_indices(&words).any(|(start, found)| {
        let is_inside = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
        let before = text[..start].chars().next_back();
        let after = text[start + found.len()..].chars().next();
        !is_inside(before) && !is_inside(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_needs_one_of_each_line() {
        let has = [vec!["90".to_owned(), "ninety".to_owned()], vec!["rotate.sh".to_owned()]];
        let verdict = |answer: &str| judge_answer(answer, &has);
        assert_eq!(verdict("`rotate.sh` keeps them for Ninety days."), Verdict::Solved);
        assert_eq!(verdict("90, see rotate.sh"), Verdict::Solved);
        assert_eq!(verdict("900, see rotate.sh").detail(), "it does not say 90 or ninety");
        assert_eq!(verdict("90").detail(), "it does not say rotate.sh");
        assert_eq!(verdict(" ").detail(), "there is none");
    }

    #[test]
    fn a_check_is_quoted_where_it_names_an_error() {
        assert_eq!(told("a\n\nAssertionError: 1 != 2\n\nFAILED (failures=1)\n"), "AssertionError: 1 != 2");
        assert_eq!(told("a\nb\n\n"), "b");
        assert_eq!(told("\n"), "it printed nothing");
        assert_eq!(told(&"é".repeat(200)).chars().count(), SAID_MAX);
    }
}
