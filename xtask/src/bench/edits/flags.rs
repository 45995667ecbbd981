//! What `bench edits` is asked for.

use anyhow::{Context, Result, bail};
use std::path::PathBuf;

const HUNKS_DEFAULT: usize = 1_000;
const HUNKS_MAX: usize = 100_000;

pub(crate) struct Flags {
    /// Whose history is read; this one's if there is neither one nor `packages`.
    pub(crate) repositories: Vec<PathBuf>,
    /// Whether versions of packages are downloaded and compared.
    pub(crate) packages: bool,
    /// The most hunks, shared among the languages.
    pub(crate) hunks: usize,
    pub(crate) seed: u64,
    /// Where the figures are written for programs.
    pub(crate) json: Option<PathBuf>,
    /// Where cases that did not go right are written.
    pub(crate) dump: Option<PathBuf>,
    /// How many wrong ones are printed.
    pub(crate) show: usize,
}

impl Flags {
    pub(crate) fn parse(flags: &[&str]) -> Result<Flags> {
        let mut parsed = Flags {
            repositories: Vec::new(),
            packages: false,
            hunks: HUNKS_DEFAULT,
            seed: 1,
            json: None,
            dump: None,
            show: 0,
        };
        let mut rest = flags.iter();
        while let Some(flag) = rest.next() {
            if *flag == "--packages" {
                parsed.packages = true;
                continue;
            }
            let known = ["--repo", "--json", "--dump", "--hunks", "--seed", "--show"];
            if !known.contains(flag) {
                bail!("`{flag}` is no flag of bench edits; there are --packages, {}", known.join(", "));
            }
            let value = rest.next().with_context(|| format!("{flag} takes a value"))?;
            let number = || value.parse::<usize>().with_context(|| format!("{flag} takes a number"));
            match *flag {
                "--repo" => parsed.repositories.push(PathBuf::from(value)),
                "--json" => parsed.json = Some(PathBuf::from(value)),
                "--dump" => parsed.dump = Some(PathBuf::from(value)),
                "--hunks" => parsed.hunks = number()?.clamp(1, HUNKS_MAX),
                "--seed" => parsed.seed = number()? as u64,
                _ => parsed.show = number()?,
            }
        }
        Ok(parsed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_read_or_refused() {
        let flags = Flags::parse(&["--repo", "a", "--repo", "b", "--hunks", "30", "--packages"]);
        assert!(
            flags.is_ok_and(|flags| flags.repositories.len() == 2 && flags.hunks == 30 && flags.packages)
        );
        for wrong in [&["--repo"][..], &["--hunks", "many"], &["--fast"]] {
            assert!(Flags::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
