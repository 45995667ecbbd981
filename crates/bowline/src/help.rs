//! `bowline --help`: the commands in three groups, on one screen.
//!
//! Names and words come from the command line's declaration; only which group a command is in stands here. What a single
//! command takes, its own help says, as clap makes it.

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory as _};

use crate::args::Args;

/// A row of the help: its commands, and what they do where several share it.
type Shared = (&'static [&'static str], &'static str);

/// Every command that is not hidden, by what one wants of it.
const GROUPS: [(&str, &[Shared]); 3] = [
    (
        "Work",
        &[
            (&["run"], ""),
            (&["undo", "redo"], "Undo the last turn, files and conversation; redo it"),
            (&["diff"], ""),
        ],
    ),
    (
        "Look",
        &[
            (&["sessions", "changes"], "List, search and export sessions; apply and revert edits"),
            (&["models"], ""),
            (&["config", "trust"], "Show and change settings; trust a project's bowline.toml"),
            (&["doctor", "demo"], "Check your setup; watch a demo"),
        ],
    ),
    (
        "For programs",
        &[
            (&["edit", "completions"], "Apply an edit to a file; print shell completions"),
            (&["classify"], "Name failures of commands that ended"),
            (&["checkpoint", "restore"], "Save the files as they are; restore them"),
            (&["worktree"], ""),
        ],
    ),
];

/// The flags without a command that are worth their line.
const FLAGS: [&str; 3] = ["print", "is_continued", "model"];

/// The command line, as it is read, shown and described.
pub(crate) fn command() -> Command {
    let mut command = Args::command();
    // How an answer is given is for those who ask for one.
    for flag in ["is_json", "output", "is_quiet"] {
        command = command.mut_arg(flag, |argument| argument.requires("print"));
    }
    let help = help(&command);
    command.override_help(help)
}

fn help(command: &Command) -> String {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut help = format!("{about}\n\n");
    let usage = heading("Usage");
    let _ = writeln!(help, "{usage} bowline [OPTIONS] [PATH]   chat in this folder, or in PATH");
    let _ = writeln!(help, "       bowline COMMAND …         see bowline COMMAND --help\n");
    let names = |row: &Shared| row.0.join(", ");
    let rows = GROUPS.iter().flat_map(|(_, rows)| rows.iter());
    let width = rows.map(|row| names(row).len()).max().unwrap_or(0);
    for (group, rows) in GROUPS {
        let _ = writeln!(help, "{}", heading(group));
        for row in rows {
            let words = does(command, row);
            let _ = writeln!(help, "  {}  {words}", bold(&format!("{:width$}", names(row))));
        }
    }
    let _ = writeln!(help, "{} (see bowline run --help for all)", heading("Options"));
    let flags: Vec<(String, String)> = FLAGS.iter().filter_map(|id| flag(command, id)).collect();
    let width = flags.iter().map(|(form, _)| form.len()).max().unwrap_or(0);
    for (form, words) in &flags {
        let _ = writeln!(help, "  {}  {words}", bold(&format!("{form:width$}")));
    }
    let _ = write!(help, "  {}  Print this, or the version", bold(&format!("{:width$}", "-h, -V")));
    help
}

/// What the commands of a row do.
fn does(command: &Command, (names, words): &Shared) -> String {
    let alone = names.first().and_then(|name| command.find_subcommand(name));
    match alone.filter(|_| words.is_empty()).and_then(Command::get_about) {
        Some(about) => about.to_string(),
        None => (*words).to_owned(),
    }
}

/// A flag as it is typed, and what it does, up to the first pause.
fn flag(command: &Command, id: &str) -> Option<(String, String)> {
    let argument = command.get_arguments().find(|argument| argument.get_id() == id)?;
    let words = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let words = words.split(';').next().unwrap_or_default().to_owned();
    Some((form(argument), words))
}

/// `-m, --model NAME`.
fn form(argument: &Arg) -> String {
    let short = argument.get_short().map_or(String::new(), |short| format!("-{short}, "));
    let long = argument.get_long().unwrap_or_default();
    let takes = argument.get_action().takes_values();
    let name = argument.get_value_names().and_then(|names| names.first()).filter(|_| takes);
    format!("{short}--{long}{}", name.map_or(String::new(), |name| format!(" {name}")))
}

fn heading(text: &str) -> String {
    format!("\x1b[1;4m{text}:\x1b[0m")
}

fn bold(text: &str) -> String {
    format!("\x1b[1m{text}\x1b[0m")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES_MAX: usize = 24;
    const COLUMNS_MAX: usize = 80;

    #[test]
    fn every_command_is_in_one_group() {
        let command = Args::command();
        let rows = GROUPS.iter().flat_map(|(_, rows)| rows.iter());
        let grouped: Vec<&str> = rows.flat_map(|(names, _)| names.iter().copied()).collect();
        for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
            let count = grouped.iter().filter(|name| **name == command.get_name()).count();
            assert_eq!(count, 1, "{} is in {count} groups", command.get_name());
        }
        for name in grouped {
            assert!(command.find_subcommand(name).is_some_and(|command| !command.is_hide_set()), "{name}");
        }
    }

    #[test]
    fn the_help_fits_a_screen() {
        let mut command = command();
        let (short, long) = (command.render_help().to_string(), command.render_long_help().to_string());
        assert_eq!(short, long);
        assert!(short.lines().count() <= LINES_MAX, "{} lines:\n{short}", short.lines().count());
        for line in short.lines() {
            assert!(line.chars().count() <= COLUMNS_MAX, "{line}");
        }
        for id in FLAGS {
            assert!(flag(&command, id).is_some(), "{id}");
        }
    }

    #[test]
    fn the_declaration_is_sound() {
        command().debug_assert();
    }
}
