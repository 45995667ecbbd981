//! Reports in words how the arguments of one call were repaired: the user reads all of it, the model what was ignored.

use crate::tools::ToolSpec;

const IGNORED: &str = include_str!("notes/ignored.md");
const MILLISECONDS: &str = include_str!("notes/milliseconds.md");
/// Arguments that are named in the note; of the rest it has the number.
const NAMES_MAX: usize = 5;
/// Repairs that are kept of one call.
const REPAIRS_MAX: usize = 32;

/// Collects repairs while the arguments are fitted to the schema.
#[derive(Debug, Default)]
pub(super) struct RepairReport {
    pub(super) repairs: Vec<String>,
    /// The first ones.
    ignored: Vec<String>,
    ignored_count: usize,
    /// The `timeout` that was read as milliseconds.
    milliseconds: Option<i64>,
}

impl RepairReport {
    /// Adds a repair. The same repair of several edits is reported once.
    fn push(&mut self, repair: String) {
        if self.repairs.len() < REPAIRS_MAX && !self.repairs.contains(&repair) {
            self.repairs.push(repair);
        }
    }

    pub(super) fn renamed(&mut self, key: &str, name: &str) {
        self.push(format!("argument {key} → {name}"));
    }

    pub(super) fn converted(&mut self, name: &str, kind: &str) {
        self.push(format!("argument {name} made {kind}"));
    }

    /// The argument says nothing that is not so anyway.
    pub(super) fn left_out(&mut self, key: &str) {
        self.push(format!("argument {key} left out"));
    }

    /// The argument says something that nobody will follow.
    pub(super) fn ignored(&mut self, key: &str) {
        self.push(format!("argument {key} ignored"));
        if self.ignored.iter().any(|known| known == key) {
            return;
        }
        self.ignored_count += 1;
        if self.ignored.len() < NAMES_MAX {
            self.ignored.push(key.to_owned());
        }
    }

    pub(super) fn milliseconds(&mut self, key: &str, given: i64, timeout_s: i64) {
        self.push(format!("argument {key} {given} → timeout_s {timeout_s} (milliseconds)"));
        self.milliseconds = Some(given);
    }

    /// What the model is told.
    pub(super) fn note(&self, spec: &ToolSpec) -> Option<String> {
        let mut names: Vec<String> = self.ignored.iter().map(|key| format!("`{key}`")).collect();
        if self.ignored_count > names.len() {
            names.push(format!("{} more", self.ignored_count - names.len()));
        }
        let verb = if self.ignored_count == 1 { "was" } else { "were" };
        let ignored = (!names.is_empty()).then(|| {
            let names = format!("{} {verb}", names.join(", "));
            IGNORED.trim().replace("{names}", &names).replace("{tool}", &spec.brief())
        });
        let milliseconds =
            self.milliseconds.map(|given| MILLISECONDS.trim().replace("{given}", &given.to_string()));
        let lines: Vec<String> = ignored.into_iter().chain(milliseconds).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}
