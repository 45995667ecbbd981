//! Tools that could not do their work: bad usage, bad configuration, something missing, a port, a disk, a permission.
//!
//! The tables are words that tools print. A certain one is believed before tracebacks and findings of linters are looked
//! at; a likely one may stand in the output of any program, and counts only if nothing else was understood.

use super::Subkind;
use super::log::Log;
use super::programs::{self, Program, Purpose};
use super::report::Report;

const USAGE: Option<Subkind> = Some(Subkind::Usage);
const CONFIG: Option<Subkind> = Some(Subkind::Config);
const DEPENDENCY: Option<Subkind> = Some(Subkind::MissingDependency);
const TOOL: Option<Subkind> = Some(Subkind::MissingTool);

/// What a line contains.
const CERTAIN: &[(&str, Option<Subkind>)] = &[
    ("issing script: ", USAGE),
    ("Could not read package.json", CONFIG),
    ("ouldn't find a package.json", CONFIG),
    ("No package.json", CONFIG),
    ("Failed to parse package.json", CONFIG),
    ("JSON.parse package.json", CONFIG),
    ("Invalid package.json", CONFIG),
    ("no test specified", CONFIG),
    ("could not determine executable to run", TOOL),
    ("npx canceled due to missing packages", TOOL),
    ("npm error 404", DEPENDENCY),
    ("npm ERR! 404", DEPENDENCY),
    ("npm error code ERESOLVE", DEPENDENCY),
    ("npm ERR! code ERESOLVE", DEPENDENCY),
    ("unable to resolve dependency tree", DEPENDENCY),
    ("Unsupported engine", CONFIG),
    ("engine \"node\" is incompatible", CONFIG),
    ("Couldn't find a script named", USAGE),
    ("ERR_PNPM_NO_IMPORTER_MANIFEST", CONFIG),
    ("No rule to make target", USAGE),
    ("no makefile found", CONFIG),
    ("*** missing separator", CONFIG),
    ("could not find `Cargo.toml`", CONFIG),
    ("failed to parse manifest", CONFIG),
    ("failed to parse lock file", CONFIG),
    ("error: no such command: ", TOOL),
    ("error: no such subcommand: ", TOOL),
    ("no matching package named", DEPENDENCY),
    ("no matching package found", DEPENDENCY),
    ("failed to select a version for", DEPENDENCY),
    ("failed to get `", DEPENDENCY),
    ("error: linker `", TOOL),
    ("pkg-config command could not be found", TOOL),
    ("Could not find directory of OpenSSL", DEPENDENCY),
    ("did not match any packages", USAGE),
    ("error: no test target named", USAGE),
    ("error: no bin target named", USAGE),
    ("error: no example target named", USAGE),
    ("toolchain '", TOOL),
    ("' is not installed for the toolchain", TOOL),
    ("failed to run custom build command", CONFIG),
    ("go.mod file not found", CONFIG),
    ("cannot find main module", CONFIG),
    ("does not contain main module", CONFIG),
    ("errors parsing go.mod", CONFIG),
    ("no required module provides package", DEPENDENCY),
    ("missing go.sum entry", DEPENDENCY),
    ("cannot find module providing package", DEPENDENCY),
    ("flag provided but not defined", USAGE),
    ("Could not find a version that satisfies", DEPENDENCY),
    ("No matching distribution found", DEPENDENCY),
    ("externally-managed-environment", CONFIG),
    ("Could not open requirements file", USAGE),
    ("requires a different Python", CONFIG),
    ("can't open file '", USAGE),
    ("there is no POM in this directory", CONFIG),
    ("Non-parseable POM", CONFIG),
    ("Unknown lifecycle phase", USAGE),
    ("Could not resolve dependencies", DEPENDENCY),
    ("Could not transfer artifact", DEPENDENCY),
    ("Could not find artifact", DEPENDENCY),
    ("could not be resolved: ", DEPENDENCY),
    ("does not contain a Gradle build", CONFIG),
    ("' not found in root project", USAGE),
    ("JAVA_HOME is not", CONFIG),
    ("JAVA_HOME environment variable is not", CONFIG),
    ("invalid target release", CONFIG),
    ("invalid source release", CONFIG),
    ("does not appear to contain CMakeLists.txt", CONFIG),
    ("not a CMake build directory", CONFIG),
    ("could not load cache", CONFIG),
    ("Could not find a package configuration file", DEPENDENCY),
    ("CMAKE_C_COMPILER", TOOL),
    ("CMAKE_CXX_COMPILER", TOOL),
    ("cannot find -l", DEPENDENCY),
    ("error while loading shared libraries", DEPENDENCY),
    ("unable to find library -l", DEPENDENCY),
    ("Could not locate Gemfile", CONFIG),
    ("Could not find gem '", DEPENDENCY),
    ("Bundler::GemNotFound", DEPENDENCY),
    ("bundler: command not found: ", TOOL),
    ("couldn't find an eslint.config", CONFIG),
    ("ouldn't find a configuration file", CONFIG),
    ("No ESLint configuration found", CONFIG),
    ("No files matching the pattern", USAGE),
    ("Cannot connect to the Docker daemon", None),
    ("is not a git command", USAGE),
    ("fatal: not a git repository", CONFIG),
    ("No space left on device", Some(Subkind::Disk)),
    ("ENOSPC", Some(Subkind::Disk)),
    ("Disk quota exceeded", Some(Subkind::Disk)),
    ("Address already in use", Some(Subkind::Port)),
    ("address already in use", Some(Subkind::Port)),
    ("EADDRINUSE", Some(Subkind::Port)),
    ("port is already allocated", Some(Subkind::Port)),
    ("SDK was not found", TOOL),
    ("MSB1003", CONFIG),
    ("Invalid configuration object", CONFIG),
    ("Could not open input file: ", USAGE),
    ("Can't open perl script", USAGE),
    ("No such file or directory -- ", USAGE),
    ("Validation Error", CONFIG),
    ("error: file not found: ", USAGE),
    ("CACError: Unknown option", USAGE),
    ("can only install with an existing package-lock", CONFIG),
    ("Failed to change working directory", USAGE),
    ("Some problems were encountered while processing the POMs", CONFIG),
    ("Could not find or load main class", USAGE),
    (": directory not found", USAGE),
    ("unexpected EOF while looking for matching", USAGE),
    ("Cannot open file ", USAGE),
];

