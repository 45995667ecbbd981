//! The cases in `tests/cases/refusals.cases`: what a command printed, and what is said about it. `UPDATE_EXPECT=1` writes
//! what is said into the file.

use std::fmt::Write;
use std::path::Path;

use super::{View, read};
use crate::child::Status;
use crate::plan::Plan;
use crate::profile::Profile;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/refusals.cases");

#[test]
fn refusals_are_read_as_the_cases_say() {
    let text = std::fs::read_to_string(CASES).unwrap();
    let (opening, cases) = text.split_once("=== ").unwrap();
    let mut written = opening.to_owned();
    for case in cases.split("=== ") {
        let (head, rest) = case.split_once('\n').unwrap();
        let (output, _) = rest.split_once("---\n").unwrap();
        let _ = write!(written, "=== {head}\n{output}---\n{}\n", said(head, output));
    }
    let written = written.trim_end().to_owned() + "\n";
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(CASES, &written).unwrap();
        return;
    }
    assert_eq!(written, text);
}

/// `profile how-it-ended: what it shows`
fn said(head: &str, output: &str) -> String {
    let (words, _) = head.split_once(':').unwrap();
    let mut words = words.split(' ');
    let profile = match words.next() {
        Some("read") => Profile::Read,
        Some("build") => Profile::Build,
        _ => Profile::Open,
    };
    let number = |word: Option<&str>| word.unwrap().parse().unwrap();
    let status = match words.next() {
        Some("exit") => Status::Exited(number(words.next())),
        _ => Status::Killed(number(words.next())),
    };
    let plan = Plan {
        writable: vec!["/h/.cargo/registry".into(), "/p".into()],
        protected: vec!["/p/.git".into()],
        hidden: vec!["/h/.ssh".into(), "/p/.env".into()],
        ..Plan::default()
    };
    let listens = |port| port == 5432;
    let view = View { plan: &plan, profile, folder: Path::new("/p"), listens: &listens };
    read(&view, status, output).iter().fold(String::new(), |text, refusal| text + &format!("{refusal}\n"))
}
