//! The programs that are known by name, with the tool whose output they print and what they are run for.

use super::super::tools::Tool;
use super::verbs::{by_script, cargo, go, java_build, opaque};
use super::wrappers::is_python;
use super::{Program, Purpose};

/// Programs that do one thing, whatever their arguments.
pub(super) const TOOLS: &[(&[&str], Tool, Purpose)] = &[
    (&["pytest", "py.test", "pytest-3", "ptw"], Tool::Pytest, Purpose::Test),
    (&["unittest", "nose2", "nosetests", "trial", "green"], Tool::Unittest, Purpose::Test),
    (&["jest", "react-scripts"], Tool::Jest, Purpose::Test),
    (&["vitest"], Tool::Vitest, Purpose::Test),
    (&["mocha", "_mocha"], Tool::Mocha, Purpose::Test),
    (&["tap", "tape", "ava", "prove", "bats"], Tool::Tap, Purpose::Test),
    (&["ctest"], Tool::Ctest, Purpose::Test),
    (&["rspec"], Tool::Rspec, Purpose::Test),
    (&["phpunit", "pest", "paratest"], Tool::Phpunit, Purpose::Test),
    (&["tsc", "vue-tsc", "tsd"], Tool::Tsc, Purpose::Lint),
    (&["eslint", "standard", "xo", "semistandard"], Tool::Eslint, Purpose::Lint),
    (&["ruff"], Tool::Ruff, Purpose::Lint),
    (&["flake8", "pycodestyle", "pyflakes", "pydocstyle", "autopep8"], Tool::Flake8, Purpose::Lint),
    (&["mypy", "dmypy", "pyright", "basedpyright", "pyre", "ty"], Tool::Mypy, Purpose::Lint),
    (&["pylint"], Tool::Pylint, Purpose::Lint),
    (&["black", "isort", "yapf"], Tool::Black, Purpose::Lint),
    (&["prettier"], Tool::Prettier, Purpose::Lint),
    (
        &[
            "shellcheck",
            "golint",
            "staticcheck",
            "golangci-lint",
            "cppcheck",
            "clang-tidy",
            "phpcs",
            "phpstan",
        ],
        Tool::Located,
        Purpose::Lint,
    ),
    (
        &["rubocop", "hadolint", "yamllint", "stylelint", "markdownlint", "biome", "oxlint", "bandit"],
        Tool::Located,
        Purpose::Lint,
    ),
    (&["rustc"], Tool::Cargo, Purpose::Build),
    (&["clippy-driver"], Tool::Cargo, Purpose::Lint),
    (&["rustfmt"], Tool::Rustfmt, Purpose::Lint),
    (&["gcc", "cc", "g++", "c++", "clang", "clang++", "ld", "c99", "c11", "emcc"], Tool::Gcc, Purpose::Build),
    (&["javac", "kotlinc", "scalac"], Tool::Java, Purpose::Build),
    (
        &["webpack", "vite", "esbuild", "rollup", "parcel", "tsup", "next", "nuxt", "astro"],
        Tool::Bundler,
        Purpose::Build,
    ),
];

/// Programs that run what the project names: the script or target decides what for.
const OPAQUE: &[&str] = &[
    "make",
    "gmake",
    "npm",
    "yarn",
    "pnpm",
    "bun",
    "just",
    "task",
    "rake",
    "tox",
    "nox",
    "invoke",
    "composer",
    "ninja",
    "deno",
    "nx",
    "turbo",
    "lerna",
    "pre-commit",
    "scons",
    "meson",
    "bazel",
    "grunt",
    "gulp",
    "sbt",
    "mix",
    "swift",
];

/// Interpreters and runners of programs.
const INTERPRETERS: &[&str] = &[
    "node",
    "nodejs",
    "ruby",
    "php",
    "perl",
    "java",
    "deno",
    "bun",
    "flet",
    "flask",
    "uvicorn",
    "gunicorn",
    "django",
    "tsx",
    "ts-node",
    "nodemon",
    "lua",
    "Rscript",
    "julia",
    "streamlit",
    "kotlin",
    "scala",
    "dart",
    "electron",
    "hypercorn",
    "celery",
    "fastapi",
    "manage.py",
    "puma",
    "rackup",
];

/// Package installers.
const INSTALLERS: &[&str] =
    &["pip", "pip3", "apt", "apt-get", "brew", "gem", "conda", "poetry", "pipenv", "uv", "bundle", "bundler"];

