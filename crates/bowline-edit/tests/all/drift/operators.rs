//! The ways in which an edit drifts. Each gives none for a sample that it would leave as it is.

use super::samples::Sample;
use super::{Draw, plain};

/// An edit as a model sends it.
pub(crate) struct Drifted {
    pub(crate) before: String,
    pub(crate) old: String,
    pub(crate) new: String,
    /// What must come of it; none if it has to be refused.
    pub(crate) after: Option<String>,
}

impl Drifted {
    pub(crate) fn new(sample: &Sample, old: String, new: String) -> Drifted {
        Drifted { before: sample.before.clone(), old, new, after: Some(sample.after()) }
    }
}

pub(crate) type Operator = fn(&Sample, &mut Draw) -> Option<Drifted>;

pub(crate) const OPERATORS: [(&str, Operator); 54] = [
    ("plain", plain),
    ("trailing, needle", |sample, _| needle(sample, |text| each(text, |line| format!("{line}  ")))),
    ("trailing, file", trailing_in_file),
    ("dedent, both", |sample, _| {
        both(sample, dedent_by(&sample.old)).filter(|_| least(&sample.new) >= least(&sample.old))
    }),
    ("dedent, needle", |sample, _| needle(sample, dedent_by(&sample.old))),
    ("indent, both", |sample, _| both(sample, |text| each(text, |line| format!("    {line}")))),
    ("indent, needle", |sample, _| needle(sample, |text| each(text, |line| format!("  {line}")))),
    ("two for four, both", |sample, _| both(sample, |text| each(text, halved))),
    ("two for four, needle", |sample, _| needle(sample, |text| each(text, halved))),
    ("tabs, both", |sample, _| both(sample, |text| each(text, tabbed))),
    ("tabs, needle", |sample, _| needle(sample, |text| each(text, tabbed))),
    ("first line dropped, trailing", first_dropped),
    ("curly quotes, both", |sample, _| both(sample, curly)),
    ("curly quotes, needle", |sample, _| needle(sample, curly)),
    ("dashes, both", |sample, _| both(sample, |text| text.replace('-', "\u{2011}"))),
    ("no-break space, both", |sample, _| both(sample, |text| each(text, no_break))),
    ("zero width, needle", |sample, _| needle(sample, |text| text.replacen(' ', " \u{200b}", 3))),
    ("numbers, both", |sample, _| both(sample, numbered)),
    ("numbers, needle", |sample, _| needle(sample, numbered)),
    ("numbers in brackets, both", |sample, _| {
        both(sample, |text| listed(text, |number| format!("[{number}] ")))
    }),
    ("numbers, colon, both", |sample, _| both(sample, |text| listed(text, |number| format!("{number}: ")))),
    ("numbers, arrow, needle", |sample, _| {
        needle(sample, |text| listed(text, |number| format!("{number:6}\u{2192}")))
    }),
    ("numbers on some, needle", |sample, _| {
        needle(sample, |text| {
            listed(text, |number| if number % 3 == 2 { String::new() } else { format!("{number} | ") })
        })
    }),
    ("bars, both", |sample, _| both(sample, |text| listed(text, |_| "| ".to_owned()))),
    ("diff, both", |sample, _| {
        let (old, new) = (marked(&sample.old, &sample.new, '-'), marked(&sample.new, &sample.old, '+'));
        (!new.is_empty()).then(|| Drifted::new(sample, old, new))
    }),
    ("block marks, both", |sample, _| {
        let old = format!("<<<<<<< SEARCH\n{}=======", sample.old);
        Some(Drifted::new(sample, old, format!("{}>>>>>>> REPLACE", sample.new)))
    }),
    ("CDATA, both", |sample, _| both(sample, |text| format!("<![CDATA[{text}]]>"))),
    ("path, both", |sample, _| both(sample, |text| format!("src/main.rs\n{text}"))),
    ("entities, both", |sample, _| both(sample, entities)),
    ("entities, needle", |sample, _| needle(sample, entities)),
    ("backticks escaped, both", |sample, _| both(sample, |text| text.replace('`', "\\`"))),
    ("backticks escaped, needle", |sample, _| needle(sample, |text| text.replace('`', "\\`"))),
    ("slashes escaped, both", |sample, _| both(sample, |text| text.replace('/', "\\/"))),
    ("backslashes doubled, both", |sample, _| both(sample, |text| text.replace('\\', "\\\\"))),
    ("absent, numbered", |sample, draw| {
        let absent = absent(sample, draw)?;
        let drift = |text: &str| listed(text, |number| format!("{number}: "));
        Some(Drifted { old: drift(&absent.old), new: drift(&absent.new), ..absent })
    }),
    ("absent, entities", |sample, draw| {
        let absent = absent(sample, draw)?;
        Some(Drifted { old: entities(&absent.old), new: entities(&absent.new), ..absent })
    }),
    ("fence, both", |sample, _| both(sample, |text| format!("```rust\n{text}```"))),
    ("breaks written out, both", |sample, _| {
        both(sample, |text| text.strip_suffix('\n').unwrap_or(text).replace('\n', "\\n"))
    }),
    ("breaks written out, needle", |sample, _| {
        needle(sample, |text| text.strip_suffix('\n').unwrap_or(text).replace('\n', "\\n"))
    }),
    ("quotes escaped, both", |sample, _| {
        both(sample, |text| text.replace('\\', "\\\\").replace('"', "\\\""))
    }),
    ("quotes swapped, both", |sample, _| both(sample, |text| text.replace('"', "'"))),
    ("quotes swapped, needle", |sample, _| needle(sample, |text| text.replace('"', "'"))),
    ("joined, needle", |sample, _| {
        needle(sample, |text| each(text, |line| line.trim().to_owned()).replace('\n', " "))
    }),
    ("spaces collapsed, needle", |sample, _| {
        needle(sample, |text| each(text, |line| line.replace(", ", ",").replace("  ", " ")))
    }),
    ("typo, both", |sample, draw| typos(sample, draw, 1, true)),
    ("typo, needle", |sample, draw| typos(sample, draw, 1, false)),
    ("typo per line, both", |sample, draw| typos(sample, draw, usize::MAX, true)),
    ("typo per line, needle", |sample, draw| typos(sample, draw, usize::MAX, false)),
    ("line left out, both", |sample, draw| left_out(sample, draw, true)),
    ("line left out, needle", |sample, draw| left_out(sample, draw, false)),
    ("blank lines dropped, needle", |sample, _| needle(sample, no_blank)),
    ("absent", absent),
    ("absent, renamed", renamed),
    ("twice", twice),
];