/// What a line contains in lower case.
const LIKELY: &[(&str, Option<Subkind>)] = &[
    ("command not found", TOOL),
    (": not found", TOOL),
    ("unrecognized argument", USAGE),
    ("unrecognized option", USAGE),
    ("unrecognized command-line option", USAGE),
    ("unrecognized cli", USAGE),
    ("unsupported option", USAGE),
    ("unknown option", USAGE),
    ("unknown argument", USAGE),
    ("unknown flag", USAGE),
    ("unknown shorthand flag", USAGE),
    ("unknown command", USAGE),
    ("invalid option", USAGE),
    ("illegal option", USAGE),
    ("bad option", USAGE),
    ("no such option", USAGE),
    ("no such command", USAGE),
    ("unexpected argument", USAGE),
    ("unexpected option", USAGE),
    ("the following arguments are required", USAGE),
    ("required arguments were not provided", USAGE),
    ("missing argument", USAGE),
    ("missing option", USAGE),
    ("requires an argument", USAGE),
    ("expected one argument", USAGE),
    ("invalid choice", USAGE),
    ("does not exist.", USAGE),
    ("could not find '", USAGE),
    ("permission denied", Some(Subkind::Permission)),
    ("eacces", Some(Subkind::Permission)),
    ("operation not permitted", Some(Subkind::Permission)),
    ("read-only file system", Some(Subkind::Permission)),
    ("connection refused", Some(Subkind::Port)),
    ("econnrefused", Some(Subkind::Port)),
    ("could not connect", Some(Subkind::Port)),
    ("connection to server", Some(Subkind::Port)),
    ("failed to connect to", Some(Subkind::Port)),
    ("could not resolve host", None),
    ("temporary failure in name resolution", None),
    ("name or service not known", None),
    ("network is unreachable", None),
    ("enotfound", None),
    ("eai_again", None),
    ("invalid configuration", CONFIG),
    ("configuration error", CONFIG),
    ("config error", CONFIG),
    ("failed to load config", CONFIG),
    ("error loading config", CONFIG),
    ("error reading config", CONFIG),
    ("invalid config", CONFIG),
    ("unknown configuration", CONFIG),
    ("no configuration", CONFIG),
];

/// Lines that are looked at, from both ends of a long output.
const LINES_MAX: usize = 400;

