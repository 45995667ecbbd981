//! Prints a diff of many files: coloured on a terminal, unchanged for a program.

use std::io::{IsTerminal as _, Write as _};

use crate::diff;
use crate::output::print_line;
use crate::paint::Paint;
use crate::rows::{Row, Style};

/// The width of a terminal that does not report one.
const COLUMNS: usize = 100;
/// The most rows of one file.
const ROWS_MAX: usize = 2_000;
const FILE: &str = "diff --git ";

/// Prints a diff to stdout.
pub(crate) fn print(diff: &[u8], is_plain: bool) {
    if !std::io::stdout().is_terminal() {
        // A reader that has seen enough is no failure.
        let _ = std::io::stdout().write_all(diff);
        return;
    }
    let paint = Paint::new(&std::io::stdout(), is_plain);
    rows(&String::from_utf8_lossy(diff), columns()).iter().for_each(|row| print_line(&row.paint(paint)));
}

/// The width of the terminal on stdout.
pub(crate) fn columns() -> usize {
    let size = rustix::termios::tcgetwinsize(std::io::stdout());
    size.map_or(COLUMNS, |size| usize::from(size.ws_col)).max(40)
}

/// Each file with its name above it.
pub(crate) fn rows(diff: &str, columns: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for part in files(diff) {
        if !rows.is_empty() {
            rows.push(Row::default());
        }
        rows.push(Row::of(&name(part), Style::BOLD).cut(columns));
        rows.extend(diff::rows(part, columns, ROWS_MAX));
    }
    rows
}

/// The diffs of single files, in their order.
fn files(diff: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = diff.match_indices(FILE).map(|(at, _)| at).collect();
    // Within a line it is somebody's text.
    starts.retain(|at| *at == 0 || diff.as_bytes().get(at - 1) == Some(&b'\n'));
    let ends = starts.iter().skip(1).copied().chain([diff.len()]);
    starts.iter().zip(ends).filter_map(|(start, end)| diff.get(*start..end)).collect()
}

/// The file's name, and whether it was created or deleted.
fn name(part: &str) -> String {
    let head: Vec<&str> = part.lines().take_while(|line| !line.starts_with("@@")).collect();
    let side = |mark: &str| {
        let line = head.iter().find_map(|line| line.strip_prefix(mark))?;
        Some(line.trim_end_matches('\t')).filter(|path| *path != "/dev/null").map(cut_side)
    };
    let both = || head.first().and_then(|line| line.rsplit_once(" b/")).map(|(_, path)| path.to_owned());
    let path = side("+++ ").or_else(|| side("--- ")).or_else(both).unwrap_or_default();
    let has = |start: &str| head.iter().any(|line| line.starts_with(start));
    match (has("new file"), has("deleted file")) {
        (true, _) => format!("{path} (new)"),
        (_, true) => format!("{path} (deleted)"),
        _ => path,
    }
}

/// `a/src/lib.rs` without its side, and without the quotes a strange name is in.
fn cut_side(path: &str) -> String {
    let path = path.strip_prefix('"').and_then(|path| path.strip_suffix('"')).unwrap_or(path);
    path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_and_named() {
        let diff = "diff --git a/one.txt b/one.txt\nindex 1..2 100644\n--- a/one.txt\n+++ b/one.txt\n@@ -1 +1 @@\n-diff --git old\n+new\n\
                    diff --git a/two b/two\nnew file mode 100755\n--- /dev/null\n+++ b/two\n@@ -0,0 +1 @@\n+x\n\
                    diff --git a/old b/old\ndeleted file mode 100644\nBinary files a/old and /dev/null differ\n";
        let text: Vec<String> = rows(diff, 80).iter().map(Row::text).collect();
        let names: Vec<&str> = files(diff).into_iter().map(|part| part.lines().next().unwrap()).collect();
        assert_eq!(names.len(), 3, "{names:?}");
        assert_eq!(text[0], "one.txt");
        assert!(text.contains(&"two (new)".to_owned()), "{text:?}");
        assert!(text.contains(&"old (deleted)".to_owned()), "{text:?}");
        assert_eq!(cut_side("\"a/with \\\"quotes\\\"\""), "with \\\"quotes\\\"");
        assert_eq!(cut_side("b/apple/b"), "apple/b");
    }
}
