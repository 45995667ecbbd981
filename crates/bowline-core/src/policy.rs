//! Permissions: may a call run, must somebody be asked, or is it refused?
//!
//! A call is judged by a table that is built in, then by rules: the user's file, the project's, what was answered for this
//! project before, the flags. The last rule that fits decides. Answers of this session are a fold over the log, in the
//! turn machine. The idea of the table: what a checkpoint takes back is not asked about, and that is what git
//! would take. Where there is none, only what is known to read passes unasked.
//!
//! What always holds: a command is as strict as its strictest part; what could not be understood, and a program nobody
//! looked at, is asked about; a question never turns into an allow by itself.

mod always;
pub mod answers;
mod awk;
pub mod command;
mod environment;
mod folders;
mod git;
mod options;
mod parts;
pub mod paths;
pub mod pattern;
pub mod project_checks;
mod read_only;
mod sed;
mod wrappers;
mod xargs;

use crate::tool_output::Question;
use command::Command;
use paths::{PathKind, Place, ProjectFiles};
use pattern::{BadRule, Rule, literal};
use project_checks::ProjectChecks;

/// Ordered: the strictest of several counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Allow,
    Ask,
    Deny,
}

/// What holds a command that may run. Ordered: of several parts of a command, the one that needs most counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Profile {
    /// Nobody was asked, since it is known to write nothing.
    Read,
    /// Nobody was asked: the project's own checks, and what writes files that a checkpoint holds.
    Build,
    /// Somebody approved it: it may do what its user may do.
    Open,
}

/// What was decided about a call, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    pub verdict: Verdict,
    /// What holds it, if it is a command and may run.
    pub profile: Profile,
    /// In words, for the user and for the model.
    pub why: String,
    /// What *always* would allow, all of them together.
    pub patterns: Vec<String>,
}

impl Ruling {
    fn new(verdict: Verdict, why: impl Into<String>) -> Ruling {
        Ruling { verdict, profile: Profile::Read, why: why.into(), patterns: Vec::new() }
    }

    /// What the user is asked.
    pub fn question(self, what: String) -> Question {
        let mut patterns = self.patterns.into_iter();
        let pattern = patterns.next().unwrap_or_default();
        Question { what, pattern, also: patterns.collect() }
    }
}

/// The rules of one layer as they were written. Within a layer a *deny* beats an *ask*, and that an *allow*.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lists {
    pub allow: Vec<String>,
    /// Allowed, but not approved by the user: such commands run sandboxed. What a project's file allows, and what is set as a
    /// check.
    pub allow_sandboxed: Vec<String>,
    pub ask: Vec<String>,
    pub deny: Vec<String>,
}

/// All rules beside those that are built in, the weakest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules(Vec<Rule>);

impl Rules {
    /// The layers in their order: user file, project file, answers for this project, flags.
    pub fn new(user: &Lists, project: &Lists, answers: &Lists, flags: &Lists) -> Result<Rules, BadRule> {
        let mut rules = Vec::new();
        for layer in [user, project, answers, flags] {
            for text in &layer.allow_sandboxed {
                let mut rule = Rule::parse(Verdict::Allow, text)?;
                rule.profile = Profile::Build;
                rules.push(rule);
            }
            let lists =
                [(Verdict::Allow, &layer.allow), (Verdict::Ask, &layer.ask), (Verdict::Deny, &layer.deny)];
            for (verdict, list) in lists {
                for text in list {
                    rules.push(Rule::parse(verdict, text)?);
                }
            }
        }
        Ok(Rules(rules))
    }

    fn last(&self, fits: impl Fn(&Rule) -> bool) -> Option<&Rule> {
        self.0.iter().rev().find(|rule| fits(rule))
    }

    /// A call of a file tool that leads to this place.
    pub fn judge_path(&self, tool: &str, place: &Place) -> Ruling {
        let reach = pattern::reach(tool);
        let built_in = match reach {
            pattern::Reach::Reads => paths::may_read(place),
            pattern::Reach::Writes => paths::may_write(place),
        };
        // Nothing opens what belongs to git or to bowline: the tools would refuse it all the same.
        let rule =
            self.last(|rule| rule.fits_path(reach, &place.shown)).filter(|_| place.at != PathKind::Forbidden);
        let mut ruling = match (rule, built_in) {
            // A rule about files is no approval of a command that writes what needs none.
            (Some(rule), Ok(())) => Ruling { profile: Profile::Read, ..by_rule(rule) },
            (Some(rule), Err(_)) => by_rule(rule),
            (None, Ok(())) => Ruling::new(Verdict::Allow, "it stays in the project"),
            (None, Err(refused)) => Ruling::new(refused.verdict, refused.why),
        };
        if ruling.verdict == Verdict::Ask {
            ruling.patterns.push(format!("{tool}({})", literal(&place.shown)));
        }
        ruling
    }

    /// A command, by its parts. What nobody approved is held: as one that reads where it is known to write nothing.
    pub fn judge_command(
        &self,
        command: &Command,
        project_checks: &ProjectChecks,
        project_files: &dyn ProjectFiles,
    ) -> Ruling {
        let ruling = self.by_parts(command, project_checks, project_files);
        if ruling.verdict != Verdict::Allow || ruling.profile == Profile::Open {
            return ruling;
        }
        let is_reading = only_reads(command, project_checks, project_files);
        Ruling { profile: if is_reading { Profile::Read } else { Profile::Build }, ..ruling }
    }

    fn by_parts(
        &self,
        command: &Command,
        project_checks: &ProjectChecks,
        project_files: &dyn ProjectFiles,
    ) -> Ruling {
        let whole = self.last(|rule| rule.fits_whole(&command.text)).map(by_rule);
        let parts = match &command.parts {
            Ok(parts) => parts::judge(self, parts, project_checks, project_files),
            Err(why) => Ruling::new(Verdict::Ask, why.clone()),
        };
        match whole {
            // A whole command that was allowed may still have a part that is refused.
            Some(whole) if parts.verdict != Verdict::Deny || whole.verdict == Verdict::Deny => whole,
            _ if parts.verdict == Verdict::Ask && parts.patterns.is_empty() => {
                Ruling { patterns: vec![always::of_whole(&command.text)], ..parts }
            }
            _ => parts,
        }
    }
}

/// Whether a command is known to write nothing, whatever the rules allow: for when there is no checkpoint to go back to.
pub fn only_reads(
    command: &Command,
    project_checks: &ProjectChecks,
    project_files: &dyn ProjectFiles,
) -> bool {
    // The project's own checks write what they build; only git is looked at for what it says of the project.
    let kinds =
        project_checks.kinds.iter().copied().filter(|kind| *kind == project_checks::Kind::Git).collect();
    let project_checks = ProjectChecks { kinds, ..ProjectChecks::default() };
    let judged =
        Rules::default().by_parts(command, &project_checks, &paths::WithoutCheckpoint(project_files));
    judged.verdict == Verdict::Allow
}

fn by_rule(rule: &Rule) -> Ruling {
    let says = match rule.verdict {
        Verdict::Allow => "allows it",
        Verdict::Ask => "wants it asked",
        Verdict::Deny => "forbids it",
    };
    let why = format!("the rule `{}` {says}", rule.text);
    Ruling { profile: rule.profile, ..Ruling::new(rule.verdict, why) }
}