/// A tool that says plainly that it could not do its work.
pub(super) fn certain(log: &Log<'_>, programs: &[Program]) -> Option<Report> {
    if let Some(report) = missing_module(log, programs).or_else(|| by_shell(log)) {
        return Some(report);
    }
    if let Some(line) =
        log.lines.iter().find(|line| line.starts_with("stat ") && line.ends_with("no such file or directory"))
    {
        return Some(Report::tooling(USAGE, "", line));
    }
    let lines = windowed(log);
    let (at, subkind) = lines.iter().enumerate().find_map(|(at, line)| {
        let (_, subkind) =
            CERTAIN.iter().find(|(sign, _)| line.contains(sign)).filter(|_| !line.starts_with("> "))?;
        Some((at, *subkind))
    })?;
    Some(Report::tooling(subkind, "", &told(&lines, at)))
}

/// `python -m pytest` without pytest: `/usr/bin/python3: No module named pytest`.
fn missing_module(log: &Log<'_>, programs: &[Program]) -> Option<Report> {
    let is_line = |line: &&&str| {
        line.split_once(": No module named ")
            .is_some_and(|(before, _)| before.contains("python") && !before.contains(' '))
    };
    let line = log.lines.iter().find(is_line)?;
    let is_tool = matches!(programs::purpose(programs), Purpose::Test | Purpose::Lint | Purpose::Build);
    Some(Report::tooling(if is_tool { TOOL } else { DEPENDENCY }, "", line))
}

/// What the shell says about the command itself: a folder that is not there, a quote that is not closed.
fn by_shell(log: &Log<'_>) -> Option<Report> {
    let is_line = |line: &&&str| {
        let is_shell = [
            "bash: line ",
            "bash: -c: ",
            "bash: cd: ",
            "sh: 1: ",
            "/bin/sh: 1: ",
            "/bin/bash: line ",
            "zsh:",
        ]
        .iter()
        .any(|start| line.starts_with(start));
        let is_missing = line.starts_with("bash: line ") && line.ends_with(": No such file or directory");
        is_missing
            || is_shell
                && (line.contains("cd: ")
                    || line.contains("can't cd to")
                    || line.contains("yntax error")
                    || line.contains("unexpected EOF"))
    };
    let line = log.lines.iter().find(is_line)?;
    Some(Report::tooling(USAGE, "", line))
}

/// A line, with the next one if it only announces it.
fn told(lines: &[&str], at: usize) -> String {
    let line = plain(lines.get(at).copied().unwrap_or_default());
    let next = lines.iter().skip(at + 1).find(|line| !line.is_empty());
    match next {
        Some(next) if line.ends_with(':') => format!("{line} {next}"),
        _ => line,
    }
}

/// Words that any program may print.
pub(super) fn likely(log: &Log<'_>, programs: &[Program]) -> Option<Report> {
    let lines = windowed(log);
    let found = lines.iter().enumerate().find_map(|(at, line)| {
        let lower = line.to_lowercase();
        let (_, subkind) = LIKELY.iter().find(|(sign, _)| lower.contains(sign))?;
        Some((at, *line, *subkind))
    });
    if let Some((at, line, subkind)) = found {
        let name = match programs.last() {
            Some(program) if !line.contains(program.name.split(' ').next().unwrap_or("")) => {
                program.name.as_str()
            }
            _ => "",
        };
        return Some(Report::tooling(subkind, name, &told(&lines, at)));
    }
    if programs::purpose(programs) == Purpose::Install {
        let name = programs.last().map(|program| program.name.clone()).unwrap_or_default();
        let line = log.telling_line(programs).unwrap_or("the installation failed");
        return Some(Report::tooling(DEPENDENCY, &name, &plain(line)));
    }
    None
}

fn windowed<'a>(log: &Log<'a>) -> Vec<&'a str> {
    let count = log.lines.len();
    let is_near = |at: &usize| *at < LINES_MAX || at + LINES_MAX >= count;
    (0..count).filter(is_near).filter_map(|at| log.lines.get(at)).map(|line| line.trim()).collect()
}

/// A line without the mark in front of it: `npm error `, `error: `.
pub(super) fn plain(line: &str) -> String {
    let mut text = line.trim();
    for mark in ["npm error ", "npm ERR! ", "[ERROR] ", "error: ", "ERROR: ", "Error: ", "error ", "fatal: "]
    {
        if let Some(rest) = text.strip_prefix(mark) {
            text = rest.trim_start();
        }
    }
    text.to_owned()
}
