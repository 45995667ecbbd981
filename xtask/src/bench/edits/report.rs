//! The figures, for people and for programs.

use super::hunk::Hunk;
use super::operators::{Class, operators};
use super::trial::{Trial, Verdict};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

#[derive(Debug, Clone, Copy, Default)]
struct Figures {
    right: usize,
    missed: usize,
    refused: usize,
    wrong: usize,
}

pub(crate) struct Report {
    hunks: BTreeMap<&'static str, usize>,
    rows: Vec<(&'static str, Class, Figures)>,
    /// Of each language, over all operators.
    languages: BTreeMap<&'static str, Figures>,
    seed: u64,
    took: Duration,
}

impl Figures {
    fn count(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Right => self.right += 1,
            Verdict::Missed => self.missed += 1,
            Verdict::Refused => self.refused += 1,
            Verdict::Wrong => self.wrong += 1,
        }
    }

    fn add(mut self, other: &Figures) -> Figures {
        self.right += other.right;
        self.missed += other.missed;
        self.refused += other.refused;
        self.wrong += other.wrong;
        self
    }

    fn cases(&self) -> usize {
        self.right + self.missed + self.refused + self.wrong
    }

    /// Of those that should, in percent; none where nothing should.
    fn landed(&self) -> Option<f64> {
        let should = self.right + self.missed;
        (should > 0).then(|| percent(self.right, should + self.wrong))
    }

    fn json(&self) -> Value {
        json!({
            "cases": self.cases(), "right": self.right, "missed": self.missed, "refused": self.refused,
            "wrong": self.wrong, "landed_percent": self.landed(), "wrong_percent": percent(self.wrong, self.cases()),
        })
    }

    fn line(&self, name: &str) -> String {
        let landed = self.landed().map_or_else(|| "      –".to_owned(), |landed| format!("{landed:6.1}%"));
        let wrong = percent(self.wrong, self.cases());
        let (cases, right, missed) = (self.cases(), self.right, self.missed);
        format!(
            "{name:34}{cases:7}{right:8}{missed:8}{:9}{:7} {landed}{wrong:7.2}%\n",
            self.refused, self.wrong
        )
    }
}

fn percent(part: usize, whole: usize) -> f64 {
    (part as f64 * 10_000.0 / whole.max(1) as f64).round() / 100.0
}

fn class_name(class: Class) -> &'static str {
    match class {
        Class::Plain => "no drift",
        Class::WhiteSpace => "white space, tabs, CRLF",
        Class::LookAlikes => "Unicode",
        Class::Artefacts => "artefacts",
        Class::Typos => "one typo, punctuation, quotes",
        Class::LeftOut => "a line omitted",
        Class::Guesses => "misremembered",
        Class::Refused => "to be refused",
    }
}

impl Report {
    pub(crate) fn new(hunks: &[Hunk], trials: &[Trial], seed: u64, took: Duration) -> Report {
        let mut by_operator: BTreeMap<&str, Figures> = BTreeMap::new();
        let mut languages: BTreeMap<&'static str, Figures> = BTreeMap::new();
        let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
        hunks.iter().for_each(|hunk| *counts.entry(hunk.language.name()).or_default() += 1);
        for trial in trials {
            by_operator.entry(trial.operator.name).or_default().count(trial.verdict);
            let language = hunks[trial.hunk].language.name();
            languages.entry(language).or_default().count(trial.verdict);
        }
        let row = |operator: &'static super::operators::Operator| {
            let figures = by_operator.get(operator.name)?;
            Some((operator.name, operator.class, *figures))
        };
        let mut rows: Vec<_> = operators().filter_map(row).collect();
        rows.sort_by_key(|(_, class, _)| *class);
        Report { hunks: counts, rows, languages, seed, took }
    }

    fn classes(&self) -> BTreeMap<Class, Figures> {
        let mut classes: BTreeMap<Class, Figures> = BTreeMap::new();
        for (_, class, figures) in &self.rows {
            let sum = classes.entry(*class).or_default();
            *sum = sum.add(figures);
        }
        classes
    }

    fn all(&self) -> Figures {
        self.rows.iter().fold(Figures::default(), |sum, (_, _, figures)| sum.add(figures))
    }

    pub(crate) fn table(&self) -> String {
        let hunks: Vec<String> = self.hunks.iter().map(|(name, count)| format!("{count} {name}")).collect();
        let total: usize = self.hunks.values().sum();
        let mut table =
            format!("{total} hunks ({}), seed {}, {:.1?}\n\n", hunks.join(", "), self.seed, self.took);
        let head = format!(
            "{:34}{:>7}{:>8}{:>8}{:>9}{:>7} {:>7}{:>8}\n",
            "", "cases", "right", "missed", "refused", "wrong", "landed", "wrong"
        );
        table.push_str(&head);
        for (class, sum) in self.classes() {
            let rows = self.rows.iter().filter(|(_, of, _)| *of == class);
            rows.for_each(|(name, _, figures)| table.push_str(&figures.line(&format!("  {name}"))));
            let _ = writeln!(table, "{}", sum.line(class_name(class)));
        }
        self.languages.iter().for_each(|(name, figures)| table.push_str(&figures.line(name)));
        table.push_str(&self.all().line("all"));
        table
    }

    pub(crate) fn json(&self) -> Value {
        let rows = self.rows.iter().map(|(name, class, figures)| {
            let mut row = figures.json();
            row["operator"] = (*name).into();
            row["class"] = class_name(*class).into();
            row
        });
        let named = |figures: BTreeMap<&str, Figures>| -> Value {
            figures.into_iter().map(|(name, figures)| (name.to_owned(), figures.json())).collect()
        };
        let classes =
            self.classes().into_iter().map(|(class, figures)| (class_name(class), figures)).collect();
        json!({
            "v": 1, "seed": self.seed, "seconds": self.took.as_secs_f64(), "hunks": self.hunks,
            "operators": rows.collect::<Vec<_>>(), "classes": named(classes),
            "languages": named(self.languages.clone()), "all": self.all().json(),
        })
    }
}
