//! An edit that is right, and the same after a drift.

/// A file, lines of it that stand there once, and what takes their place.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) before: String,
    pub(crate) old: String,
    pub(crate) new: String,
    /// Another file of the same kind, the nearest there is.
    pub(crate) other: Option<String>,
}

impl Sample {
    pub(crate) fn after(&self) -> String {
        self.before.replacen(&self.old, &self.new, 1)
    }

    /// Whole lines that stand in the file once and say something, and a change of more than white space: so that the edit
    /// can be told from every other, and what should come of it is not in doubt.
    pub(crate) fn is_clear(&self) -> bool {
        const CHARS_MIN: usize = 10;
        let is_whole = self.before.starts_with(&self.old) || self.before.contains(&format!("\n{}", self.old));
        is_whole
            && self.before.matches(&self.old).count() == 1
            && self.old.ends_with('\n')
            && self.old != self.new
            && self.old.trim().len() >= CHARS_MIN
            && !self.before.contains(['\r', '\u{feff}'])
            && !self.is_about_white_space()
    }

    /// Nothing but white space changes, or a line changes at its end by white space alone.
    fn is_about_white_space(&self) -> bool {
        let ends_otherwise =
            |line: &str| self.new.lines().any(|other| other != line && other.trim_end() == line.trim_end());
        trimmed(&self.old) == trimmed(&self.new) || self.old.lines().any(ends_otherwise)
    }

    /// Whether a file holds the text, white space at both ends of lines and blank lines aside.
    pub(crate) fn is_in(&self, file: &str) -> bool {
        let (file, lines) = (trimmed(file), trimmed(&self.old));
        file.windows(lines.len().max(1)).any(|window| window == lines)
    }

    /// Neither the file's part nor the edit holds any of these.
    pub(crate) fn is_free_of(&self, chars: &[char]) -> bool {
        !self.old.contains(chars) && !self.new.contains(chars)
    }

    /// The lines of `old` that `new` repeats as they are, by number: those that stand in each of them once.
    pub(crate) fn context(&self) -> Vec<usize> {
        let once =
            |text: &str, line: &str| text.lines().filter(|other| other.trim() == line.trim()).count() == 1;
        let lines = self.old.lines().enumerate();
        lines
            .filter(|(_, line)| self.new.lines().any(|other| other == *line))
            .filter(|(_, line)| once(&self.old, line) && once(&self.new, line))
            .map(|(at, _)| at)
            .collect()
    }

    /// The edit with lines of `old` in another form, by number; `new` has those it repeats in that form too, if asked.
    pub(crate) fn with_lines(&self, made: &[(usize, String)], sides: Sides) -> Option<Drifted> {
        let lines: Vec<&str> = self.old.lines().collect();
        let form = |at: usize| made.iter().find(|(number, _)| *number == at).map(|(_, line)| line.as_str());
        let old: String =
            lines.iter().enumerate().map(|(at, line)| format!("{}\n", form(at).unwrap_or(line))).collect();
        let context = if sides == Sides::Both { self.context() } else { Vec::new() };
        let repeated =
            |line: &str| context.iter().find(|at| lines.get(**at) == Some(&line)).and_then(|at| form(*at));
        let new: String =
            self.new.lines().map(|line| format!("{}\n", repeated(line).unwrap_or(line))).collect();
        (old != self.old && old != new).then(|| Drifted::new(self, old, new))
    }
}

/// The lines that are not blank, without their indentation.
pub(crate) fn trimmed(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// Which texts of an edit drift.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sides {
    Needle,
    Both,
}

/// An edit as a model sends it.
#[derive(Debug, Clone)]
pub(crate) struct Drifted {
    pub(crate) before: String,
    pub(crate) old: String,
    pub(crate) new: String,
    /// What must come of it; none if nothing may.
    pub(crate) after: Option<String>,
}

impl Drifted {
    pub(crate) fn new(sample: &Sample, old: String, new: String) -> Drifted {
        Drifted { before: sample.before.clone(), old, new, after: Some(sample.after()) }
    }

    pub(crate) fn refused(sample: &Sample, before: String) -> Drifted {
        Drifted { before, old: sample.old.clone(), new: sample.new.clone(), after: None }
    }
}

/// The needle and the replacement in another form.
pub(crate) fn both(sample: &Sample, drift: impl Fn(&str) -> String) -> Option<Drifted> {
    let (old, new) = (drift(&sample.old), drift(&sample.new));
    (old != sample.old && old != new).then(|| Drifted::new(sample, old, new))
}

/// The needle in another form, the replacement as it should be.
pub(crate) fn needle(sample: &Sample, drift: impl Fn(&str) -> String) -> Option<Drifted> {
    let old = drift(&sample.old);
    (old != sample.old && old != sample.new).then(|| Drifted::new(sample, old, sample.new.clone()))
}

/// A text with each line that is not blank changed.
pub(crate) fn each(text: &str, drift: impl Fn(&str) -> String) -> String {
    let drifted = |line: &str| if line.trim().is_empty() { line.to_owned() } else { drift(line) };
    text.split('\n').map(drifted).collect::<Vec<_>>().join("\n")
}

/// Xorshift: the same draws everywhere.
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) fn new(seed: u64) -> Draw {
        Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        for _ in 0..3 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
        }
        (self.0 % bound.max(1) as u64) as usize
    }

    /// One of them, if there is any.
    pub(crate) fn of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }

    /// In another order.
    pub(crate) fn shuffle<T>(&mut self, all: &mut [T]) {
        for at in (1..all.len()).rev() {
            all.swap(at, self.below(at + 1));
        }
    }
}
