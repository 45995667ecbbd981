//! The file tools: what a call does to the work tree, and the answer the model reads.
//!
//! Everything goes through the [`Workspace`]. A tool bounds what it gathers; cutting an answer to the model's window and
//! storing the whole of it is the engine's. Commands are run by [`crate::process`], not here.

mod call_context;
mod change;
mod edit_checks;
mod edit_file;
mod file_edit;
mod find_files;
mod glob;
mod grep;
mod line_numbers;
mod list_dir;
mod missing_path;
mod other_files;
mod view_file;
mod walk;
mod write_file;

pub(crate) use edit_file::asked;
pub use file_edit::file_edit;

use std::sync::atomic::{AtomicBool, Ordering};

use bowline_core::item::ChangeState;
use bowline_core::outcome::Outcome;
use bowline_core::tool_output::{Grant, ToolDone, ToolOutput};
use bowline_core::tools::ToolCall;

pub use call_context::CallContext;
pub(crate) use view_file::seen_lines;

use crate::permission::outside;
use crate::workspace::{FileError, Kind, PathError, Resolved, Workspace};

/// Runs a file tool to its end. `outputs` gives the stored long results by id; `cancel` ends a long search early, and the
/// answer is then `interrupted`.
pub fn run(
    workspace: &Workspace,
    call: &ToolCall,
    grant: Grant,
    context: &CallContext,
    outputs: &dyn Fn(&str) -> Option<String>,
    cancel: &AtomicBool,
) -> ToolDone {
    let tool = Tool { workspace, grant, context, outputs, cancel };
    let answer = match call {
        ToolCall::ViewFile { path, start_line, end_line } => tool.view_file(path, *start_line, *end_line),
        ToolCall::ListDir { path } => tool.list_dir(path.as_deref()),
        ToolCall::FindFiles { pattern, path } => tool.find_files(pattern, path.as_deref()),
        ToolCall::Grep { pattern, path, glob, context } => {
            tool.grep(pattern, path.as_deref(), glob.as_deref(), *context)
        }
        ToolCall::EditFile { path, edits, replace } => tool.edit_file(path, edits, *replace),
        ToolCall::WriteFile { path, content } => tool.write_file(path, content),
        ToolCall::Change(change) => tool.change(change),
        ToolCall::RunCommand { .. } => Err(Stop::Failed("commands are not run as file tools".to_owned())),
    };
    match answer {
        Ok(output) => ToolDone::Output(if workspace.is_reviewing() { waiting(output) } else { output }),
        Err(Stop::Path(PathError::Outside { path })) => outside(call.name(), &path),
        Err(stop) => ToolDone::Output(stop.into_output()),
    }
}

/// In review mode what a tool has changed waits.
fn waiting(mut output: ToolOutput) -> ToolOutput {
    for edit in &mut output.edits {
        edit.state = ChangeState::Pending;
    }
    if !output.edits.is_empty() {
        output.text.push_str("\nIt waits for the user's review: your tools see it, commands do not.");
    }
    output
}

/// What a command can't have seen.
pub fn unseen(workspace: &Workspace) -> String {
    match workspace.waiting() {
        0 => String::new(),
        1 => "\n[1 change waits for the user's review: commands do not see it.]".to_owned(),
        count => format!("\n[{count} changes wait for the user's review: commands do not see them.]"),
    }
}

/// What a tool works with.
struct Tool<'a> {
    workspace: &'a Workspace,
    grant: Grant,
    context: &'a CallContext,
    outputs: &'a dyn Fn(&str) -> Option<String>,
    cancel: &'a AtomicBool,
}

/// Why a tool gave up.
enum Stop {
    Path(PathError),
    File(FileError),
    /// It could not, in words.
    Failed(String),
    Cancelled,
}

type Answer = Result<ToolOutput, Stop>;

impl From<PathError> for Stop {
    fn from(error: PathError) -> Stop {
        Stop::Path(error)
    }
}

impl From<FileError> for Stop {
    fn from(error: FileError) -> Stop {
        Stop::File(error)
    }
}

impl Stop {
    fn into_output(self) -> ToolOutput {
        match self {
            Stop::Path(error @ PathError::Forbidden { .. }) => {
                ToolOutput::new(Outcome::PermissionDenied, format!("{error}."))
            }
            Stop::Path(error) => ToolOutput::new(Outcome::ExecError, format!("{error}.")),
            Stop::File(error) => ToolOutput::new(Outcome::ExecError, format!("{error}.")),
            Stop::Failed(words) => ToolOutput::new(Outcome::ExecError, words),
            Stop::Cancelled => ToolOutput::new(Outcome::Interrupted, "Stopped before it ended."),
        }
    }
}

impl Tool<'_> {
    fn resolve(&self, path: &str) -> Result<Resolved, Stop> {
        Ok(self.workspace.resolve(path, self.grant)?)
    }

    /// A path that must exist; a missing one is answered with the names most like it.
    fn existing(&self, path: &str) -> Result<Resolved, Stop> {
        let resolved = self.resolve(path)?;
        if resolved.kind == Kind::Missing {
            return Err(Stop::Failed(missing_path::missing(self, &resolved)));
        }
        Ok(resolved)
    }

    /// The folder that a search or a listing is about: the root unless another is named.
    fn place(&self, path: Option<&str>) -> Result<Resolved, Stop> {
        self.existing(path.filter(|path| !path.trim().is_empty()).unwrap_or("."))
    }

    fn check_cancelled(&self) -> Result<(), Stop> {
        if self.cancel.load(Ordering::Relaxed) { Err(Stop::Cancelled) } else { Ok(()) }
    }
}

fn success(text: impl Into<String>) -> Answer {
    Ok(ToolOutput::new(Outcome::Success, text))
}

fn no_result(text: impl Into<String>) -> Answer {
    Ok(ToolOutput::new(Outcome::NoResult, text))
}

/// A place in a sentence.
fn named(place: &Resolved) -> &str {
    if place.display == "." { "the project" } else { &place.display }
}

/// `1 line`, `2 lines`.
fn counted(count: usize, one: &str) -> String {
    let many = if count == 1 { "" } else { "s" };
    format!("{count} {one}{many}")
}
