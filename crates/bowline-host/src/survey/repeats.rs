//! Other functions of a file that have a statement which crashed, or the expression in it that a traceback marks.
//!
//! A function that looks at the value before it gets there is left out: it may be right as it is.

use bowline_core::place::{self, PlaceKind, Repeat, Statement, Survey};

use super::source;
use crate::workspace::Workspace;

/// Repeats of one statement.
const REPEATS_MAX: usize = 4;
/// A shorter text is repeated by accident.
const CHARS_MIN: usize = 6;
/// How a line begins that looks at a value or catches what goes wrong with it.
const GUARDS: [&str; 9] = ["if", "elif", "else if", "unless", "guard", "try", "while", "assert", "} else if"];

/// The statements, each with where it is repeated.
pub(super) fn with_repeats(
    workspace: &Workspace,
    survey: &Survey,
    statements: Vec<Statement>,
    marked: &[String],
) -> Vec<Statement> {
    let completed = |statement: Statement| {
        let text = source(workspace, &statement.path).map(|source| source.text).unwrap_or_default();
        Statement { repeats: repeats(survey, &text, &statement, marked), ..statement }
    };
    statements.into_iter().map(completed).collect()
}

fn repeats(survey: &Survey, text: &str, statement: &Statement, marked: &[String]) -> Vec<Repeat> {
    let first = statement.text.lines().next().unwrap_or_default().trim();
    let expression = marked.iter().map(String::as_str).find(|marked| first.contains(marked));
    let wanted = expression.unwrap_or(first);
    let is_telling = |text: &str| text.len() >= CHARS_MIN && text.contains(['(', '[', '.', '/']);
    let own = survey.at_line(&statement.path, statement.line);
    let lines: Vec<&str> = text.lines().collect();
    let mut repeats: Vec<Repeat> = Vec::new();
    if !is_telling(wanted) {
        return repeats;
    }
    for (line, number) in lines.iter().zip(1_i64..) {
        let is_it = if expression.is_some() { has_expression(line, wanted) } else { line.trim() == wanted };
        let Some(found) = survey.at_line(&statement.path, number).filter(|_| is_it) else { continue };
        let is_known = repeats.iter().any(|known| known.place == found.place);
        let is_other = own.is_none_or(|own| own.place != found.place);
        let before = (found.first_line..number).filter_map(|at| lines.get(usize::try_from(at - 1).ok()?));
        let is_guarded = before.into_iter().any(|line| guards(line, wanted));
        let is_function = found.kind == PlaceKind::Function;
        if is_function && is_other && !is_known && !is_guarded && repeats.len() < REPEATS_MAX {
            repeats.push(Repeat { place: found.place.clone(), line: line.trim().to_owned() });
        }
    }
    repeats
}

/// Whether a line has an expression as a whole: not `print(count)` for `int(count)`.
fn has_expression(line: &str, expression: &str) -> bool {
    let is_part = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '.');
    let is_comment = ["#", "//", "*"].iter().any(|mark| line.trim_start().starts_with(mark));
    let is_whole = |(at, _): (usize, &str)| {
        let before = line.get(..at).unwrap_or_default();
        let after = line.get(at + expression.len()..).unwrap_or_default();
        !before.ends_with(is_part) && !after.starts_with(|sign: char| sign.is_alphanumeric() || sign == '_')
    };
    !is_comment && line.match_indices(expression).any(is_whole)
}

/// Whether a line looks at what an expression uses, or begins to catch errors.
fn guards(line: &str, expression: &str) -> bool {
    let line = line.trim_start();
    let is_guard = |word: &&str| {
        line.strip_prefix(*word)
            .is_some_and(|rest| !rest.starts_with(|sign: char| sign.is_alphanumeric() || sign == '_'))
    };
    let called = place::calls(expression);
    let used = place::identifiers(expression).into_iter().rfind(|name| !called.contains(name));
    let looks = used.is_some_and(|used| place::identifiers(line).contains(&used));
    GUARDS.iter().any(is_guard) && (looks || line.starts_with("try"))
}

#[cfg(test)]
mod tests {
    use super::{guards, has_expression};

    #[test]
    fn an_expression_is_found_as_a_whole() {
        assert!(has_expression("        if best is None or int(count) > best[1]:", "int(count)"));
        assert!(!has_expression("        print(count)", "int(count)"));
        assert!(!has_expression("    # int(count) of the row", "int(count)"));
        assert!(!has_expression("    return items[0]_", "items[0]"));
        assert!(!has_expression("    return my.items[0]", "items[0]"));
    }

    #[test]
    fn a_guard_looks_at_the_same_value() {
        assert!(guards("  if (!config.quiet) return false;", "const { from, to } = config.quiet;"));
        assert!(guards("    try:", "int(count)"));
        assert!(guards("    if count == 'x':", "int(count)"));
        assert!(!guards("    if species:", "int(count)"));
        assert!(!guards("    iffy(count)", "int(count)"));
        assert!(!guards("    for species, count in rows:", "int(count)"));
    }
}
