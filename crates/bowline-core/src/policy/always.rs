//! The pattern that *always* would allow: wide enough to be of use, and never one that allows anything.

use super::command::{Part, Word};
use super::pattern::{literal, literal_word};

/// Programs whose first word says what is done.
const WITH_COMMANDS: &[&str] = &[
    "git",
    "npm",
    "pnpm",
    "yarn",
    "cargo",
    "rustup",
    "go",
    "pip",
    "pip3",
    "uv",
    "poetry",
    "docker",
    "podman",
    "kubectl",
    "gh",
    "brew",
    "apt",
    "apt-get",
    "dnf",
    "dotnet",
    "composer",
    "bundle",
    "gem",
    "mix",
    "terraform",
    "conda",
];
/// Commands of theirs that run whatever they are given.
const RUNNING: &[&str] = &["run", "run-script", "exec", "x", "dlx", "compose"];
/// Programs that take what they run from their input, too: only the whole command stands for them.
const WHOLE: &[&str] = &[
    "sh", "bash", "dash", "zsh", "fish", "ksh", "python", "python2", "python3", "node", "perl", "ruby",
    "php", "lua", "xargs", "parallel", "eval", "source", ".", "ssh", "cd", "export", "unset", "read", "trap",
    "alias", "deno", "bun",
];
/// Programs that run whatever they are given, or destroy it: only the same words again.
const EXACT: &[&str] = &[
    "awk", "gawk", "mawk", "env", "find", "sudo", "doas", "su", "rm", "mv", "make", "just", "cmake", "dd",
    "chmod", "chown", "kill", "pkill", "killall", "shred", "truncate", "mkfs", "sed", "watch", "busybox",
    "nohup", "timeout", "time", "nice", "exec", "command", "setsid", "strace", "gdb", "npx", "pipx",
    "docker", "podman", "tee", "ln", "cp", "tar", "mkdir", "touch", "tsc", "gradle", "mvn",
];

/// None where no pattern about words can stand for it.
pub(super) fn of_part(assigned: &[String], part: &Part, is_exact: bool) -> Option<String> {
    let program = part.program()?;
    if WHOLE.contains(&program) {
        return None;
    }
    let second = part.arguments().first();
    let is_name = |word: &&Word| word.known().is_some_and(|word| !word.starts_with('-') && is_plain(word));
    let runs = second.and_then(Word::known).is_some_and(|second| RUNNING.contains(&second));
    let is_running = WITH_COMMANDS.contains(&program) && runs;
    if is_exact || is_running || !assigned.is_empty() || EXACT.contains(&program) {
        return exact(assigned, program, part.arguments());
    }
    if WITH_COMMANDS.contains(&program) {
        return match second.filter(is_name) {
            Some(command) => Some(format!("{program} {} *", command.shown())),
            None => exact(assigned, program, part.arguments()),
        };
    }
    Some(if part.arguments().is_empty() {
        literal_word(program)
    } else {
        format!("{} *", literal_word(program))
    })
}

fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'))
}

/// The same words and no others; none where one of them is not known.
fn exact(assigned: &[String], program: &str, arguments: &[Word]) -> Option<String> {
    let mut words: Vec<String> = assigned.iter().map(|word| literal_word(word)).collect();
    words.push(literal_word(program));
    for word in arguments {
        words.push(literal_word(word.known()?));
    }
    Some(words.join(" "))
}

/// The whole command, word for word.
pub(super) fn of_whole(text: &str) -> String {
    let text = literal(text.trim());
    format!("run_command({text})")
}
