//! Programs that run another program: `timeout 60 npx jest` is `jest`.

/// Programs whose first argument that is no option is the program they run.
const PLAIN: &[&str] = &[
    "nice",
    "ionice",
    "nohup",
    "sudo",
    "doas",
    "env",
    "command",
    "exec",
    "time",
    "stdbuf",
    "setsid",
    "xvfb-run",
    "npx",
    "bunx",
    "pnpx",
    "uvx",
    "pipx",
    "dotenv",
    "cross-env",
    "catchsegv",
    "valgrind",
    "strace",
    "unbuffer",
    "script",
    "firejail",
    "retry",
    "chronic",
    "caffeinate",
    "dbus-run-session",
    "winpty",
];

/// Words between such a program and what it runs.
const RUNNERS: &[(&str, &[&str])] = &[
    ("poetry", &["run"]),
    ("pipenv", &["run"]),
    ("uv", &["run"]),
    ("pdm", &["run"]),
    ("hatch", &["run"]),
    ("rye", &["run"]),
    ("pixi", &["run"]),
    ("conda", &["run"]),
    ("pipx", &["run"]),
    ("bundle", &["exec"]),
    ("pnpm", &["exec", "dlx"]),
    ("yarn", &["exec", "dlx", "run"]),
    ("npm", &["exec", "x"]),
    ("bun", &["x"]),
    ("mise", &["exec"]),
    ("direnv", &["exec"]),
    ("docker", &["exec", "run"]),
    ("podman", &["exec", "run"]),
    ("docker-compose", &["exec", "run"]),
];

/// Options of wrappers that take a value as the next word.
const VALUED: &[&str] = &[
    "-n",
    "-u",
    "-g",
    "-k",
    "-s",
    "-p",
    "--package",
    "--signal",
    "--kill-after",
    "--with",
    "--python",
    "--group",
    "--extra",
    "-C",
    "--cwd",
    "--prefix",
    "--env-file",
    "-w",
    "-e",
    "-v",
    "--name",
    "--project",
    "--directory",
];

/// How many wrappers are looked through.
const DEPTH_MAX: usize = 8;

/// The words of the program that really runs.
pub(super) fn unwrapped(words: &[String]) -> &[String] {
    let mut words = words;
    for _ in 0..DEPTH_MAX {
        match inner(words) {
            Some(inner) if !inner.is_empty() => words = inner,
            _ => break,
        }
    }
    words
}

fn inner(words: &[String]) -> Option<&[String]> {
    let (first, rest) = words.split_first()?;
    let name = first.rsplit('/').next().unwrap_or(first);
    if name == "timeout" || name == "gtimeout" {
        // The first word that is no option is the time.
        return after_options(rest).and_then(|rest| rest.get(1..));
    }
    if let Some((_, verbs)) = RUNNERS.iter().find(|(runner, _)| *runner == name)
        && let Some(at) = rest.iter().position(|word| verbs.contains(&word.as_str()))
    {
        let rest = after_options(rest.get(at + 1..)?)?;
        // A container stands between `docker run` and the program.
        let is_container = matches!(name, "docker" | "podman" | "docker-compose");
        return if is_container { rest.get(1..) } else { Some(rest) };
    }
    if is_python(name) {
        return python_module(rest);
    }
    match name {
        "coverage" if rest.first().is_some_and(|word| word == "run") => {
            let rest = rest.get(1..)?;
            python_module(rest).or_else(|| after_options(rest))
        }
        "poetry" | "yarn" | "pnpm" => None,
        _ if PLAIN.contains(&name) => after_options(rest),
        _ => None,
    }
}

pub(super) fn is_python(name: &str) -> bool {
    let rest = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy"));
    rest.is_some_and(|rest| rest.chars().all(|sign| sign.is_ascii_digit() || sign == '.')) || name == "py"
}

/// What follows `-m`, as if it were a program.
fn python_module(rest: &[String]) -> Option<&[String]> {
    let mut at = 0;
    while let Some(word) = rest.get(at) {
        match word.as_str() {
            "-m" => return rest.get(at + 1..).filter(|module| !module.is_empty()),
            "-W" | "-X" => at += 2,
            option if option.starts_with('-') && option != "-c" => at += 1,
            _ => return None,
        }
    }
    None
}

/// The words after options and assignments.
fn after_options(words: &[String]) -> Option<&[String]> {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        if word == "--" {
            return words.get(at + 1..);
        }
        if word == "-c" || word == "--call" {
            return words.get(at + 1..);
        }
        let is_assigned = word.contains('=') && !word.starts_with(['/', '.']) && !word.starts_with('-');
        if VALUED.contains(&word.as_str()) {
            at += 2;
        } else if word.starts_with('-') || is_assigned {
            at += 1;
        } else {
            break;
        }
    }
    words.get(at..)
}
