//! Corrections of single lines that a compiler suggests, and casts between integer types that its message spells out.
//!
//! They are applied by the program and judged by the check, so a suggestion that is wrong does no harm.

use super::CodeError;

/// How a line of code has to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    pub path: String,
    pub line: u32,
    /// The whole line, with its indentation.
    pub text: String,
}

const CORRECTIONS_MAX: usize = 8;
/// A longer line may be cut. Bytes.
const LINE_BYTES_MAX: usize = 160;
const INTEGERS: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

/// What the errors suggest, in their order.
pub(super) fn corrections(errors: &[CodeError]) -> Vec<Correction> {
    let of = |error: &CodeError| suggestion(error).or_else(|| cast(error));
    errors.iter().filter_map(of).take(CORRECTIONS_MAX).collect()
}

/// The line below `help:`: `9 |     total(&items)` with marks below it, or `9 +     total(&items)`.
fn suggestion(error: &CodeError) -> Option<Correction> {
    let mut lines = error.text.lines().skip_while(|line| !line.starts_with("help: ")).skip(1);
    let numbered = |line: &str, sign: char| {
        let (number, rest) = line.trim_start().split_once(' ')?;
        let rest = rest.strip_prefix(sign)?;
        Some((number.parse::<u32>().ok()?, rest.strip_prefix(' ').unwrap_or(rest).to_owned()))
    };
    let first = lines.next()?;
    let is_marks = |line: &str| {
        let marks = line.trim_start().strip_prefix('|').unwrap_or_default().trim();
        !marks.is_empty() && marks.chars().all(|sign| matches!(sign, '+' | '~' | ' '))
    };
    let (line, text) = match numbered(first, '-') {
        Some(_) => numbered(lines.next()?, '+')?,
        None => numbered(first, '|').filter(|_| lines.next().is_some_and(is_marks))?,
    };
    let text = without_gaps(&text);
    // A gap that somebody has to fill is no correction.
    let is_whole = !text.contains("/*") && !text.contains("...") && text.len() < LINE_BYTES_MAX;
    is_whole.then(|| Correction { path: error.path.clone(), line, text })
}

/// A line with `None` for each argument that is missing and may be none: `count(birds, /* Option<&str> */)`.
fn without_gaps(text: &str) -> String {
    let mut filled = text.to_owned();
    while let Some(from) = filled.find("/* Option<") {
        let Some(len) = filled.get(from..).and_then(|rest| rest.find("*/")) else { break };
        filled.replace_range(from..from + len + 2, "None");
    }
    filled
}

/// ``expected `u32`, found `usize` `` below a value: the value is cast.
fn cast(error: &CodeError) -> Option<Correction> {
    let mut lines = error.text.lines().skip_while(|line| !line.trim_start().starts_with("-->")).skip(1);
    let (number, code) = lines.next()?.split_once(" | ")?;
    let marks = lines.next()?.split_once("| ")?.1;
    let (from, to) = (marks.find('^')?, marks.rfind('^')? + 1);
    let label = marks.get(to..)?;
    let (wanted, found) = label.split_once("expected `")?.1.split_once("`, found `")?;
    let found = found.split('`').next()?;
    // Marks stand below columns, and these are bytes only in plain text.
    let is_plain = code.is_ascii() && code.len() < LINE_BYTES_MAX;
    let are_integers = is_plain && INTEGERS.contains(&wanted) && INTEGERS.contains(&found);
    let (before, value, after) = (code.get(..from)?, code.get(from..to)?, code.get(to..)?);
    let text = format!("{before}({value} as {wanted}){after}");
    let line = number.trim().parse().ok()?;
    (are_integers && !value.contains('^')).then(|| Correction { path: error.path.clone(), line, text })
}

#[cfg(test)]
mod tests {
    use super::super::read_output;

    fn corrected(output: &str) -> Vec<(u32, String)> {
        let all = read_output(output).corrections;
        all.into_iter().map(|one| (one.line, one.text)).collect()
    }

    #[test]
    fn integers_are_cast_where_the_message_says_so() {
        let output = "error[E0308]: mismatched types\n --> src/chart.rs:8:36\n  |\n8 |     let filled = (value.min(max) * width / max) as usize;\n  |                                    ^^^^^ expected `u32`, found `usize`\n\n";
        let due = "    let filled = (value.min(max) * (width as u32) / max) as usize;".to_owned();
        assert_eq!(corrected(output), [(8, due)]);
    }

    #[test]
    fn a_suggested_line_is_taken_and_one_with_a_gap_is_not() {
        let borrowed = "error[E0308]: mismatched types\n --> src/main.rs:9:11\n  |\n9 |     total(items);\n  |     ----- ^^^^^ expected `&[i32]`, found `Vec<i32>`\n  |     |\n  |     arguments to this function are incorrect\n  |\nhelp: consider borrowing here\n  |\n9 |     total(&items);\n  |           +\n\n";
        assert_eq!(corrected(borrowed), [(9, "    total(&items);".to_owned())]);
        let replaced = "error[E0599]: no function or associated item named `repeat` found\n --> src/a.rs:8:27\n  |\n8 |         let bar = String::repeat(\"#\", filled);\n  |                           ^^^^^^ not found in `String`\n  |\nhelp: the function `repeat` is implemented on `str`\n  |\n8 -         let bar = String::repeat(\"#\", filled);\n8 +         let bar = str::repeat(\"#\", filled);\n  |\n";
        assert_eq!(corrected(replaced), [(8, "        let bar = str::repeat(\"#\", filled);".to_owned())]);
        let gap = "error[E0061]: this function takes 3 arguments but 2 arguments were supplied\n --> src/report.rs:9:19\n  |\n9 |         let bar = bar(*kwh, 20);\n  |                   ^^^---------- argument #3 of type `usize` is missing\n  |\nhelp: provide the argument\n  |\n9 |         let bar = bar(*kwh, 20, /* usize */);\n  |                               +++++++++++++\n";
        assert!(corrected(gap).is_empty());
        let optional = gap.replace("/* usize */", "/* Option<&str> */");
        assert_eq!(corrected(&optional), [(9, "        let bar = bar(*kwh, 20, None);".to_owned())]);
        let strings = "error[E0308]: mismatched types\n --> src/a.rs:3:5\n  |\n3 |     name\n  |     ^^^^ expected `String`, found `&str`\n\n";
        assert!(corrected(strings).is_empty());
    }
}
