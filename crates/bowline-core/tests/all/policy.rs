//! Rules as users write them, and the answers of a session.

use bowline_core::policy::command::{Part, Word};
use bowline_core::policy::pattern::{BadRule, Reach, Rule, literal, literal_word, reach};
use bowline_core::policy::{Lists, Rules, Verdict};
use proptest::prelude::*;

fn rule(text: &str) -> Rule {
    Rule::parse(Verdict::Allow, text).unwrap()
}

fn part(words: &[&str]) -> Part {
    let word = |word: &&str| match word.strip_prefix('$') {
        Some(_) => Word::Unknown((*word).to_owned()),
        None => Word::Known((*word).to_owned()),
    };
    Part { words: words.iter().map(word).collect(), ..Part::default() }
}

#[test]
fn patterns_of_commands() {
    let fits = |pattern: &str, words: &[&str]| rule(pattern).fits_part(&[], &part(words));
    assert!(fits("cargo *", &["cargo", "test", "$x"]));
    assert!(fits("cargo *", &["cargo"]));
    assert!(fits("run_command(cargo *)", &["/usr/bin/cargo", "test"]));
    assert!(!fits("cargo *", &["cargo-evil", "test"]));
    assert!(!fits("cargo *", &["./cargo", "test"]));
    assert!(!fits("cargo test", &["cargo", "test", "x"]));
    assert!(fits("git * origin", &["git", "push", "origin"]));
    assert!(fits("git push --force*", &["git", "push", "--force-with-lease"]));
    assert!(!fits("npm install a*", &["npm", "install", "$x"]));
    assert!(fits("rm c\\ d.txt", &["rm", "c d.txt"]));
    assert!(!fits("rm a b", &["rm", "a b"]));
    assert!(fits("ls \\*", &["ls", "*"]) && !fits("ls \\*", &["ls", "x"]));
    assert!(fits("*", &["$x", "y"]) && fits("run_command", &["anything"]));
    assert!(!fits("view_file", &["view_file"]));
    assert!(fits("grep", &["grep"]));
    let set = ["PATH=.".to_owned()];
    assert!(
        !rule("ls *").fits_part(&set, &part(&["ls"])) && rule("PATH=. ls").fits_part(&set, &part(&["ls"]))
    );
}

#[test]
fn patterns_of_paths() {
    let fits = |pattern: &str, path: &str| rule(pattern).fits_path(Reach::Reads, path);
    assert!(fits("view_file(/etc/*)", "/etc/hosts") && !fits("view_file(/etc/*)", "/etc/ssl/key"));
    assert!(fits("view_file(/etc/**)", "/etc/ssl/key") && fits("grep(src/*.rs)", "src/a.rs"));
    assert!(!fits("edit_file(src/**)", "src/a.rs") && !fits("src/**", "src/a.rs"));
    assert!(rule("edit_file(src/**)").fits_path(Reach::Writes, "src/deep/a.rs"));
    assert!(rule("write_file").fits_path(Reach::Writes, "/anywhere"));
    assert_eq!((reach("list_dir"), reach("write_file")), (Reach::Reads, Reach::Writes));
}

#[test]
fn rules_that_say_nothing_are_refused() {
    let parse = |text: &str| Rule::parse(Verdict::Deny, text).unwrap_err();
    assert!(matches!(parse("  "), BadRule::Empty(_)));
    assert!(matches!(parse("view_file()"), BadRule::Empty(_)));
    assert!(parse("vew_file(x)").to_string().contains("view_file, list_dir"));
    let none = Lists::default();
    let wrong = Lists { ask: vec!["no_tool(x)".to_owned()], ..Lists::default() };
    assert!(Rules::new(&none, &wrong, &none, &none).is_err());
}

/// Whether a blank that no pattern escapes is in it, or it would be taken for an unknown word.
fn is_odd(word: &str) -> bool {
    word.starts_with('$') || word.contains(|c: char| c.is_whitespace() && !" \t\n".contains(c))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// What is written for exactly these words, this path or this text stands for it, and for no more.
    #[test]
    fn a_literal_pattern_stands_for_itself(
        first in "[a-z.-]{1,8}",
        words in proptest::collection::vec("[^\0]{1,12}", 0..5),
        path in "/[^\0]{1,20}",
    ) {
        let given: Vec<&str> = std::iter::once(first.as_str()).chain(words.iter().map(String::as_str)).collect();
        let pattern = given.iter().map(|word| literal_word(word)).collect::<Vec<_>>().join(" ");
        let rule_of = |tool: &str, inner: &str| rule(&format!("{tool}({inner})"));
        if !given.iter().any(|word| is_odd(word)) {
            let is_it = rule_of("run_command", &pattern).fits_part(&[], &part(&given));
            prop_assert!(is_it, "{}", pattern);
        }
        let text = format!("x{path}x");
        let whole = rule_of("run_command", &literal(&text));
        prop_assert!(whole.fits_whole(&text));
        let more = format!("{text}; evil");
        prop_assert!(!whole.fits_whole(&more));
        let of_path = rule_of("view_file", &literal(&text));
        prop_assert!(of_path.fits_path(Reach::Reads, &text));
    }
}
