//! `bowline completions SHELL`: what the shell offers while the command is typed.

use crate::args::Completions;
use crate::exit::Exit;
use crate::help::command;
use crate::output::print_line;

pub(crate) fn completions(args: &Completions) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "bowline", &mut script);
    print_line(String::from_utf8_lossy(&script).trim_end());
    Exit::Done
}
