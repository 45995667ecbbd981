//! The project's own checks, found in its files each time a command is judged: what the model changed in them counts at
//! once.
//!
//! A script is one of them by its name, and only if its text starts nothing that reaches the network, publishes or
//! makes its user somebody else.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use bowline_core::policy::command::{Part, Word};
use bowline_core::policy::project_checks::{Kind, ProjectChecks, is_check, is_check_stem, is_other};
use serde_json::{Map, Value};

use crate::shell;

/// A longer file is not looked into. Bytes.
const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// Entries of a folder that are looked at.
const ENTRIES_MAX: usize = 1_000;
/// Scripts that start scripts.
const DEPTH_MAX: usize = 6;

/// Files at the root that say what a project is made with.
const MARKS: &[(&str, Kind)] = &[
    ("Cargo.toml", Kind::Cargo),
    ("go.mod", Kind::Go),
    ("pyproject.toml", Kind::Python),
    ("setup.cfg", Kind::Python),
    ("setup.py", Kind::Python),
    ("tox.ini", Kind::Python),
    ("pytest.ini", Kind::Python),
    ("requirements.txt", Kind::Python),
    ("package.json", Kind::Node),
    ("Makefile", Kind::Make),
    ("makefile", Kind::Make),
    ("GNUmakefile", Kind::Make),
    ("justfile", Kind::Just),
    ("Justfile", Kind::Just),
    ("CMakeLists.txt", Kind::CMake),
    ("build.gradle", Kind::Gradle),
    ("build.gradle.kts", Kind::Gradle),
    ("pom.xml", Kind::Maven),
];

/// Programs a check does not start.
const REACHING: &[&str] = &[
    "curl",
    "wget",
    "ssh",
    "scp",
    "sftp",
    "rsync",
    "nc",
    "ncat",
    "telnet",
    "ftp",
    "sudo",
    "doas",
    "su",
    "docker",
    "podman",
    "kubectl",
    "helm",
    "aws",
    "gcloud",
    "az",
    "terraform",
    "gh",
    "vercel",
    "netlify",
    "firebase",
    "heroku",
    "fly",
    "dd",
    "mkfs",
    "shred",
    "crontab",
    "systemctl",
    "eval",
    "run-s",
    "run-p",
    "npm-run-all",
    "concurrently",
    "twine",
];

pub fn find(root: &Path) -> ProjectChecks {
    let mut project_checks = ProjectChecks::default();
    for (name, kind) in MARKS {
        let path = root.join(name);
        if !path.is_file() {
            continue;
        }
        project_checks.kinds.insert(*kind);
        match kind {
            Kind::Node => project_checks.scripts.extend(package_scripts(&path)),
            Kind::Make => project_checks.targets.extend(recipes(&path)),
            Kind::Just => project_checks.recipes.extend(recipes(&path)),
            _ => {}
        }
    }
    if has_python_tests(root) {
        project_checks.kinds.insert(Kind::Python);
    }
    if root.join(".git").exists() {
        project_checks.kinds.insert(Kind::Git);
    }
    project_checks.files = check_files(root);
    project_checks
}

/// Whether a project without any of the marks has Python tests at its root or in `tests`.
fn has_python_tests(root: &Path) -> bool {
    let is_test = |name: String| name.starts_with("test_") && name.ends_with(".py");
    ["", "tests"].iter().any(|below| {
        let entries = std::fs::read_dir(root.join(below)).into_iter().flatten().take(ENTRIES_MAX).flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).any(is_test)
    })
}

fn read(path: &Path) -> Option<String> {
    let is_small = std::fs::metadata(path).is_ok_and(|found| found.len() <= FILE_BYTES_MAX);
    is_small.then(|| std::fs::read_to_string(path).ok()).flatten()
}

/// Scripts at the root that are checks by name: `test.sh`, `check`, `tests.py`.
fn check_files(root: &Path) -> BTreeSet<String> {
    let Ok(entries) = std::fs::read_dir(root) else { return BTreeSet::new() };
    let files = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    files
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| match name.rsplit_once('.') {
            Some((stem, "sh")) => is_check(stem),
            Some((stem, "py" | "js" | "mjs" | "cjs" | "rb")) => is_check_stem(stem),
            Some(_) => false,
            None => is_check(name),
        })
        .collect()
}

/// Scripts that are checks, and whose text, and that of those run before and after them, reaches nowhere.
fn package_scripts(path: &Path) -> BTreeSet<String> {
    let Some(package) = read(path).and_then(|text| serde_json::from_str::<Value>(&text).ok()) else {
        return BTreeSet::new();
    };
    let Some(scripts) = package.get("scripts").and_then(Value::as_object) else { return BTreeSet::new() };
    scripts.keys().filter(|name| is_check(name) && stays_here(scripts, name, DEPTH_MAX)).cloned().collect()
}

