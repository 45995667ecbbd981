//! `cargo xtask setup`: finds the programs that the tests start, and installs them where that is possible. Either all of them
//! are there afterwards or this fails and says what to install: no test is left out in silence.

use crate::command::{on_path, pass};
use crate::postgres::{self, Postgres};
use anyhow::{Context, Result, bail};
use std::process::{Command, Stdio};

/// A program that the tests start, and the Debian package that has it.
struct Program {
    name: &'static str,
    package: &'static str,
    /// The oldest version that will do, as its first number.
    version_min: Option<u32>,
    what_for: &'static str,
}

const PROGRAMS: [Program; 3] = [
    Program { name: "git", package: "git", version_min: None, what_for: "checkpoints and projects" },
    Program {
        name: "python3",
        package: "python3",
        version_min: Some(3),
        what_for: "the small tasks in Python",
    },
    Program {
        name: "node",
        package: "nodejs",
        version_min: Some(18),
        what_for: "the small tasks in JavaScript",
    },
];

pub(crate) fn run() -> Result<()> {
    ensure().map(drop)
}

/// Everything that the tests need; PostgreSQL may have to be named in their environment.
pub(crate) fn ensure() -> Result<Postgres> {
    if let Err(missing) = find_programs() {
        if !can_use_apt()? {
            return Err(missing);
        }
        println!("setup: {missing:#}; installing with apt-get");
        let absent: Vec<&str> = PROGRAMS
            .iter()
            .filter(|program| program.find().is_err())
            .map(|program| program.package)
            .collect();
        install_with_apt(&absent)?;
        find_programs()?;
    }
    postgres::ensure()
}

/// An error that names every program that is missing or too old.
pub(crate) fn find_programs() -> Result<()> {
    let wrong: Vec<String> = PROGRAMS
        .iter()
        .filter_map(|program| program.find().err())
        .map(|error| format!("{error:#}"))
        .collect();
    if wrong.is_empty() {
        return Ok(());
    }
    bail!("{}", wrong.join("; "))
}

impl Program {
    fn find(&self) -> Result<()> {
        let Self { name, package, what_for, .. } = self;
        let advice =
            || format!("{name} is needed for the tests of {what_for} (Debian: apt-get install {package})");
        let output =
            Command::new(name).arg("--version").stdin(Stdio::null()).output().with_context(advice)?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() {
            bail!("{}, and `{name} --version` failed", advice());
        }
        match (first_number(&said), self.version_min) {
            (Some(version), Some(least)) if version < least => {
                bail!("{} in version {least} or later, not {}", advice(), said.trim())
            }
            _ => Ok(()),
        }
    }
}

fn first_number(text: &str) -> Option<u32> {
    let start = text.find(|letter: char| letter.is_ascii_digit())?;
    let digits: String = text[start..].chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Whether packages can be installed without asking anybody.
pub(crate) fn can_use_apt() -> Result<bool> {
    Ok(postgres::is_root()? && on_path("apt-get").is_some())
}

pub(crate) fn install_with_apt(packages: &[&str]) -> Result<()> {
    let apt = |arguments: &[&str]| {
        pass(Command::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    apt(&["-q", "update"])?;
    apt(&[&["-q", "install", "-y", "--no-install-recommends"], packages].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_begin_with_their_first_number() {
        assert_eq!(first_number("v20.20.2\n"), Some(20));
        assert_eq!(first_number("Python 3.11.7"), Some(3));
        assert_eq!(first_number("none"), None);
    }

    #[test]
    fn what_is_missing_is_named_with_its_package() {
        let program =
            |name, version_min| Program { name, package: "some-package", version_min, what_for: "this test" };
        let said = |program: Program| format!("{:#}", program.find().unwrap_err());
        let missing = said(program("bowline-no-such-program", None));
        assert!(
            missing.contains("bowline-no-such-program") && missing.contains("apt-get install some-package")
        );
        assert!(said(program("git", Some(1000))).contains("in version 1000 or later"));
        assert!(program("git", Some(1)).find().is_ok());
    }
}
