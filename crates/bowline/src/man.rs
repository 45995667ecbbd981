//! `bowline man`: the manual page, one for all commands.

use std::io;

use clap::Command;
use clap_mangen::Man;

use crate::exit::Exit;
use crate::help::command;
use crate::output::{eprint_line, print_line};

/// What stands at the head of the page, without a date: the page changes when the program does.
const SOURCE: &str = concat!("bowline ", env!("CARGO_PKG_VERSION"));
/// What the declaration of the command line does not know.
const END: &str = include_str!("man/end.roff");
/// Each rendered part opens so; once is enough.
const QUOTES: &str = ".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n";

pub(crate) fn man() -> Exit {
    match page() {
        Ok(page) => {
            print_line(page.trim_end());
            Exit::Done
        }
        Err(error) => {
            eprint_line(&format!("bowline: the manual page cannot be written: {error}"));
            Exit::Failed
        }
    }
}

/// The page in roff: the program, then each command as a section.
pub(crate) fn page() -> io::Result<String> {
    let mut command = command();
    command.build();
    let mut page = Vec::new();
    let man = Man::new(command.clone()).source(SOURCE).manual("bowline");
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    let page = text(&page);
    let mut page = format!("{QUOTES}{}", page.replace(QUOTES, ""));
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        section(command, &mut page)?;
    }
    page.push_str(END);
    Ok(page)
}

/// A command, then those below it.
fn section(command: &Command, page: &mut String) -> io::Result<()> {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    page.push_str(&format!(".SH \"{}\"\n", name.to_uppercase()));
    let man = Man::new(command.clone());
    let mut part = Vec::new();
    man.render_description_section(&mut part)?;
    man.render_synopsis_section(&mut part)?;
    if command.get_arguments().any(|argument| !argument.is_hide_set()) {
        man.render_options_section(&mut part)?;
    }
    // The page's own sections are the commands: theirs stand one level below.
    let part = text(&part).replace(QUOTES, "").replace(".SH DESCRIPTION\n", "").replace(".SH ", ".SS ");
    page.push_str(&part);
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        section(command, page)?;
    }
    Ok(())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