pub(super) fn known(name: &str, arguments: &[String], path: &str) -> Program {
    let of = |name: String, tool: Option<Tool>, purpose: Purpose| Program {
        name,
        tool,
        purpose,
        is_opaque: false,
        echo: None,
    };
    let verb = arguments.iter().map(String::as_str).find(|word| !word.starts_with(['-', '+'])).unwrap_or("");
    match name {
        "cargo" => return cargo(verb, arguments),
        "go" => return go(verb),
        "mvn" | "mvnw" | "gradle" | "gradlew" => return java_build(name, arguments),
        "dotnet" => {
            let purpose = by_script(verb);
            return of(format!("dotnet {verb}"), Some(Tool::Dotnet), purpose);
        }
        "cmake" => {
            let is_build = arguments.iter().any(|word| word == "--build");
            let tool = if is_build { Tool::Gcc } else { Tool::Cmake };
            return Program { is_opaque: is_build, ..of("cmake".to_owned(), Some(tool), Purpose::Build) };
        }
        "ruff" if verb == "format" => return of("ruff format".to_owned(), Some(Tool::Ruff), Purpose::Lint),
        "gofmt" | "goimports" => return of(name.to_owned(), Some(Tool::Go), Purpose::Lint),
        "playwright" | "cypress" | "wdio" | "karma" | "jasmine" | "cucumber" | "behave" | "robot" => {
            return of(name.to_owned(), Some(Tool::Mocha), Purpose::Test);
        }
        "vite" | "next" | "nuxt" | "astro" if matches!(verb, "dev" | "start" | "preview" | "") => {
            return of(format!("{name} {verb}").trim().to_owned(), Some(Tool::Bundler), Purpose::Run);
        }
        "node" if arguments.iter().any(|word| word == "--test") => {
            return of("node --test".to_owned(), Some(Tool::NodeTest), Purpose::Test);
        }
        "bun" | "deno" if verb == "test" => {
            return of(format!("{name} test"), Some(Tool::NodeTest), Purpose::Test);
        }
        "php" if arguments.iter().any(|word| word == "-l") => {
            return of("php -l".to_owned(), Some(Tool::Located), Purpose::Lint);
        }
        "java" if verb.ends_with(".java") => {
            return of(format!("java {verb}"), Some(Tool::Java), Purpose::Run);
        }
        "ts-node" => return of(format!("ts-node {verb}"), Some(Tool::Tsc), Purpose::Run),
        "py_compile" | "compileall" => return of(name.to_owned(), None, Purpose::Lint),
        _ => {}
    }
    if let Some((_, tool, purpose)) = TOOLS.iter().find(|(names, ..)| is_named(names, name)) {
        return of(name.to_owned(), Some(*tool), *purpose);
    }
    if OPAQUE.contains(&name) {
        return opaque(name, arguments, verb);
    }
    if INSTALLERS.contains(&name) {
        return of(format!("{name} {verb}").trim().to_owned(), None, Purpose::Install);
    }
    let is_interpreter = is_python(name) || INTERPRETERS.contains(&name);
    if is_interpreter || matches!(name, "sh" | "bash" | "zsh" | "dash") {
        return interpreted(name, verb, is_interpreter);
    }
    let is_own = path.starts_with(['.', '/']) && !path.starts_with("/usr/") && !path.starts_with("/bin/");
    if is_own || name.ends_with(".sh") || name.ends_with(".py") {
        let purpose = if is_test_file(name) { Purpose::Test } else { Purpose::Run };
        return Program { is_opaque: true, ..of(name.to_owned(), None, purpose) };
    }
    of(name.to_owned(), None, Purpose::Other)
}

pub(super) fn is_named(names: &[&str], name: &str) -> bool {
    names.iter().any(|known| {
        name.strip_prefix(known).is_some_and(|rest| {
            let version = rest.strip_prefix('-').unwrap_or(rest);
            rest.is_empty() || version.chars().all(|sign| sign.is_ascii_digit() || sign == '.')
        })
    })
}

/// An interpreter with the file it runs: a test file is a test run.
fn interpreted(name: &str, verb: &str, is_interpreter: bool) -> Program {
    // A text that is given on the command line is no name.
    let verb = if verb.contains([' ', '(', ';']) { "" } else { verb };
    let file = verb.rsplit('/').next().unwrap_or(verb);
    let purpose = if is_test_file(file) || verb == "test" { Purpose::Test } else { Purpose::Run };
    Program {
        name: format!("{name} {verb}").trim().to_owned(),
        tool: None,
        purpose,
        is_opaque: !is_interpreter || purpose == Purpose::Test || name == "perl",
        echo: None,
    }
}

/// Whether the name of a file marks it as a check: `tests.py`, `test_cart.py`, `check.sh`, `cart.test.js`, `run_tests.sh`.
fn is_test_file(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    stem.split(['_', '-'])
        .any(|part| matches!(part, "test" | "tests" | "check" | "checks" | "spec" | "specs"))
        || name.contains(".test.")
        || name.contains(".spec.")
        || stem.ends_with("Test") && !stem.eq("Test")
}
