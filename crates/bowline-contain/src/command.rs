//! What is to be run, and how it is handed to the helper: arguments, a folder, exactly this environment, and three standard
//! streams. It decides nothing about what the command may do.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::time::Duration;

use rustix::net::RecvFlags;
use rustix::net::sockopt::{Timeout, set_socket_timeout};

use crate::channel::{Packet, packet_pair, receive_packet, send_packet};
use crate::child::{Child, Signal};
use crate::failure::Failure;
use crate::keeper::Keeper;
use crate::messages::{News, Request, Start};
use crate::profile::Profile;

/// How long a command may take to begin. It takes milliseconds, unless the machine stands still or something stops it.
const START_MAX: Duration = Duration::from_secs(30);

/// Why a command does not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// The layers of this cell do not hold this profile.
    #[error("nothing on this system enforces `{profile}`; ask for approval, and run the command as `open`")]
    NotEnforced {
        /// What was asked for.
        profile: Profile,
    },
    /// The program, its folder or a layer failed; the command did not run.
    #[error("the command could not be started: {0}")]
    NotStarted(Failure),
    /// The helper is gone, and with it all that ran in the cell.
    #[error("the sandbox has ended; start a new one")]
    CellEnded,
    /// The command did not begin in time, and was killed.
    #[error("the command did not begin within {} s; end what else runs in the sandbox, and try again", START_MAX.as_secs())]
    TooSlow,
    /// The command's streams could not be made.
    #[error("no pipe or helper for the command: {0}; close other programs, or try again")]
    Streams(io::Error),
}

/// What the command reads.
#[derive(Debug, Default)]
pub enum Input {
    /// Nothing.
    #[default]
    Null,
    /// This: a pipe, or a file opened for reading.
    From(OwnedFd),
}

/// Where the command's output goes.
#[derive(Debug, Default)]
pub enum Output {
    /// Through a pipe to [`Child::output`].
    #[default]
    Pipe,
    /// Nowhere.
    Null,
    /// There. A terminal or a socket would give the command more than its profile.
    To(OwnedFd),
}

/// Where the command's errors go.
#[derive(Debug, Default)]
pub enum Errors {
    /// Where its output goes, so that both come in order.
    #[default]
    WithOutput,
    /// Through a pipe of its own to [`Child::errors`].
    Pipe,
    /// Nowhere.
    Null,
}

/// A command to be run. It sees no variable of the caller's environment, only those given here.
///
/// ```
/// use bowline_contain::Command;
/// let command = Command::new("sh").args(["-c", "make && make test"]).folder("/src").env("PATH", "/usr/bin:/bin");
/// # let _ = command;
/// ```
#[derive(Debug)]
pub struct Command {
    program: OsString,
    arguments: Vec<OsString>,
    folder: PathBuf,
    environment: Vec<(OsString, OsString)>,
    input: Input,
    output: Output,
    errors: Errors,
}

impl Command {
    /// A program by its path, or by a name that is looked for in the `PATH` given to the command.
    pub fn new(program: impl AsRef<OsStr>) -> Command {
        Command {
            program: program.as_ref().to_owned(),
            arguments: Vec::new(),
            folder: PathBuf::from("/"),
            environment: Vec::new(),
            input: Input::default(),
            output: Output::default(),
            errors: Errors::default(),
        }
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<S: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = S>) -> Command {
        self.arguments.extend(arguments.into_iter().map(|argument| argument.as_ref().to_owned()));
        self
    }

    /// The folder it starts in; without one, `/`.
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Command {
        self.folder = folder.into();
        self
    }

    /// Adds a variable to its environment.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Command {
        self.environment.push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    /// Adds variables to its environment.
    #[must_use]
    pub fn envs<N: AsRef<OsStr>, V: AsRef<OsStr>>(
        self,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Command {
        variables.into_iter().fold(self, |command, (name, value)| command.env(name, value))
    }

    /// What it reads.
    #[must_use]
    pub fn input(mut self, input: Input) -> Command {
        self.input = input;
        self
    }

    /// Where its output goes.
    #[must_use]
    pub fn output(mut self, output: Output) -> Command {
        self.output = output;
        self
    }

    /// Where its errors go.
    #[must_use]
    pub fn errors(mut self, errors: Errors) -> Command {
        self.errors = errors;
        self
    }

    pub(crate) fn start(self, profile: Profile, keeper: &Keeper) -> Result<Child, CommandError> {
        let Streams { input, output, errors, read_output, read_errors } =
            Streams::open(self.input, self.output, &self.errors).map_err(CommandError::Streams)?;
        let (ours, theirs) = packet_pair().map_err(CommandError::Streams)?;
        let request = Request::Start(Start {
            profile,
            program: self.program,
            arguments: self.arguments,
            folder: self.folder,
            environment: self.environment,
        });
        let descriptors = [theirs.as_fd(), input.as_fd(), output.as_fd(), errors.as_fd()];
        keeper.send(&request.write(), &descriptors).map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => CommandError::CellEnded,
            _ => CommandError::Streams(error),
        })?;
        // Otherwise the end of the cell could never be noticed here.
        drop((theirs, input, output, errors));
        // A command that runs already could stop the new one before it begins.
        set_socket_timeout(&ours, Timeout::Recv, Some(START_MAX)).map_err(no_stream)?;
        let answer = receive_packet(&ours, RecvFlags::empty());
        set_socket_timeout(&ours, Timeout::Recv, None).map_err(no_stream)?;
        match answer {
            Packet::Bytes(bytes) => match News::read(&bytes) {
                Ok(News::Started) => Ok(Child::new(ours, read_output, read_errors)),
                Ok(News::NotStarted(failure)) => Err(CommandError::NotStarted(failure)),
                _ => Err(CommandError::CellEnded),
            },
            Packet::Nothing => {
                send_packet(&ours, &[Signal::Kill.number()]);
                Err(CommandError::TooSlow)
            }
            Packet::Closed => Err(CommandError::CellEnded),
        }
    }
}

fn no_stream(error: rustix::io::Errno) -> CommandError {
    CommandError::Streams(error.into())
}

/// The command's ends of its streams, and ours.
struct Streams {
    input: OwnedFd,
    output: OwnedFd,
    errors: OwnedFd,
    read_output: Option<OwnedFd>,
    read_errors: Option<OwnedFd>,
}

impl Streams {
    fn open(input: Input, output: Output, errors: &Errors) -> io::Result<Streams> {
        let null = || File::options().read(true).write(true).open("/dev/null").map(OwnedFd::from);
        let pipe = || io::pipe().map(|(reader, writer)| (OwnedFd::from(writer), Some(OwnedFd::from(reader))));
        let input = match input {
            Input::Null => null()?,
            Input::From(descriptor) => descriptor,
        };
        let (output, read_output) = match output {
            Output::Pipe => pipe()?,
            Output::Null => (null()?, None),
            Output::To(descriptor) => (descriptor, None),
        };
        let (errors, read_errors) = match errors {
            Errors::WithOutput => (output.try_clone()?, None),
            Errors::Pipe => pipe()?,
            Errors::Null => (null()?, None),
        };
        Ok(Streams { input, output, errors, read_output, read_errors })
    }
}
