//! Which files a call has read or changed, for the file ledger.

use serde_json::Value;

use crate::item::{Call, CallResult};
use crate::outcome::Outcome;
use crate::tools;

/// The files a call that ended well has read or changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touched {
    pub read: Option<String>,
    pub modified: Vec<String>,
}

impl Touched {
    /// For a search its `path`, not every hit.
    pub(super) fn of(call: &Call, result: &CallResult, work_tree: &str) -> Touched {
        let is_reading = tools::ledger(&call.tool) == tools::Ledger::PathRead;
        let has_read = matches!(result.outcome, Outcome::Success | Outcome::NoResult);
        let path = call.arguments.get("path").and_then(Value::as_str).unwrap_or(".");
        let is_file = !path.starts_with("output:");
        Touched {
            read: (is_reading && has_read && is_file).then(|| listed(path, work_tree)),
            modified: result.edits.iter().map(|edit| listed(&edit.path, work_tree)).collect(),
        }
    }
}

/// A path as the ledger has it: relative where it lies in the work tree, without decoration, on one line.
fn listed(path: &str, work_tree: &str) -> String {
    let below = path.strip_prefix(work_tree).filter(|rest| rest.is_empty() || rest.starts_with('/'));
    let path = below.map_or(path, |rest| rest.trim_start_matches('/'));
    let mut path = path.trim();
    while let Some(rest) = path.strip_prefix("./") {
        path = rest.trim_start_matches('/');
    }
    let path = if path == "/" { path } else { path.trim_end_matches('/') };
    let path = path.replace(['\n', '\r'], " ");
    if path.is_empty() { ".".to_owned() } else { path }
}
