//! Case files for what is drawn: `== name` (as `##` is a heading), the input, a line `--`, the rows that are due. `UPDATE_EXPECT=1` rewrites
//! the latter. A name may set what the case needs, as in `columns=40`; styles are shown as `«bold cyan:words»`, and a
//! row is followed by `|` where its end could not be seen.

use std::fmt::Write as _;

use crate::rows::{Row, Style};

/// Runs every case of `tests/cases/FILE` through `check`, which gets the name and the input.
pub(crate) fn check(file: &str, check: impl Fn(&str, &str) -> String) {
    let path = format!("{}/tests/cases/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let (head, cases) = text.split_once("\n== ").unwrap();
    let mut now = format!("{head}\n");
    let mut wrong = Vec::new();
    for case in cases.split("\n== ") {
        let (name, rest) = case.split_once('\n').unwrap();
        let (input, due) =
            format!("\n{rest}\n").split_once("\n--\n").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        let input = input.strip_prefix('\n').unwrap_or(&input);
        let is = check(name, input);
        let _ = write!(now, "== {name}\n{input}\n--\n{}\n\n", is.trim_end());
        if is.trim_end() != due.trim_end() {
            wrong.push(format!("== {name}\ndue:\n{due}\nis:\n{is}"));
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, format!("{}\n", now.trim_end())).unwrap();
    } else {
        assert!(wrong.is_empty(), "UPDATE_EXPECT=1 rewrites these:\n{}", wrong.join("\n"));
    }
}

/// The number a name sets for a word.
pub(crate) fn number(name: &str, word: &str) -> Option<usize> {
    name.split(' ').find_map(|part| part.strip_prefix(word)?.strip_prefix('=')?.parse().ok())
}

/// Rows with their styles in words.
pub(crate) fn shown(rows: &[Row]) -> String {
    let shown = |row: &Row| {
        let text = row.spans().iter().map(|span| marked(&span.text, span.style)).collect::<String>();
        if row.is_empty() || text.ends_with(' ') { format!("{text}|\n") } else { format!("{text}\n") }
    };
    rows.iter().map(shown).collect()
}

fn marked(text: &str, style: Style) -> String {
    let flags = [
        (style.is_bold, "bold"),
        (style.is_dim, "dim"),
        (style.is_italic, "italic"),
        (style.is_underlined, "underlined"),
    ];
    let mut words: Vec<_> =
        flags.iter().filter(|(is_set, _)| *is_set).map(|(_, word)| (*word).to_owned()).collect();
    words.extend(style.colour.map(|colour| format!("{colour:?}").to_lowercase()));
    if words.is_empty() { text.to_owned() } else { format!("«{}:{text}»", words.join(" ")) }
}
