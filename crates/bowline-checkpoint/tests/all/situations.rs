//! Goes through `tests/cases/situations/*.case`, each in processes of its own, as it is and shaken.
//! `BOWLINE_SITUATION=merge` goes through those alone whose names have that word; `BOWLINE_EVERY_KILL=1` kills each at every
//! step.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crate::case::{self, Case};
use crate::ground::Ground;
use crate::situation::{Situation, Twin};

const RUNNERS: usize = 3;
/// Who may not do everything, where the tests are run by one who may.
const NOBODY: u32 = 65534;

#[test]
fn situations() {
    let runs: VecDeque<(Case, Twin)> = chosen()
        .into_iter()
        .flat_map(|case| {
            let alone = case.text("twins").is_some_and(|twins| twins.trim() == "none");
            let twins: &[Twin] = if alone { &[Twin::Plain] } else { &[Twin::Plain, Twin::Shaken] };
            twins.iter().map(|twin| (case.clone(), *twin)).collect::<Vec<_>>()
        })
        .collect();
    assert!(!runs.is_empty());
    in_parallel(runs, |(case, twin)| {
        let folder = crate::ground::folder();
        let ground = Ground::make(folder.path());
        let shaken = *twin == Twin::Shaken;
        let mut child = child(&ground, case, "situations::one_situation");
        child.env("BOWLINE_TWIN", if shaken { "shaken" } else { "plain" });
        if shaken {
            shake(&mut child);
        }
        let output = child.output().unwrap();
        let told = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        // A child that ran no test at all would be content too.
        let went_through = output.status.success() && told.contains("1 passed");
        (!went_through).then(|| format!("== {} ({twin:?})\n{told}", case.name))
    });
}

/// One of them, in the process made for it.
#[test]
fn one_situation() {
    let Some((case, ground)) = case_from_environment() else { return };
    let twin = match std::env::var("BOWLINE_TWIN").unwrap().as_str() {
        "shaken" => Twin::Shaken,
        _ => Twin::Plain,
    };
    Situation::reach(&case, twin, ground).go_through();
}

/// The cases whose names have the word asked for.
fn chosen() -> Vec<Case> {
    let word = std::env::var("BOWLINE_SITUATION").unwrap_or_default();
    case::all().into_iter().filter(|case| case.name.contains(&word)).collect()
}

/// Does each, a few at a time, and panics with all that went wrong.
fn in_parallel<T: Send>(runs: VecDeque<T>, run: impl Fn(&T) -> Option<String> + Sync) {
    let queue = Mutex::new(runs);
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..RUNNERS {
            scope.spawn(|| {
                while let Some(next) = { queue.lock().unwrap().pop_front() } {
                    let told = run(&next);
                    failed.lock().unwrap().extend(told);
                }
            });
        }
    });
    let mut failed = failed.into_inner().unwrap();
    failed.sort();
    let mut words = String::new();
    for told in &failed {
        writeln!(words, "{told}").unwrap();
    }
    assert!(failed.is_empty(), "{} went wrong\n{words}", failed.len());
}

/// This program again, for one test and one case.
fn child(ground: &Ground, case: &Case, test: &str) -> Command {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/situations");
    let told = ground.base.join(format!("{}.case", case.name));
    std::fs::copy(source.join(format!("{}.case", case.name)), &told).unwrap();
    let program = std::env::current_exe().unwrap();
    let as_nobody = case.text("as").is_some_and(|who| who.trim() == "nobody");
    let mut command = if as_nobody && rustix::process::geteuid().is_root() {
        for path in [ground.base.clone(), ground.tree(), ground.home(), ground.outside()] {
            chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let as_nobody = |arguments: &[&Path]| {
            let mut command = ground.command("setpriv");
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).args(arguments);
            command
        };
        if as_nobody(&["test".as_ref(), "-x".as_ref(), &program]).status().unwrap().success() {
            as_nobody(&[&program])
        } else {
            let copy = ground.base.join("program");
            std::fs::copy(program, &copy).unwrap();
            as_nobody(&[&copy])
        }
    } else {
        ground.command(program.to_str().unwrap())
    };
    command
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env("BOWLINE_CASE", told)
        .envs(std::env::var_os("BOWLINE_EVERY_KILL").map(|every| ("BOWLINE_EVERY_KILL", every)))
        .env("BOWLINE_GROUND", &ground.base);
    command
}

/// The case and the ground that a parent has told this process to use.
fn case_from_environment() -> Option<(Case, Ground)> {
    let path = PathBuf::from(std::env::var_os("BOWLINE_CASE")?);
    let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
    let case = Case::parse(&name, &std::fs::read_to_string(&path).unwrap());
    Some((case, Ground::at(Path::new(&std::env::var_os("BOWLINE_GROUND").unwrap()))))
}

/// Variables of git's that would lead every call astray.
fn shake(command: &mut Command) {
    let variables = [
        ("GIT_DIR", "/nonexistent/git"),
        ("GIT_WORK_TREE", "/nonexistent/tree"),
        ("GIT_INDEX_FILE", "/nonexistent/index"),
        ("GIT_OBJECT_DIRECTORY", "/nonexistent/objects"),
        ("GIT_ALTERNATE_OBJECT_DIRECTORIES", "/nonexistent/others"),
        ("GIT_COMMON_DIR", "/nonexistent/common"),
        ("GIT_NAMESPACE", "elsewhere"),
        ("GIT_CEILING_DIRECTORIES", "/"),
        ("GIT_PREFIX", "elsewhere/"),
        ("GIT_LITERAL_PATHSPECS", "1"),
        ("GIT_DEFAULT_HASH", "sha256"),
        ("GIT_DEFAULT_REF_FORMAT", "reftable"),
        ("GIT_INDEX_VERSION", "4"),
        ("GIT_EXTERNAL_DIFF", "/nonexistent/diff"),
        ("GIT_CONFIG_COUNT", "2"),
        ("GIT_CONFIG_KEY_0", "core.autocrlf"),
        ("GIT_CONFIG_VALUE_0", "true"),
        ("GIT_CONFIG_KEY_1", "color.ui"),
        ("GIT_CONFIG_VALUE_1", "always"),
        ("GIT_AUTHOR_DATE", "yesterday"),
        ("GIT_COMMITTER_DATE", "2001-02-03T04:05:06"),
        ("GIT_TRACE", "1"),
        ("GIT_PAGER", "false"),
        ("GIT_EDITOR", "false"),
    ];
    for (name, value) in variables {
        command.env(name, value);
    }
}
