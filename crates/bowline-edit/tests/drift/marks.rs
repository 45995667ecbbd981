//! What stands before each line, around a text or before its signs: other gutters, marks of diffs and blocks, entities.

use super::artefacts::numbered;
use super::sample::{both, needle};
use super::{Class, Drifted, Operator, of};

const MADE: Class = Class::Artefacts;

pub(crate) const OPERATORS: [Operator; 13] = [
    of("numbers in brackets, both", MADE, |sample, _| {
        both(sample, |text| numbered(text, |at| format!("[{at}] ")))
    }),
    of("numbers and arrows, needle", MADE, |sample, _| {
        needle(sample, |text| numbered(text, |at| format!("{at:>6}\u{2192}")))
    }),
    of("numbers on some, needle", MADE, |sample, _| {
        let gutter = |at| if at % 3 == 2 { String::new() } else { format!("{at} | ") };
        needle(sample, |text| numbered(text, gutter))
    }),
    of("bars, both", MADE, |sample, _| both(sample, |text| numbered(text, |_| "| ".to_owned()))),
    of("diff, both", MADE, |sample, _| {
        let (old, new) = (marked(&sample.old, &sample.new, '-'), marked(&sample.new, &sample.old, '+'));
        (!new.is_empty()).then(|| Drifted::new(sample, old, new))
    }),
    of("block marks, both", MADE, |sample, _| {
        let old = format!("<<<<<<< SEARCH\n{}=======", sample.old);
        Some(Drifted::new(sample, old, format!("{}>>>>>>> REPLACE", sample.new)))
    }),
    of("CDATA, both", MADE, |sample, _| both(sample, |text| format!("<![CDATA[{text}]]>"))),
    of("path, both", MADE, |sample, _| both(sample, |text| format!("src/main.rs\n{text}"))),
    of("entities, both", MADE, |sample, _| both(sample, entities)),
    of("entities, needle", MADE, |sample, _| needle(sample, entities)),
    of("backticks escaped, both", MADE, |sample, _| both(sample, |text| text.replace('`', "\\`"))),
    of("slashes escaped, both", MADE, |sample, _| both(sample, |text| text.replace('/', "\\/"))),
    of("backslashes doubled, both", MADE, |sample, _| both(sample, |text| text.replace('\\', "\\\\"))),
];

/// The lines as a diff shows them: those that the other side has not with a mark.
fn marked(text: &str, other: &str, mark: char) -> String {
    let is_kept = |line: &str| other.lines().any(|other| other == line);
    text.lines().map(|line| format!("{}{line}\n", if is_kept(line) { ' ' } else { mark })).collect()
}

fn entities(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}
