//! Every command and flag, from the declaration of the command line.

use std::fmt::Write as _;

use clap::{Arg, Command};

use super::{cell, head};
use crate::help::command;

const WORDS: &str = "Every command with its arguments and flags. `bowline COMMAND --help` shows the same in the terminal. A flag overrides \
the variable beside it, and the variable overrides [the configuration](configuration.md).";

pub(super) fn page() -> String {
    let mut command = command();
    command.build();
    let mut page = head("Commands", WORDS);
    section(&command, &mut page);
    page
}

/// A command, then those below it.
fn section(command: &Command, page: &mut String) {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let usage = command.clone().render_usage().to_string();
    let usage: Vec<&str> = usage.lines().map(|line| line.trim_start_matches("Usage:").trim()).collect();
    let _ = writeln!(page, "## {name}\n\n{about}.\n\n```text\n{}\n```\n", usage.join("\n"));
    let shown = |argument: &&Arg| !argument.is_hide_set() && !is_common(argument);
    let arguments: Vec<&Arg> = command.get_arguments().filter(shown).collect();
    if !arguments.is_empty() {
        page.push_str("| argument or flag | meaning |\n|---|---|\n");
        for argument in arguments {
            let _ = writeln!(page, "| `{}` | {} |", form(argument), cell(&meaning(argument)));
        }
        page.push('\n');
    }
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        section(command, page);
    }
}

/// What every command has.
fn is_common(argument: &Arg) -> bool {
    argument.get_id() == "help" || argument.get_id() == "version"
}

fn form(argument: &Arg) -> String {
    let names = argument.get_value_names().unwrap_or_default();
    let names: Vec<&str> = names.iter().map(clap::builder::Str::as_str).collect();
    let value = names.join(" ");
    let mut forms = Vec::new();
    forms.extend(argument.get_short().map(|short| format!("-{short}")));
    forms.extend(argument.get_long().map(|long| format!("--{long}")));
    match (forms.is_empty(), argument.get_action().takes_values()) {
        (true, _) => value,
        (false, true) => format!("{} {value}", forms.join(", ")),
        (false, false) => forms.join(", "),
    }
}

fn meaning(argument: &Arg) -> String {
    let mut words = argument.get_help().map(ToString::to_string).unwrap_or_default();
    if argument.get_action().takes_values() {
        let values: Vec<String> =
            argument.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect();
        if !values.is_empty() {
            let colon = if words.is_empty() { "" } else { ": " };
            let _ = write!(words, "{colon}{}", values.join(", "));
        }
        if let Some(default) = argument.get_default_values().first() {
            let _ = write!(words, " (default: `{}`)", default.to_string_lossy());
        }
    }
    if let Some(variable) = argument.get_env() {
        let _ = write!(words, " (also `{}`)", variable.to_string_lossy());
    }
    words
}
