//! Hunks between successive versions of well-known packages, fetched by the package managers' own clients at run time.
//!
//! What was fetched stays below `target/bench-edits`, so that a second run needs no network. A package that cannot be had
//! is told and left out.

use super::cut::{Pair, cut};
use super::hunk::Hunk;
use super::language::{Language, readable};
use super::operators::Draw;
use crate::command::{output_of, root};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// One package a line: the registry, the name, and versions from old to new.
const LIST: &str = include_str!("packages.txt");

struct Package<'a> {
    registry: &'a str,
    name: &'a str,
    versions: Vec<&'a str>,
}

/// Up to `wanted` hunks of each language.
pub(crate) fn hunks(wanted: usize, seed: u64) -> Result<Vec<Hunk>> {
    let store = root().join("target/bench-edits");
    let mut draw = Draw::new(seed);
    let mut hunks = Vec::new();
    for package in list() {
        let folders: Vec<(&str, PathBuf)> = package
            .versions
            .iter()
            .filter_map(|version| match fetched(&store, &package, version) {
                Ok(folder) => Some((*version, folder)),
                Err(error) => {
                    eprintln!("bench: {} {version} is left out: {error:#}", package.name);
                    None
                }
            })
            .collect();
        for pair in folders.windows(2) {
            let [(_, before), (version, after)] = pair else { continue };
            hunks.extend(between(before, after, &format!("{} {version}", package.name), &mut draw));
        }
    }
    let count = hunks.len();
    let mut by_language: BTreeMap<Language, usize> = BTreeMap::new();
    draw.shuffle(&mut hunks);
    hunks.retain(|hunk| {
        let taken = by_language.entry(hunk.language).or_default();
        *taken += 1;
        *taken <= wanted
    });
    eprintln!("bench: {count} hunks between versions of packages");
    Ok(hunks)
}

fn list() -> Vec<Package<'static>> {
    let package = |line: &'static str| {
        let mut words = line.split_whitespace();
        let (registry, name) = (words.next()?, words.next()?);
        Some(Package { registry, name, versions: words.collect() })
    };
    LIST.lines().filter(|line| !line.starts_with('#')).filter_map(package).collect()
}

/// The folder with the sources of one version.
fn fetched(store: &Path, package: &Package<'_>, version: &str) -> Result<PathBuf> {
    let Package { registry, name, .. } = package;
    let folder = store.join(registry).join(format!("{}-{version}", name.replace('/', "+")));
    if folder.is_dir() {
        return Ok(folder);
    }
    eprintln!("bench: fetching {name} {version}");
    std::fs::create_dir_all(store.join(registry))?;
    let scratch = tempfile::tempdir_in(store).context("no temporary folder")?;
    let made = match *registry {
        "cargo" => cargo(scratch.path(), name, version)?,
        "npm" => npm(scratch.path(), name, version)?,
        "pip" => pip(scratch.path(), name, version)?,
        other => bail!("there is no registry {other}"),
    };
    std::fs::rename(&made, &folder)?;
    Ok(folder)
}

/// A project that needs nothing but this version, and what cargo puts beside it.
fn cargo(scratch: &Path, name: &str, version: &str) -> Result<PathBuf> {
    let manifest = format!(
        "[package]\nname = \"scratch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[lib]\npath = \"lib.rs\"\n\
         [dependencies]\n{name} = {{ version = \"={version}\", default-features = false }}\n[workspace]\n"
    );
    std::fs::write(scratch.join("Cargo.toml"), manifest)?;
    std::fs::write(scratch.join("lib.rs"), "")?;
    let mut vendor = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    vendor.args(["vendor", "--quiet", "--versioned-dirs"]);
    quiet(vendor.current_dir(scratch))?;
    Ok(scratch.join("vendor").join(format!("{name}-{version}")))
}

fn npm(scratch: &Path, name: &str, version: &str) -> Result<PathBuf> {
    quiet(Command::new("npm").args(["pack", "--silent", &format!("{name}@{version}")]).current_dir(scratch))?;
    let archive = only(scratch, "tgz")?;
    quiet(Command::new("tar").arg("xzf").arg(&archive).current_dir(scratch))?;
    std::fs::remove_file(archive)?;
    let mut folders = std::fs::read_dir(scratch)?.filter_map(Result::ok).map(|entry| entry.path());
    folders.find(|path| path.is_dir()).context("the archive is empty")
}

/// As a wheel: an archive of the sources that needs no build.
fn pip(scratch: &Path, name: &str, version: &str) -> Result<PathBuf> {
    let wanted = format!("{name}=={version}");
    let download =
        ["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", ".", &wanted];
    quiet(Command::new("python3").args(download).current_dir(scratch))?;
    let wheel = only(scratch, "whl")?;
    let made = scratch.join("sources");
    quiet(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(&wheel).arg(&made).current_dir(scratch))?;
    Ok(made)
}

fn only(folder: &Path, end: &str) -> Result<PathBuf> {
    let mut paths = std::fs::read_dir(folder)?.filter_map(Result::ok).map(|entry| entry.path());
    paths.find(|path| path.extension().is_some_and(|is| is == end)).with_context(|| format!("no .{end} came"))
}

fn quiet(command: &mut Command) -> Result<String> {
    output_of(command.stdin(Stdio::null()))
}

/// The hunks between two folders: of files that are in both and differ.
fn between(before: &Path, after: &Path, origin: &str, draw: &mut Draw) -> Vec<Hunk> {
    let (before, after) = (sources(before), sources(after));
    let mut hunks = Vec::new();
    let mut previous: BTreeMap<Language, &str> = BTreeMap::new();
    for (path, old) in &before {
        let Some(language) = Language::of(path) else { continue };
        if let Some(new) = after.get(path).filter(|new| *new != old) {
            let other = previous.get(&language).copied();
            hunks.extend(cut(&Pair { path, origin, before: old, after: new, other }, draw));
        }
        previous.insert(language, old);
    }
    hunks
}

/// Every source below a folder, by its path in it.
fn sources(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(at) = waiting.pop() {
        for path in
            std::fs::read_dir(&at).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path())
        {
            if path.is_symlink() {
                continue;
            }
            if path.is_dir() {
                waiting.push(path);
                continue;
            }
            let Some(name) = path.strip_prefix(folder).ok().and_then(Path::to_str) else { continue };
            if Language::of(name).is_none_or(|language| language == Language::Other) {
                continue;
            }
            if let Some(text) = std::fs::read(&path).ok().and_then(readable) {
                found.insert(name.to_owned(), text);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_has_versions_to_compare() {
        let list = list();
        assert!(!list.is_empty());
        for package in list {
            assert!(["cargo", "npm", "pip"].contains(&package.registry), "{}", package.registry);
            assert!(package.versions.len() > 1, "{}", package.name);
        }
    }
}
