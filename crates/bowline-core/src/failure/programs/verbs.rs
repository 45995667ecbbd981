//! Programs with verbs: what `cargo test`, `go vet`, `mvn package`, `npm run lint` and `make check` are run for.

use super::super::tools::Tool;
use super::table::{TOOLS, is_named};
use super::{Program, Purpose};

pub(super) fn cargo(verb: &str, arguments: &[String]) -> Program {
    let (tool, purpose) = match verb {
        "test" | "t" | "nextest" | "tarpaulin" | "llvm-cov" | "bench" | "insta" | "hack" => {
            (Tool::Cargo, Purpose::Test)
        }
        "clippy" | "doc" | "deny" | "audit" | "machete" => (Tool::Cargo, Purpose::Lint),
        "fmt" => (Tool::Rustfmt, Purpose::Lint),
        "run" | "r" | "xtask" => (Tool::Cargo, Purpose::Run),
        "install" | "add" | "update" | "fetch" => (Tool::Cargo, Purpose::Install),
        _ => (Tool::Cargo, Purpose::Build),
    };
    // `cargo +nightly test` and `cargo --locked test` name their verb later.
    let name = if verb.is_empty() { "cargo".to_owned() } else { format!("cargo {verb}") };
    let is_opaque = verb == "xtask" || arguments.is_empty();
    Program { name, tool: Some(tool), purpose, is_opaque, echo: None }
}

pub(super) fn go(verb: &str) -> Program {
    let purpose = match verb {
        "test" => Purpose::Test,
        "vet" | "fmt" => Purpose::Lint,
        "run" => Purpose::Run,
        "get" | "mod" | "install" => Purpose::Install,
        _ => Purpose::Build,
    };
    Program { name: format!("go {verb}"), tool: Some(Tool::Go), purpose, is_opaque: false, echo: None }
}

pub(super) fn java_build(name: &str, arguments: &[String]) -> Program {
    let goal = |goal: &str| {
        arguments
            .iter()
            .any(|word| word.rsplit(':').next().is_some_and(|last| last.eq_ignore_ascii_case(goal)))
    };
    let is_test =
        ["test", "verify", "check", "integration-test", "install", "package", "build"].into_iter().any(goal)
            && !arguments.iter().any(|word| word.contains("skipTests") || word.contains("maven.test.skip"));
    let is_run = ["run", "bootRun", "exec", "java"].into_iter().any(goal);
    let purpose = if is_test {
        Purpose::Test
    } else if is_run {
        Purpose::Run
    } else {
        Purpose::Build
    };
    let verb = arguments.iter().find(|word| !word.starts_with('-')).map_or("", String::as_str);
    let name = name.trim_end_matches('w');
    Program { name: format!("{name} {verb}"), tool: Some(Tool::Java), purpose, is_opaque: false, echo: None }
}

pub(super) fn opaque(name: &str, arguments: &[String], verb: &str) -> Program {
    let mut rest =
        arguments.iter().map(String::as_str).filter(|word| !word.starts_with('-') && !word.contains('='));
    let script = match verb {
        "run" | "run-script" => rest.by_ref().skip_while(|word| *word != verb).nth(1).unwrap_or("run"),
        verb => verb,
    };
    let is_installer = matches!(name, "npm" | "yarn" | "pnpm" | "bun" | "composer");
    let installs =
        matches!(script, "install" | "i" | "ci" | "add" | "update" | "require" | "remove" | "uninstall");
    let purpose = match (name, script) {
        _ if is_installer && installs => Purpose::Install,
        ("yarn", "") => Purpose::Install,
        ("pre-commit", _) => Purpose::Lint,
        ("tox" | "nox", _) => Purpose::Test,
        ("npm", "t" | "tst") => Purpose::Test,
        ("make" | "gmake" | "ninja" | "scons", "") => Purpose::Build,
        (_, script) => by_script(script),
    };
    let called = if script == verb { script.to_owned() } else { format!("run {script}") };
    // `yarn jest` runs the tool of that name.
    let tool = TOOLS.iter().find(|(names, ..)| is_named(names, script) && is_installer);
    Program {
        name: format!("{name} {called}").trim().to_owned(),
        tool: tool.map(|(_, tool, _)| *tool),
        purpose: tool.map_or(purpose, |(_, _, purpose)| *purpose),
        is_opaque: true,
        echo: None,
    }
}

/// What a script or target is for, by the words of its name. `type-check` and `test:lint` are linters.
pub(super) fn by_script(script: &str) -> Purpose {
    const LINT: &[&str] = &[
        "lint",
        "typecheck",
        "type",
        "types",
        "format",
        "fmt",
        "style",
        "tsc",
        "mypy",
        "eslint",
        "clippy",
        "prettier",
        "vet",
    ];
    const TEST: &[&str] = &[
        "test", "tests", "check", "spec", "e2e", "unit", "coverage", "cov", "pytest", "jest", "vitest",
        "mocha",
    ];
    const BUILD: &[&str] = &["build", "compile", "all", "dist", "bundle", "package"];
    const RUN: &[&str] = &["start", "run", "dev", "serve", "server", "watch", "preview"];
    let lower = script.to_lowercase();
    let has = |known: &[&str]| lower.split(['-', '_', ':', '.', '/']).any(|word| known.contains(&word));
    match () {
        () if has(LINT) => Purpose::Lint,
        () if has(TEST) => Purpose::Test,
        () if has(BUILD) => Purpose::Build,
        () if has(RUN) => Purpose::Run,
        () => Purpose::Other,
    }
}
