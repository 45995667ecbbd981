//! A finding: how bad it is, what it is, and what to do next.

use serde_json::{Value, json};

use crate::exit::Exit;
use crate::paint::{Paint, tame};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Ok,
    /// A turn can run all the same.
    Warning,
    /// No turn can run; the code says why.
    Problem(Exit),
}

impl Level {
    fn word(self) -> &'static str {
        match self {
            Level::Ok => "ok",
            Level::Warning => "warning",
            Level::Problem(_) => "problem",
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Finding {
    check: &'static str,
    level: Level,
    what: String,
    next: Option<String>,
    /// For programs.
    figures: Option<Value>,
}

impl Finding {
    pub(super) fn ok(check: &'static str, what: impl Into<String>) -> Finding {
        Finding { check, level: Level::Ok, what: what.into(), next: None, figures: None }
    }

    pub(super) fn warning(check: &'static str, what: impl Into<String>, next: impl Into<String>) -> Finding {
        let next = Some(next.into());
        Finding { check, level: Level::Warning, what: what.into(), next, figures: None }
    }

    pub(super) fn problem(check: &'static str, what: impl Into<String>, next: impl Into<String>) -> Finding {
        Finding { level: Level::Problem(Exit::Failed), ..Finding::warning(check, what, next) }
    }

    pub(super) fn no_model(check: &'static str, what: impl Into<String>, next: impl Into<String>) -> Finding {
        Finding { level: Level::Problem(Exit::NoModel), ..Finding::warning(check, what, next) }
    }

    /// From an error's words, which end with what to do.
    pub(super) fn failure(check: &'static str, error: &impl std::fmt::Display) -> Finding {
        let words = error.to_string();
        let (what, next) = split(&words);
        Finding::problem(check, what, next)
    }

    pub(super) fn with(self, figures: Value) -> Finding {
        Finding { figures: Some(figures), ..self }
    }

    pub(super) fn level(&self) -> Level {
        self.level
    }

    pub(super) fn json(&self) -> Value {
        let Finding { check, level, what, next, figures } = self;
        let mut value = json!({ "v": 1, "check": check, "level": level.word(), "what": what, "next": next });
        if let (Value::Object(fields), Some(Value::Object(figures))) = (&mut value, figures) {
            fields.extend(figures.clone());
        }
        value
    }

    pub(super) fn lines(&self, paint: Paint) -> Vec<String> {
        let word = format!("{:<8}", self.level.word());
        let word = match self.level {
            Level::Ok => paint.green(&word),
            Level::Warning => paint.yellow(&word),
            Level::Problem(_) => paint.red(&word),
        };
        let mut lines = vec![format!("{word} {}: {}", self.check, indented(&self.what))];
        lines.extend(self.next.as_ref().map(|next| format!("         → {}", indented(next))));
        lines
    }
}

/// Further lines stand below the first.
fn indented(text: &str) -> String {
    tame(text.trim()).replace('\n', "\n           ")
}

/// An error's words: what it is, and what to do, which stands below, or after the last full stop, or after the last
/// colon.
pub(super) fn split(words: &str) -> (&str, &str) {
    let parts =
        words.split_once('\n').or_else(|| words.rsplit_once(". ")).or_else(|| words.rsplit_once(": "));
    parts.unwrap_or((words, "see above"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_into_what_and_what_next() {
        assert_eq!(split("nothing there (a: b).\nStart one"), ("nothing there (a: b).", "Start one"));
        assert_eq!(split("cannot open x: make room"), ("cannot open x", "make room"));
        assert_eq!(split("cannot open x: it is full: make room"), ("cannot open x: it is full", "make room"));
        assert_eq!(split("x is bare: no files. Clone it"), ("x is bare: no files", "Clone it"));
        assert_eq!(split("odd"), ("odd", "see above"));
    }

    #[test]
    fn a_finding_in_both_forms() {
        let finding = Finding::warning("git", "not\nfound", "install it").with(json!({ "count": 2 }));
        let paint = Paint::new(&std::io::stdout(), true);
        assert_eq!(finding.lines(paint), ["warning  git: not\n           found", "         → install it"]);
        let due = json!({
            "v": 1, "check": "git", "level": "warning", "what": "not\nfound", "next": "install it", "count": 2,
        });
        assert_eq!(finding.json(), due);
        assert_eq!(Finding::ok("sh", "there").lines(paint), ["ok       sh: there"]);
    }
}
