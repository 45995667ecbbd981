//! What `bench tasks` is asked for, and its help.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use super::task::{KINDS, Set, Task};

const REPEAT_MAX: usize = 100;
const MINUTES_DEFAULT: u64 = 10;
const MINUTES_MAX: u64 = 24 * 60;

pub(crate) const HELP: &str = "\
usage: cargo xtask bench tasks --base-url URL -m MODEL [FLAGS]

Gives a model small programming tasks, one after the other, through `bowline run`, and counts those it solves. Use it to find
out which model, which quantization or which calling mode is worth running on your machine, or what a change of bowline
does. Every task is a fresh git repository in a temporary folder, with a fresh home for bowline; no permission is given.
A task is solved if its hidden check passes and nothing else was touched. A line per task is printed as it ends.

  --base-url URL    the model's server (a key for it goes into BOWLINE_API_KEY)
  -m, --model NAME  the model
  --mode MODE       native, text or constrained; without it, bowline decides
  --tasks DIR       tasks of your own, in the form that tasks/README.md describes, instead of the repository's
  --set SET         seen (the default), unseen or all; keep the unseen ones for the end if you tune anything
  --only WORDS      only tasks of these kinds, or with these words in their names; separated by commas
  --repeat N        play everything N times
  --minutes N       the time limit of a task (10)
  --program PATH    another bowline than the one that is built here, to compare the two
  --keep DIR        keep each run's folder, events, stderr, session, diff and the output of its check
  --json FILE       write the figures for programs
  --list            print the tasks, and run nothing

The same request can be answered in two ways, even at temperature 0, so one or two tasks more or less mean nothing: use --repeat.";

const WITH_VALUE: [&str; 12] = [
    "--base-url",
    "-m",
    "--model",
    "--mode",
    "--tasks",
    "--set",
    "--only",
    "--repeat",
    "--minutes",
    "--program",
    "--keep",
    "--json",
];

#[derive(Debug)]
pub(crate) struct Flags {
    pub(crate) base_url: String,
    pub(crate) model: String,
    pub(crate) mode: Option<String>,
    /// A folder with tasks of the user's own.
    pub(crate) tasks: Option<PathBuf>,
    /// Both without.
    pub(crate) set: Option<Set>,
    /// All without.
    pub(crate) only: Vec<String>,
    pub(crate) repeat: usize,
    pub(crate) limit: Duration,
    pub(crate) program: Option<PathBuf>,
    pub(crate) keep: Option<PathBuf>,
    pub(crate) json: Option<PathBuf>,
}

#[derive(Debug)]
pub(crate) enum Wish {
    Run(Flags),
    /// The tasks that would be run.
    List(Flags),
    Help,
}

impl Wish {
    pub(crate) fn parse(flags: &[&str]) -> Result<Wish> {
        let mut parsed = Flags {
            base_url: String::new(),
            model: String::new(),
            mode: None,
            tasks: None,
            set: Some(Set::Seen),
            only: Vec::new(),
            repeat: 1,
            limit: Duration::from_secs(MINUTES_DEFAULT * 60),
            program: None,
            keep: None,
            json: None,
        };
        let mut is_list = false;
        let mut rest = flags.iter();
        while let Some(flag) = rest.next() {
            match *flag {
                "--help" | "-h" => return Ok(Wish::Help),
                "--list" => is_list = true,
                _ if WITH_VALUE.contains(flag) => {
                    let value = rest.next().with_context(|| format!("{flag} takes a value"))?;
                    parsed.set(flag, value)?;
                }
                other => bail!("`{other}` is no flag of bench tasks; --help lists them"),
            }
        }
        if is_list {
            return Ok(Wish::List(parsed));
        }
        ensure!(!parsed.base_url.is_empty(), "--base-url is missing: the address of the model's server");
        ensure!(!parsed.model.is_empty(), "-m is missing: the name of the model");
        Ok(Wish::Run(parsed))
    }
}

