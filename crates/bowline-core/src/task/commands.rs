//! Commands in a message: `python3 main.py data.txt`, "running node index.js data.json". The files in them are what a
//! program is run with, and not what is to be changed.

use super::paths::is_path;
use super::tokens::{Kind, Token};
use super::vocabulary::PROGRAMS;

/// Tokens of one command.
const COMMAND_TOKENS_MAX: usize = 20;
/// Files that are data and no scripts, by their ends.
const DATA: [&str; 14] = [
    ".txt", ".csv", ".json", ".jsonl", ".toml", ".yaml", ".yml", ".xml", ".ini", ".cfg", ".conf", ".md",
    ".html", ".lock",
];

/// For each token, whether it is part of a command.
pub(super) fn commands(tokens: &[Token<'_>]) -> Vec<bool> {
    let mut is_command = vec![false; tokens.len()];
    let mut at = 0;
    while at < tokens.len() {
        let end = end_of_command(tokens, at);
        if let Some(flags) = is_command.get_mut(at..end) {
            flags.fill(true);
        }
        at = end.max(at + 1);
    }
    is_command
}

/// Where the command that starts at a place ends, or the place itself if none does.
fn end_of_command(tokens: &[Token<'_>], at: usize) -> usize {
    let Some(first) = tokens.get(at) else { return at };
    if first.kind == Kind::Backticks {
        return if is_command(first.text) { at + 1 } else { at };
    }
    if first.kind != Kind::Word {
        return at;
    }
    let is_script = first.text.starts_with("./") && is_path(first.text);
    if !is_script && !PROGRAMS.has(&first.lower) {
        return at;
    }
    let mut end = at + 1;
    // "cargo run", "go test", "npm run build"
    while !is_script
        && tokens.get(end).is_some_and(|token| token.is_one_of(&["run", "test", "exec", "build", "start"]))
    {
        end += 1;
    }
    let mut has_argument = false;
    while let Some(token) =
        tokens.get(end).filter(|token| token.sentence == first.sentence && end < at + COMMAND_TOKENS_MAX)
    {
        let is_option =
            |token: &Token<'_>| token.kind == Kind::Word && token.text.starts_with('-') || token.is_mark("-");
        let is_argument =
            |token: &Token<'_>| token.kind == Kind::Word && is_path(token.text) || is_option(token);
        let follows_option = tokens.get(end - 1).is_some_and(is_option);
        let is_value =
            follows_option && token.kind == Kind::Word && tokens.get(end + 1).is_some_and(is_argument);
        if !is_argument(token) && !is_value {
            break;
        }
        has_argument = true;
        end += 1;
    }
    if has_argument { end } else { at }
}

/// Whether the text in backticks is a command with arguments.
fn is_command(text: &str) -> bool {
    let text = text.strip_prefix("$ ").unwrap_or(text);
    let is_setting =
        |word: &&str| word.split_once('=').is_some_and(|(name, _)| super::names::is_identifier(name));
    let mut words = text.split_whitespace().skip_while(is_setting);
    let Some(first) = words.next() else { return false };
    let is_program = PROGRAMS.has(first) || first.starts_with("./") || is_path(first);
    is_program && words.next().is_some()
}

/// The script that a command runs, among its files.
pub(super) fn script(paths: &[String]) -> Option<&String> {
    paths.first().filter(|path| !DATA.iter().any(|end| path.to_lowercase().ends_with(end)))
}
