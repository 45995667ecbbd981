//! A list of edits with the names of other harnesses: `edits: [{oldString, newString, replaceAll, filePath}]`.
//!
//! An edit of ours has `old` and `new`; which file, and whether every place is meant, is said once for the call.

use serde_json::{Map, Value};

use super::dialect::means;
use super::report::RepairReport;

const TOOL: &str = "edit_file";

/// Whether the edits of a list have the names of ours alone. Other arguments have no names inside.
pub(super) fn are_known(key: &str, value: &Value) -> bool {
    let is_known = |edit: &Value| {
        let names = edit.as_object().into_iter().flat_map(Map::keys);
        names.into_iter().all(|name| matches!(name.as_str(), "old" | "new"))
    };
    key != "edits" || value.as_array().is_none_or(|list| list.iter().all(is_known))
}

/// Fits every edit of the list. What it returns is why the call must not run: an edit is meant for another file.
pub(super) fn fit(fitted: &mut Map<String, Value>, report: &mut RepairReport) -> Option<String> {
    let Some(Value::Array(list)) = fitted.get_mut("edits") else { return None };
    let mut shared = Shared::default();
    for edit in list.iter_mut().filter_map(Value::as_object_mut) {
        let mut own = Map::new();
        for (key, value) in std::mem::take(edit) {
            let called = format!("edits[].{key}");
            let is_text = |name: &&str| means(TOOL, &key, name) && !own.contains_key(*name);
            if let Some(name) = ["old", "new"].into_iter().find(is_text) {
                if key != name {
                    report.renamed(&called, name);
                }
                own.insert(name.to_owned(), value);
            } else if !shared.take(&key, &called, value) {
                report.ignored(&called);
            }
        }
        *edit = own;
    }
    let edits_count = list.len();
    shared.every_place(edits_count, fitted, report);
    shared.path(fitted, report)
}

/// What single edits say and we say once for the call, each with the name it had.
#[derive(Default)]
struct Shared {
    every_place: Vec<(String, bool)>,
    paths: Vec<(String, Value)>,
}

impl Shared {
    /// Whether it was such an argument.
    fn take(&mut self, key: &str, called: &str, value: Value) -> bool {
        match value {
            Value::Bool(flag) if means(TOOL, key, "replace_all") => {
                self.every_place.push((called.to_owned(), flag));
            }
            path @ Value::String(_) if means(TOOL, key, "path") => {
                self.paths.push((called.to_owned(), path));
            }
            _ => return false,
        }
        true
    }

    fn every_place(&self, edits_count: usize, fitted: &mut Map<String, Value>, report: &mut RepairReport) {
        let Some((key, _)) = self.every_place.first() else { return };
        let wanted = self.every_place.iter().filter(|(_, flag)| *flag).count();
        let is_given = fitted.get("replace_all") == Some(&Value::Bool(true));
        if wanted == 0 || is_given {
            report.left_out(key);
        } else if wanted == edits_count {
            report.renamed(key, "replace_all");
            fitted.insert("replace_all".to_owned(), true.into());
        } else {
            report.ignored(key);
        }
    }

    fn path(&self, fitted: &mut Map<String, Value>, report: &mut RepairReport) -> Option<String> {
        let (key, first) = self.paths.first()?;
        let path = fitted.entry("path").or_insert_with(|| first.clone());
        report.renamed(key, "path");
        let (_, other) = self.paths.iter().find(|(_, other)| other != path)?;
        Some(format!("{TOOL}: one edit is for {other}, and the call is for {path}. Make one call per file."))
    }
}