impl Flags {
    fn set(&mut self, flag: &str, value: &str) -> Result<()> {
        match flag {
            "--base-url" => value.clone_into(&mut self.base_url),
            "-m" | "--model" => value.clone_into(&mut self.model),
            "--mode" => self.mode = Some(value.to_owned()),
            "--tasks" => self.tasks = Some(PathBuf::from(value)),
            "--set" => {
                self.set = match value {
                    "seen" => Some(Set::Seen),
                    "unseen" => Some(Set::Unseen),
                    "all" => None,
                    other => bail!("--set takes seen, unseen or all, not `{other}`"),
                };
            }
            "--only" => {
                self.only = value
                    .split(',')
                    .map(str::trim)
                    .filter(|word| !word.is_empty())
                    .map(str::to_owned)
                    .collect();
            }
            "--repeat" => {
                let number = value.parse().ok().filter(|number| (1..=REPEAT_MAX).contains(number));
                self.repeat =
                    number.with_context(|| format!("--repeat takes a number from 1 to {REPEAT_MAX}"))?;
            }
            "--minutes" => {
                let number = value.parse().ok().filter(|number| (1..=MINUTES_MAX).contains(number));
                let minutes =
                    number.with_context(|| format!("--minutes takes a number from 1 to {MINUTES_MAX}"))?;
                self.limit = Duration::from_secs(minutes * 60);
            }
            "--program" => self.program = Some(PathBuf::from(value)),
            "--keep" => self.keep = Some(PathBuf::from(value)),
            _ => self.json = Some(PathBuf::from(value)),
        }
        Ok(())
    }

    /// The tasks that were asked for, in their order. A word that fits none of them is an error.
    pub(crate) fn choose(&self, tasks: Vec<Task>) -> Result<Vec<Task>> {
        let is_in_set = |task: &Task| self.set.is_none_or(|set| set == task.set);
        for word in &self.only {
            let fitting: Vec<&Task> = tasks.iter().filter(|task| fits(task, word)).collect();
            if fitting.is_empty() {
                bail!(
                    "no task fits --only {word}; --list --set all lists them, and the kinds are {}",
                    KINDS.join(", ")
                );
            }
            if !fitting.iter().any(|task| is_in_set(task)) {
                bail!("{} is {}; --set all finds it", fitting[0].name, fitting[0].set.name());
            }
        }
        let is_meant = |task: &Task| self.only.is_empty() || self.only.iter().any(|word| fits(task, word));
        Ok(tasks.into_iter().filter(|task| is_in_set(task) && is_meant(task)).collect())
    }
}

/// Whether a word means a task: its kind, or a part of its name.
fn fits(task: &Task, word: &str) -> bool {
    if KINDS.contains(&word) { task.kind == word } else { task.name.contains(word) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::tasks::folder;
    use crate::bench::tasks::task::read_all;

    const NEEDED: [&str; 4] = ["--base-url", "http://a", "-m", "b"];

    fn parse(more: &[&str]) -> Result<Wish> {
        Wish::parse(&[&NEEDED, more].concat())
    }

    fn chosen(more: &[&str]) -> Result<Vec<String>> {
        let Wish::Run(flags) = parse(more)? else { bail!("no run") };
        let tasks = flags.choose(read_all(&folder())?)?;
        Ok(tasks.into_iter().map(|task| task.name).collect())
    }

    #[test]
    fn flags_are_read_or_refused() {
        let Ok(Wish::Run(flags)) = parse(&["--repeat", "3", "--minutes", "2", "--only", "crash, cart"])
        else {
            panic!("refused")
        };
        assert_eq!((flags.repeat, flags.limit.as_secs(), flags.only.len()), (3, 120, 2));
        assert!(matches!(Wish::parse(&["--help"]), Ok(Wish::Help)));
        assert!(matches!(Wish::parse(&["--list"]), Ok(Wish::List(_))));
        for wrong in
            [&["--repeat", "0"][..], &["--set", "both"], &["--keep"], &["--fast"], &["--minutes", "x"]]
        {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
        assert!(Wish::parse(&NEEDED[..2]).is_err());
        assert!(Wish::parse(&NEEDED[2..]).is_err());
    }

    #[test]
    fn a_set_a_kind_or_a_name_chooses() {
        assert_eq!(chosen(&[]).unwrap().len(), KINDS.len());
        assert_eq!(chosen(&["--set", "all"]).unwrap().len(), 2 * KINDS.len());
        assert_eq!(chosen(&["--only", "crash,question"]).unwrap().len(), 2);
        assert_eq!(chosen(&["--only", "crash", "--set", "all"]).unwrap().len(), 2);
        assert!(chosen(&["--only", "crash,nonsense"]).unwrap_err().to_string().contains("no task fits"));
    }
}