/// Whether a script, and those it starts, start nothing that is known to reach elsewhere.
fn stays_here(scripts: &Map<String, Value>, name: &str, depth: usize) -> bool {
    if depth == 0 || !scripts.contains_key(name) {
        return false;
    }
    let around = [format!("pre{name}"), name.to_owned(), format!("post{name}")];
    around.iter().filter_map(|name| scripts.get(name)).all(|script| {
        let parts = script.as_str().and_then(|script| shell::parse(script).parts.ok());
        parts.is_some_and(|parts| {
            let stays = |name: &str| !is_other(name) && stays_here(scripts, name, depth - 1);
            parts.iter().all(|part| is_harmless(part) && starts(part).is_none_or(stays))
        })
    })
}

/// The script that a part starts by its name.
fn starts(part: &Part) -> Option<&str> {
    let words: Vec<&str> = part.words.iter().map_while(Word::known).collect();
    match words.as_slice() {
        ["npm" | "yarn" | "pnpm", "run" | "run-script", name, ..] => Some(name),
        ["npm" | "pnpm", "test" | "t", ..] => Some("test"),
        ["yarn", name, ..] => Some(name),
        _ => None,
    }
}

fn is_harmless(part: &Part) -> bool {
    let words: Vec<&str> = part.words.iter().filter_map(Word::known).collect();
    let runs = |name: &str| words.iter().any(|word| word.rsplit('/').next() == Some(name));
    let says = |program: &str, command: &str| runs(program) && words.contains(&command);
    let is_far = |word: &Word| word.shown().starts_with(['/', '~', '$', '"']) && word.shown() != "/dev/null";
    let reaches = REACHING.iter().any(|name| runs(name)) || says("git", "push");
    let destroys = runs("rm") && part.words.iter().any(is_far);
    let writes_far = part.redirects.iter().any(|redirect| is_far(&redirect.target));
    let publishes = ["npm", "yarn", "pnpm", "cargo"].iter().any(|program| says(program, "publish"));
    let installs = ["npm", "yarn", "pnpm", "pip"].iter().any(|program| says(program, "install"));
    ![reaches, destroys, writes_far, publishes, installs].contains(&true)
}

/// What a Makefile or a justfile does under a name: the names it needs, and its lines.
#[derive(Default)]
struct Recipe {
    needs: Vec<String>,
    lines: Vec<String>,
}

/// Names that are checks, and whose lines, with those of the names they need, reach nowhere.
fn recipes(path: &Path) -> BTreeSet<String> {
    let text = read(path).unwrap_or_default();
    let mut all: BTreeMap<String, Recipe> = BTreeMap::new();
    let mut open = Vec::new();
    for line in text.lines() {
        if line.starts_with([' ', '\t']) {
            for name in &open {
                all.entry(String::clone(name)).or_default().lines.push(line.to_owned());
            }
            continue;
        }
        let Some((names, needs)) = line
            .split_once(':')
            .filter(|(names, rest)| !rest.starts_with('=') && !names.contains('=') && !line.starts_with('#'))
        else {
            continue;
        };
        open = names.split_whitespace().map(str::to_owned).collect();
        for name in &open {
            let recipe = all.entry(name.clone()).or_default();
            recipe.needs.extend(
                needs.split(['#', ';']).next().unwrap_or_default().split_whitespace().map(str::to_owned),
            );
            recipe.lines.extend(needs.split_once(';').map(|(_, line)| line.to_owned()));
        }
    }
    all.keys().filter(|name| is_check(name) && is_recipe_harmless(&all, name, DEPTH_MAX)).cloned().collect()
}

/// By the words of its lines: they are in the language of make, which is no shell's.
fn is_recipe_harmless(all: &BTreeMap<String, Recipe>, name: &str, depth: usize) -> bool {
    // What has no recipe is a file.
    let Some(recipe) = all.get(name) else { return true };
    let mut words = recipe.lines.iter().flat_map(|line| {
        line.split(|c: char| c.is_whitespace() || "@;&|()`\"'".contains(c)).filter(|word| !word.is_empty())
    });
    depth > 0
        && !words
            .any(|word| REACHING.contains(&word.rsplit('/').next().unwrap_or_default()) || word == "publish")
        && recipe.needs.iter().all(|need| is_recipe_harmless(all, need, depth - 1))
}
