//! May this call run? What the rules of the core need to know about the project is found out here; nothing is decided.

mod allowed_command;
mod paths;
mod project_checks;

use std::collections::BTreeSet;
use std::sync::Arc;

use bowline_core::check::CheckSource;
use bowline_core::outcome::Outcome;
use bowline_core::policy::paths::{PathKind, Place};
use bowline_core::policy::pattern::literal;
use bowline_core::policy::project_checks::ProjectChecks;
use bowline_core::policy::{self, Profile, Rules, Ruling, Verdict};
use bowline_core::tool_output::{Grant, Question, ToolDone, ToolOutput};
use bowline_core::tools::{self, ChangeCall, ToolCall};

use crate::workspace::{PathError, Workspace};
use crate::{shell, survey};

pub use allowed_command::AllowedCommand;
pub use paths::{is_secret, secrets_in};
pub use project_checks::find as own_checks;

/// The rules of a session and the project they are about.
#[derive(Debug, Clone)]
pub struct Judge {
    workspace: Workspace,
    rules: Rules,
    /// Scripts that are checks by name and were there from the start: what the model writes in this turn is none.
    scripts: Arc<BTreeSet<String>>,
}

/// What follows from the rules for a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Permit {
    /// A file tool may run, and reach so far.
    Run(Grant),
    /// A command may run, held like this.
    Command(AllowedCommand),
    /// It may not, or not yet.
    Not(ToolDone),
}

impl Judge {
    pub fn new(workspace: Workspace, rules: Rules) -> Judge {
        let scripts = Arc::new(project_checks::find(workspace.root()).files);
        Judge { workspace, rules, scripts }
    }

    fn project_checks(&self) -> ProjectChecks {
        let mut found = project_checks::find(self.workspace.root());
        found.files.retain(|file| self.scripts.contains(file));
        found
    }

    /// Judges a call. What somebody said yes to is not judged again.
    pub fn judge(&self, call: &ToolCall, grant: Grant) -> Permit {
        match (grant, call) {
            (Grant::Outside, ToolCall::RunCommand { command, .. }) => {
                Permit::Command(AllowedCommand::approved(command))
            }
            (Grant::Outside, _) => Permit::Run(grant),
            (Grant::Inside | Grant::Unsaved, _) => match self.by_rules(call) {
                Permit::Run(_) | Permit::Command(_) if grant == Grant::Unsaved && self.may_write(call) => {
                    Permit::Not(ask_without_checkpoint(call))
                }
                permit => permit,
            },
        }
    }

    /// A check that the program runs, if it may: held as a build, whoever named or approved it.
    pub fn check(&self, command: &str, source: CheckSource) -> Option<AllowedCommand> {
        let is_allowed = match self.command(command).verdict {
            Verdict::Allow => true,
            // Who names a command for this very purpose has approved it.
            Verdict::Ask => matches!(source, CheckSource::Flag | CheckSource::Settings),
            Verdict::Deny => false,
        };
        is_allowed.then(|| AllowedCommand::held(command, Profile::Build))
    }

    fn may_write(&self, call: &ToolCall) -> bool {
        match call {
            ToolCall::RunCommand { command, .. } => {
                let project_checks = self.project_checks();
                !policy::only_reads(
                    &shell::parse(command),
                    &project_checks,
                    &paths::Files::new(&self.workspace),
                )
            }
            _ => tools::effect(call.name()) == tools::Effect::Writes,
        }
    }

    fn by_rules(&self, call: &ToolCall) -> Permit {
        match call {
            ToolCall::RunCommand { command, .. } => {
                let ruling = self.command(command);
                let allowed = Permit::Command(AllowedCommand::held(command, ruling.profile));
                follow(ruling, allowed, |why| format!("run `{}` ({why})", one_line(command)))
            }
            ToolCall::ViewFile { path, .. } if path.starts_with("output:") => Permit::Run(Grant::Inside),
            ToolCall::ViewFile { path, .. } => self.path("view_file", "read", path),
            ToolCall::ListDir { path } => self.path("list_dir", "read", path.as_deref().unwrap_or(".")),
            ToolCall::FindFiles { path, .. } => {
                self.path("find_files", "read", path.as_deref().unwrap_or("."))
            }
            ToolCall::Grep { path, .. } => self.path("grep", "read", path.as_deref().unwrap_or(".")),
            ToolCall::EditFile { path, .. } => self.path("edit_file", "write", path),
            ToolCall::WriteFile { path, .. } => self.path("write_file", "write", path),
            ToolCall::Change(change) => self.change(change),
        }
    }

