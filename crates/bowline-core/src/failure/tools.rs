//! The parsers, one per tool, and the order in which they are asked.
//!
//! A parser takes the lines and what the command was run for. It gives back nothing if the output is not its tool's, and a
//! report without problems if the run passed.

mod black;
mod bundler;
mod cargo;
mod cmake;
mod counting;
mod ctest;
mod dotnet;
mod eslint;
mod flake8;
mod gcc;
mod go;
mod java;
mod jest;
mod located;
mod minitest;
mod mocha;
mod mypy;
mod node_test;
mod phpunit;
mod prettier;
mod pylint;
mod pytest;
mod rspec;
mod ruff;
mod rustfmt;
mod tap;
mod tsc;
mod unittest;
mod vitest;

use super::Subkind;
use super::log::Log;
use super::programs::{self, Program, Purpose};
use super::report::Report;

/// A tool whose output is understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    Pytest,
    Unittest,
    Cargo,
    Rustfmt,
    Go,
    Jest,
    Vitest,
    NodeTest,
    Mocha,
    Tap,
    Ctest,
    Rspec,
    Minitest,
    Phpunit,
    Java,
    Dotnet,
    Tsc,
    Eslint,
    Ruff,
    Flake8,
    Mypy,
    Pylint,
    Black,
    Prettier,
    Gcc,
    Cmake,
    Bundler,
    /// Any linter that prints `path:line:column: message`.
    Located,
}

/// Test runners, in the order in which an output is held against them: those with the plainest marks first.
const TESTS: &[Tool] = &[
    Tool::Pytest,
    Tool::Cargo,
    Tool::Go,
    Tool::Vitest,
    Tool::Jest,
    Tool::Java,
    Tool::Rspec,
    Tool::Phpunit,
    Tool::Ctest,
    Tool::Dotnet,
    Tool::Unittest,
    Tool::Minitest,
    Tool::NodeTest,
    Tool::Mocha,
    Tool::Tap,
];

/// Linters and compilers, likewise.
const LINTS: &[Tool] = &[
    Tool::Tsc,
    Tool::Eslint,
    Tool::Ruff,
    Tool::Black,
    Tool::Prettier,
    Tool::Mypy,
    Tool::Pylint,
    Tool::Flake8,
    Tool::Cargo,
    Tool::Gcc,
    Tool::Java,
    Tool::Go,
    Tool::Bundler,
    Tool::Rustfmt,
];

impl Tool {
    /// What a failure of this tool is about if its output does not say so.
    pub(super) fn subkind(self) -> Option<Subkind> {
        match self {
            Tool::Tsc | Tool::Mypy => Some(Subkind::Type),
            Tool::Eslint
            | Tool::Ruff
            | Tool::Flake8
            | Tool::Pylint
            | Tool::Black
            | Tool::Prettier
            | Tool::Rustfmt => Some(Subkind::Style),
            _ => None,
        }
    }

    fn parse(self, log: &Log<'_>, purpose: Purpose) -> Option<Report> {
        match self {
            Tool::Pytest => pytest::parse(log),
            Tool::Unittest => unittest::parse(log),
            Tool::Cargo => cargo::parse(log, purpose),
            Tool::Rustfmt => rustfmt::parse(log),
            Tool::Go => go::parse(log, purpose),
            Tool::Jest => jest::parse(log),
            Tool::Vitest => vitest::parse(log),
            Tool::NodeTest => node_test::parse(log).or_else(|| tap::parse(log)),
            Tool::Mocha => mocha::parse(log).or_else(|| tap::parse(log)),
            Tool::Tap => tap::parse(log).or_else(|| node_test::parse(log)),
            Tool::Ctest => ctest::parse(log),
            Tool::Rspec => rspec::parse(log),
            Tool::Minitest => minitest::parse(log),
            Tool::Phpunit => phpunit::parse(log),
            Tool::Java => java::parse(log, purpose),
            Tool::Dotnet => dotnet::parse(log, purpose),
            Tool::Tsc => tsc::parse(log),
            Tool::Eslint => eslint::parse(log),
            Tool::Ruff => ruff::parse(log),
            Tool::Flake8 => flake8::parse(log),
            Tool::Mypy => mypy::parse(log),
            Tool::Pylint => pylint::parse(log),
            Tool::Black => black::parse(log),
            Tool::Prettier => prettier::parse(log),
            Tool::Gcc => gcc::parse(log, purpose),
            Tool::Cmake => cmake::parse(log),
            Tool::Bundler => bundler::parse(log),
            Tool::Located => located::parse(log),
        }
    }
}

/// What the tools say that the command names. The first that found a problem counts.
pub(super) fn by_command(log: &Log<'_>, programs: &[Program]) -> Option<Report> {
    let purpose = programs::purpose(programs);
    let mut reports = programs.iter().filter_map(|program| {
        let purpose = if program.purpose == Purpose::Other { purpose } else { program.purpose };
        program.tool?.parse(log, purpose)
    });
    let mut passed = None;
    reports
        .by_ref()
        .find(|report| {
            if report.total == 0 {
                passed = Some(report.clone());
            }
            report.total > 0
        })
        .or(passed)
}

/// What a test runner says, whatever the command is.
pub(super) fn of_tests(log: &Log<'_>, programs: &[Program]) -> Option<Report> {
    // What does not compile is a failed test only if tests were asked for.
    let purpose = programs::purpose(programs);
    TESTS
        .iter()
        .find_map(|tool| tool.parse(log, purpose))
        .filter(|report| report.kind == super::Kind::TestFailure)
}

/// What a linter or a compiler says, if the command does not name another program that was run.
pub(super) fn of_lints(log: &Log<'_>, programs: &[Program]) -> Option<Report> {
    let is_hidden = programs.is_empty() || programs.iter().any(|program| program.is_opaque);
    if !is_hidden {
        return None;
    }
    let purpose = programs::purpose(programs);
    LINTS.iter().find_map(|tool| tool.parse(log, purpose)).filter(|report| report.total > 0)
}
