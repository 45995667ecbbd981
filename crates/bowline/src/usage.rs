//! Reads the command line, and explains what was probably meant if it is wrong.
//!
//! A word that is no command and no folder is the nearest command, or a task somebody began to type. Everything else
//! that is wrong is clap's to say.

use std::ffi::OsString;
use std::path::Path;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, Args as _, FromArgMatches as _, value_parser};

use crate::args::{Args, Chat, Form, Run};
use crate::exit::Exit;
use crate::help::command;
use crate::output::eprint_line;
use crate::paint::tame;

/// How like a command a word must be to be taken for it.
const LIKENESS_MIN: f64 = 0.65;
/// Letters of a word that is taken for the beginning of a command.
const BEGINNING_MIN: usize = 3;

pub(crate) fn read(line: &[OsString]) -> Result<Args, Exit> {
    let matches = command().try_get_matches_from(line);
    match matches.and_then(|matches| Args::from_arg_matches(&matches)) {
        Ok(args) => match not_a_folder(&args) {
            Some(advice) => refuse(&advice),
            None => Ok(args),
        },
        Err(error) if !error.use_stderr() => {
            // A closed pipe is no reason to panic over help.
            let _ = error.print();
            Err(Exit::Done)
        }
        Err(error) => match explain_error(error, line) {
            Ok(advice) => refuse(&advice),
            Err(error) => {
                let _ = error.print();
                Err(Exit::Usage)
            }
        },
    }
}

fn refuse(advice: &str) -> Result<Args, Exit> {
    eprint_line(&format!("bowline: {}", tame(advice)));
    Err(Exit::Usage)
}

/// What is wrong with the folder for the chat, if it is none.
fn not_a_folder(args: &Args) -> Option<String> {
    let path = args.chat.path.as_ref().filter(|_| args.command.is_none())?;
    if path.is_dir() {
        return None;
    }
    if path.exists() {
        let shown = path.display();
        let task = quoted(&format!("… {shown}"));
        return Some(format!(
            "{shown} is a file, and bowline works in a folder. Name the folder, or the file in a task: bowline run {task}"
        ));
    }
    Some(advice(&[path.to_string_lossy().into_owned()]))
}

/// Explains a mistake that clap only reports. Returns clap's error if that says enough.
fn explain_error(error: clap::Error, line: &[OsString]) -> Result<String, clap::Error> {
    let is_about_words = matches!(
        error.kind(),
        ErrorKind::UnknownArgument | ErrorKind::ArgumentConflict | ErrorKind::InvalidSubcommand
    );
    if !is_about_words {
        return Err(error);
    }
    let command = command();
    let is_command = |word: &OsString| command.get_subcommands().any(|command| command.get_name() == word);
    let words = match plain_words(line) {
        Ok(words) => words,
        // Without a command in it, a flag nobody knows is what is wrong.
        Err(unknown) => return Err(if line.iter().skip(1).any(is_command) { error } else { unknown }),
    };
    let Some((first, rest)) = words.split_first() else { return Err(error) };
    if is_command(&OsString::from(first)) {
        return if first == "run" && line.get(1).is_some_and(|word| word == "run") {
            unquoted_task(error, line)
        } else {
            flags_before_command(error, first, line)
        };
    }
    if Path::new(first).is_dir() && !rest.is_empty() {
        let (folder, task) = (shell_words::quote(first), quoted(&rest.join(" ")));
        return Ok(format!(
            "{first} is a folder, and what follows reads like a task: bowline run -C {folder} {task}"
        ));
    }
    Ok(advice(&words))
}

/// A task without quotes.
fn unquoted_task(error: clap::Error, line: &[OsString]) -> Result<String, clap::Error> {
    let command = Run::augment_args(clap::Command::new("run"));
    match words_of(command, "task", line.get(1..).unwrap_or_default()) {
        Ok(words) if error.kind() == ErrorKind::UnknownArgument && words.len() > 1 => {
            Ok(format!("put a task of several words in quotes: bowline run {}", quoted(&words.join(" "))))
        }
        _ => Err(error),
    }
}

/// Flags before a command that takes them.
fn flags_before_command(error: clap::Error, name: &str, line: &[OsString]) -> Result<String, clap::Error> {
    let at = line.iter().skip(1).position(|word| word == name);
    let Some(at) = at.filter(|at| *at > 0) else { return Err(error) };
    let mut line = line.to_vec();
    let name = line.remove(at + 1);
    line.insert(1, name);
    if command().try_get_matches_from(&line).is_err() {
        return Err(error);
    }
    let words = line.iter().skip(1).map(|word| word.to_string_lossy().into_owned());
    Ok(format!("put flags after the command: bowline {}", shell_words::join(words)))
}