    /// A change of a place is an edit of its file; one that follows a name through the project is an edit of each file that
    /// mentions it, and a new text may need a name made visible in another file. The first of them that is not allowed decides.
    fn change(&self, change: &ChangeCall) -> Permit {
        let permit = |path: &str| self.path("edit_file", "write", path);
        let name = change.place.own_name().filter(|_| !change.change.needs_text());
        let others = name.map(|name| survey::mentioning(&self.workspace, name).sources).unwrap_or_default();
        let text = change.text.as_deref().unwrap_or_default();
        let exposing = survey::to_expose(&self.workspace, &change.place.path, text);
        let others = others.iter().map(|source| source.path.as_str());
        let others = others.chain(exposing.iter().map(|(_, path)| path.as_str()));
        let mut all = std::iter::once(change.place.path.as_str()).chain(others).map(permit);
        let first = all.find(|permit| !matches!(permit, Permit::Run(Grant::Inside)));
        first.unwrap_or(Permit::Run(Grant::Inside))
    }

    /// What the rules say about a command, and why.
    pub fn command(&self, command: &str) -> Ruling {
        let project_checks = self.project_checks();
        self.rules.judge_command(&shell::parse(command), &project_checks, &paths::Files::new(&self.workspace))
    }

    /// A path the workspace refuses is left to the tool, which says why.
    fn path(&self, tool: &str, verb: &str, path: &str) -> Permit {
        let resolved = match self.workspace.resolve(path, Grant::Outside) {
            Ok(resolved) => resolved,
            Err(PathError::Outside { .. }) => return Permit::Not(outside(tool, path)),
            Err(_) => return Permit::Run(Grant::Inside),
        };
        let at = paths::at(&self.workspace, &resolved.real);
        let place = Place { at, shown: resolved.display };
        let grant = if at == PathKind::Outside { Grant::Outside } else { Grant::Inside };
        let ruling = self.rules.judge_path(tool, &place);
        follow(ruling, Permit::Run(grant), |why| match at {
            PathKind::Outside => format!("{verb} {}, outside the project", place.shown),
            _ => format!("{verb} {} ({why})", place.shown),
        })
    }
}

fn follow(ruling: Ruling, allowed: Permit, what: impl Fn(&str) -> String) -> Permit {
    match ruling.verdict {
        Verdict::Allow => allowed,
        Verdict::Ask => {
            let what = what(&ruling.why);
            Permit::Not(ToolDone::Ask(ruling.question(what)))
        }
        Verdict::Deny => {
            let text = format!("Not allowed: {}.", ruling.why);
            Permit::Not(ToolDone::Output(ToolOutput::new(Outcome::PermissionDenied, text)))
        }
    }
}

/// The question about a call that the rules allow but that no checkpoint could undo. No rule answers it.
fn ask_without_checkpoint(call: &ToolCall) -> ToolDone {
    const WHY: &str = "there is no checkpoint to go back to";
    let what = match call {
        ToolCall::RunCommand { command, .. } => format!("run `{}` ({WHY})", one_line(command)),
        ToolCall::EditFile { path, .. } | ToolCall::WriteFile { path, .. } => format!("write {path} ({WHY})"),
        ToolCall::Change(change) => format!("write {} ({WHY})", change.place.path),
        other => format!("{} ({WHY})", other.title()),
    };
    ToolDone::Ask(Question { what, pattern: String::new(), also: Vec::new() })
}

/// A path outside the project that a tool came across.
pub(crate) fn outside(tool: &str, path: &str) -> ToolDone {
    let verb = if matches!(tool, "edit_file" | "write_file") { "write" } else { "read" };
    let what = format!("{verb} {path}, outside the project");
    let pattern = format!("{tool}({})", literal(path));
    ToolDone::Ask(Question { what, pattern, also: Vec::new() })
}

/// A command as it stands in a question.
fn one_line(command: &str) -> String {
    const CHARS_MAX: usize = 160;
    let line = command.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(CHARS_MAX) {
        None => line,
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
    }
}
