//! Settings of models by pattern: the first pattern that fits, in each file; a project's values before the user's.

use bowline_core::mode::Mode;
use bowline_core::sampling::Sampling;
use bowline_core::thinking::Thinking;
use globset::{GlobBuilder, GlobMatcher};

use super::{Place, Setting, Value};

/// What is set for one model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelSettings {
    /// Tokens, and where it was set.
    pub context: Option<(i64, Place)>,
    /// Tokens.
    pub output: Option<i64>,
    pub mode: Option<Mode>,
    pub thinking: Option<Thinking>,
    pub sampling: Sampling,
}

/// All tables, those of the more important file first.
#[derive(Debug, Clone, Default)]
pub struct ModelTables {
    files: Vec<Vec<Table>>,
}

#[derive(Debug, Clone)]
struct Table {
    pattern: String,
    matcher: GlobMatcher,
    settings: ModelSettings,
}

impl ModelTables {
    pub(super) fn of(project: &[&Setting], user: &[Setting]) -> ModelTables {
        let project = tables(project.iter().copied());
        ModelTables { files: vec![project, tables(user.iter())] }
    }

    /// What is set for a model, by its name or its full one.
    pub fn settings(&self, name: &str, full_name: &str) -> ModelSettings {
        let fits = |table: &&Table| table.matcher.is_match(name) || table.matcher.is_match(full_name);
        let found = self.files.iter().filter_map(|tables| tables.iter().find(fits));
        found.fold(ModelSettings::default(), |first, table| first.or(&table.settings))
    }
}

impl ModelSettings {
    /// These, and the others' where there are none.
    fn or(self, others: &ModelSettings) -> ModelSettings {
        ModelSettings {
            context: self.context.or_else(|| others.context.clone()),
            output: self.output.or(others.output),
            mode: self.mode.or(others.mode),
            thinking: self.thinking.or(others.thinking),
            sampling: self.sampling.or(others.sampling),
        }
    }

    fn set(&mut self, field: &str, value: &Value, place: &Place) {
        let number = match value {
            Value::Number(number) => Some(*number),
            _ => None,
        };
        match (field, value) {
            ("context", Value::Count(tokens)) => self.context = Some((*tokens, place.clone())),
            ("output", Value::Count(tokens)) => self.output = Some(*tokens),
            ("top_k", Value::Count(count)) => self.sampling.top_k = Some(*count),
            ("mode", Value::Text(word)) => self.mode = Mode::of(word),
            ("thinking", Value::Text(word)) => self.thinking = Thinking::of(word),
            ("temperature", _) => self.sampling.temperature = number,
            ("top_p", _) => self.sampling.top_p = number,
            ("min_p", _) => self.sampling.min_p = number,
            _ => {}
        }
    }
}

fn tables<'a>(settings: impl Iterator<Item = &'a Setting>) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for setting in settings {
        let [table, pattern, field] = setting.path.as_slice() else { continue };
        if table != "models" {
            continue;
        }
        let known = tables.iter().position(|table| table.pattern == *pattern);
        let at = match known {
            Some(at) => at,
            None => {
                // Checked when the file was read.
                let Ok(glob) = GlobBuilder::new(pattern).case_insensitive(true).build() else { continue };
                let matcher = glob.compile_matcher();
                tables.push(Table { pattern: pattern.clone(), matcher, settings: ModelSettings::default() });
                tables.len() - 1
            }
        };
        if let Some(table) = tables.get_mut(at) {
            table.settings.set(field, &setting.value, &setting.place);
        }
    }
    tables
}