/// The words without flags and what belongs to them, as if there were no commands.
fn plain_words(line: &[OsString]) -> Result<Vec<String>, clap::Error> {
    let print = Arg::new("print").short('p').long("print").action(ArgAction::SetTrue);
    let command = Form::augment_args(Chat::augment_args(clap::Command::new("bowline"))).arg(print);
    words_of(command, "path", line)
}

/// What is neither a flag nor belongs to one, if as much of it may stand there as there is.
fn words_of(command: clap::Command, id: &str, line: &[OsString]) -> Result<Vec<String>, clap::Error> {
    let many = |word: Arg| word.num_args(0..).action(ArgAction::Append).value_parser(value_parser!(OsString));
    let matches = command.mut_arg(id, many).try_get_matches_from(line)?;
    let words = matches.get_many::<OsString>(id).unwrap_or_default();
    Ok(words.map(|word| word.to_string_lossy().into_owned()).collect())
}

/// What was meant by words that are no command, and of which the first is no folder.
fn advice(words: &[String]) -> String {
    let whole = words.join(" ");
    let task = quoted(&whole);
    match (words, words.first().and_then(|word| nearest(word))) {
        ([word], _) if word == "help" => {
            "see bowline --help for the commands, and bowline COMMAND --help for each".to_owned()
        }
        ([word], Some(near)) => {
            format!("there is no command {word}, and no such folder. Did you mean bowline {near}?")
        }
        ([word], None) if word.contains(char::is_whitespace) => {
            format!("there is no such folder, and it reads like a task: bowline run {task}")
        }
        ([word], None) if word.contains(['/', '.']) => {
            format!(
                "there is no folder {word}. Name one that exists, or run bowline alone in the current folder"
            )
        }
        ([word], None) => format!(
            "there is no command {word}, and no such folder. bowline --help shows the commands; as a task it is bowline run {task}"
        ),
        ([first, ..], Some(near)) => {
            format!(
                "there is no command {first}. Did you mean bowline {near}? As a task it is bowline run {task}"
            )
        }
        _ => format!("that reads like a task: bowline run {task}"),
    }
}

/// The command a word was meant to be.
fn nearest(word: &str) -> Option<String> {
    let word = word.to_lowercase();
    let likeness = |name: &str| {
        let begins = word.len() >= BEGINNING_MIN && name.starts_with(&word);
        if begins { 1.0 } else { strsim::normalized_damerau_levenshtein(name, &word) }
    };
    let command = command();
    let names =
        command.get_subcommands().filter(|command| !command.is_hide_set()).map(clap::Command::get_name);
    let (name, like) =
        names.map(|name| (name, likeness(name))).max_by(|(_, one), (_, other)| one.total_cmp(other))?;
    (like >= LIKENESS_MIN).then(|| name.to_owned())
}

/// A task as it is typed: in double quotes where a shell leaves what is in them alone.
fn quoted(task: &str) -> String {
    if task.contains(['"', '$', '`', '\\', '!']) {
        shell_words::quote(task).into_owned()
    } else {
        format!("\"{task}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_command_is_named() {
        let cases = [
            ("sesions", Some("sessions")),
            ("session", Some("sessions")),
            ("rnu", Some("run")),
            ("Models", Some("models")),
            ("doc", Some("doctor")),
            ("fix", None),
            ("test", None),
            ("udno", Some("undo")),
            ("", None),
        ];
        for (word, due) in cases {
            assert_eq!(nearest(word).as_deref(), due, "{word}");
        }
    }

    #[test]
    fn a_task_is_quoted_for_a_shell() {
        assert_eq!(quoted("fix the parser's bug"), "\"fix the parser's bug\"");
        assert_eq!(quoted("print $HOME"), "'print $HOME'");
        assert_eq!(quoted("say \"it's\""), "'say \"it'\\''s\"'");
    }

    #[test]
    fn flags_are_no_words() {
        let words = |line: &str| {
            let line: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            plain_words(&line).ok().map(|words| words.join(" "))
        };
        assert_eq!(words("bowline -m qwen fix the bug").as_deref(), Some("fix the bug"));
        assert_eq!(words("bowline -p fix the --json").as_deref(), Some("fix the"));
        assert_eq!(words("bowline -c").as_deref(), Some(""));
        assert_eq!(words("bowline fix --yess"), None);
    }
}