fn both(sample: &Sample, drift: impl Fn(&str) -> String) -> Option<Drifted> {
    let (old, new) = (drift(&sample.old), drift(&sample.new));
    (old != sample.old && old != new).then(|| Drifted::new(sample, old, new))
}

fn needle(sample: &Sample, drift: impl Fn(&str) -> String) -> Option<Drifted> {
    let old = drift(&sample.old);
    (old != sample.old && old != sample.new).then(|| Drifted::new(sample, old, sample.new.clone()))
}

/// A text with each line that is not blank changed.
fn each(text: &str, drift: impl Fn(&str) -> String) -> String {
    let drifted = |line: &str| if line.trim().is_empty() { line.to_owned() } else { drift(line) };
    text.split('\n').map(drifted).collect::<Vec<_>>().join("\n")
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn least(text: &str) -> usize {
    text.lines().filter(|line| !line.trim().is_empty()).map(indent_of).min().unwrap_or(0)
}

fn dedent_by(text: &str) -> impl Fn(&str) -> String {
    let least = least(text);
    move |text| each(text, |line| line[least.min(indent_of(line))..].to_owned())
}

fn halved(line: &str) -> String {
    " ".repeat(indent_of(line) / 2) + line.trim_start()
}

fn tabbed(line: &str) -> String {
    let indent = indent_of(line);
    if line.starts_with('\t') {
        return "    ".repeat(indent) + line.trim_start();
    }
    if indent.is_multiple_of(4) { "\t".repeat(indent / 4) + line.trim_start() } else { line.to_owned() }
}

fn curly(text: &str) -> String {
    let mut open = false;
    text.chars()
        .map(|char| match char {
            '"' => {
                open = !open;
                if open { '\u{201c}' } else { '\u{201d}' }
            }
            '\'' => '\u{2019}',
            other => other,
        })
        .collect()
}

fn no_break(line: &str) -> String {
    let indent = indent_of(line);
    line[..indent].to_owned() + &line[indent..].replace(' ', "\u{a0}")
}

fn numbered(text: &str) -> String {
    let lines = text.strip_suffix('\n').unwrap_or(text).split('\n').enumerate();
    lines.map(|(at, line)| format!("{}| {line}", at + 41)).collect::<Vec<_>>().join("\n") + "\n"
}

/// Each line with what a listing puts before it.
fn listed(text: &str, gutter: impl Fn(usize) -> String) -> String {
    let lines = text.strip_suffix('\n').unwrap_or(text).split('\n').enumerate();
    lines.map(|(at, line)| gutter(at + 41) + line).collect::<Vec<_>>().join("\n") + "\n"
}

/// The lines as a diff shows them: those that the other side has not with a mark.
fn marked(text: &str, other: &str, mark: char) -> String {
    let kept = |line: &str| other.lines().any(|other| other == line);
    text.lines().map(|line| format!("{}{line}\n", if kept(line) { ' ' } else { mark })).collect()
}

fn entities(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

/// Without the blank lines between others; those at the ends stay, where it would be another exact edit.
fn no_blank(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let is_inner = |at: usize| at > 0 && at + 1 < lines.len() && !lines[at - 1].trim().is_empty();
    let kept = lines.iter().enumerate().filter(|(at, line)| !line.trim().is_empty() || !is_inner(*at));
    kept.map(|(_, line)| format!("{line}\n")).collect()
}

fn trailing_in_file(sample: &Sample, _: &mut Draw) -> Option<Drifted> {
    let spaced = |text: &str| {
        text.lines()
            .map(|line| if line.len() % 3 == 0 { format!("{line} \n") } else { format!("{line}\n") })
            .collect::<String>()
    };
    let before = sample.before.replacen(&sample.old, &spaced(&sample.old), 1);
    let kept: Vec<&str> = sample.old.lines().collect();
    let new: String = sample
        .new
        .lines()
        .map(|line| {
            if kept.contains(&line) && line.len() % 3 == 0 {
                format!("{line} \n")
            } else {
                format!("{line}\n")
            }
        })
        .collect();
    // A line that is there twice, or moved, has no form of its own.
    let all: Vec<&str> = sample.old.lines().chain(sample.new.lines()).collect();
    let unique = kept.iter().all(|line| all.iter().filter(|other| other.trim() == line.trim()).count() <= 2);
    let after = sample.before.replacen(&sample.old, &new, 1);
    (before != sample.before && unique).then(|| Drifted {
        before,
        old: sample.old.clone(),
        new: sample.new.clone(),
        after: Some(after),
    })
}

fn first_dropped(sample: &Sample, _: &mut Draw) -> Option<Drifted> {
    let dropped = |text: &str| text.trim_start().to_owned();
    let old = each(&dropped(&sample.old), |line| format!("{line} "));
    (dropped(&sample.old) != sample.old && sample.old.lines().count() > 1 && !sample.new.trim().is_empty())
        .then(|| Drifted::new(sample, old, dropped(&sample.new)))
}

fn typos(sample: &Sample, draw: &mut Draw, count: usize, everywhere: bool) -> Option<Drifted> {
    let lines: Vec<&str> = sample.old.lines().collect();
    if lines.iter().filter(|line| !line.trim().is_empty()).count() < 2 {
        return None;
    }
    let mut order: Vec<usize> = (0..lines.len()).collect();
    for at in (1..order.len()).rev() {
        order.swap(at, draw.below(at + 1));
    }
    let mut made: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    let mut left = count;
    for at in order {
        if let (1.., Some(line)) = (left, typo(lines[at], draw)) {
            made[at] = line;
            left -= 1;
        }
    }
    let old: String = made.iter().map(|line| format!("{line}\n")).collect();
    let new: String = sample
        .new
        .lines()
        .map(|line| match lines.iter().position(|other| *other == line).filter(|_| everywhere) {
            Some(at) => format!("{}\n", made[at]),
            None => format!("{line}\n"),
        })
        .collect();
    (old != sample.old && old != new).then(|| Drifted::new(sample, old, new))
}

fn typo(line: &str, draw: &mut Draw) -> Option<String> {
    let words: Vec<&str> =
        line.split(|char: char| !char.is_ascii_alphabetic()).filter(|word| word.len() >= 4).collect();
    let word = *words.get(draw.below(words.len()))?;
    let at = draw.below(word.len() - 1);
    let (a, b) = (&word[at..=at], &word[at + 1..at + 2]);
    let made = match draw.below(4) {
        0 => format!("{}{b}{a}{}", &word[..at], &word[at + 2..]),
        1 => format!("{}{}", &word[..at], &word[at + 1..]),
        2 => format!("{}{a}{}", &word[..=at], &word[at + 1..]),
        _ => format!("{}x{}", &word[..at], &word[at + 1..]),
    };
    (made != word).then(|| line.replacen(word, &made, 1))
}

fn left_out(sample: &Sample, draw: &mut Draw, everywhere: bool) -> Option<Drifted> {
    let lines: Vec<&str> = sample.old.lines().collect();
    let inner: Vec<usize> = (1..lines.len().checked_sub(1)?)
        .filter(|at| !lines[*at].trim().is_empty() && sample.new.lines().any(|line| line == lines[*at]))
        .collect();
    let at = *inner.get(draw.below(inner.len()))?;
    let gone = lines[at];
    if lines.iter().chain(&sample.new.lines().collect::<Vec<_>>()).filter(|line| **line == gone).count() > 2 {
        return None;
    }
    let without = |text: &str| {
        text.lines().filter(|line| *line != gone).map(|line| format!("{line}\n")).collect::<String>()
    };
    let (old, new) =
        (without(&sample.old), if everywhere { without(&sample.new) } else { sample.new.clone() });
    (old != new).then(|| Drifted::new(sample, old, new))
}

/// The text is not in the file at all.
fn absent(sample: &Sample, _: &mut Draw) -> Option<Drifted> {
    let before = sample.before.replacen(&sample.old, "", 1);
    (!before.contains(sample.old.trim())).then(|| Drifted {
        before,
        old: sample.old.clone(),
        new: sample.new.clone(),
        after: None,
    })
}

/// The file has the like of it, for another thing.
fn renamed(sample: &Sample, draw: &mut Draw) -> Option<Drifted> {
    let words: Vec<&str> =
        sample.old.split(|char: char| !char.is_ascii_alphanumeric()).filter(|word| word.len() >= 3).collect();
    let word = *words.get(draw.below(words.len()))?;
    let other = *["other", "left", "item2", "Result", "next", "x"].get(draw.below(6))?;
    let before = sample.before.replace(word, other);
    let there = sample.before.find(&sample.old)?;
    (before != sample.before && !before.contains(sample.old.trim()) && there < before.len())
        .then(|| Drifted { before, old: sample.old.clone(), new: sample.new.clone(), after: None })
}

/// The text is there a second time, indented otherwise, and the needle as neither.
fn twice(sample: &Sample, _: &mut Draw) -> Option<Drifted> {
    let again = each(&sample.old, |line| format!("  {line}"));
    let before = format!("{}\n{again}", sample.before);
    let old = each(&sample.old, |line| format!("\t\t{line}"));
    Some(Drifted { before, old, new: each(&sample.new, |line| format!("\t\t{line}")), after: None })
}
