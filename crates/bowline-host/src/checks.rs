//! Which check a project has, by its stack: the marker files at or above the first file that a turn changed.
//!
//! It reads a few small files at fixed names and runs nothing. What always holds: the command works from the project's root,
//! and whether it may run is for the permission rules to say.

use std::path::{Path, PathBuf};

use bowline_core::policy::project_checks::{is_check, is_check_stem};
use serde_json::Value;

/// A longer file is not looked into. Bytes.
const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// Entries of a folder that are looked at for tests.
const ENTRIES_MAX: usize = 1_000;
/// What `npm init` writes into a new project.
const PLACEHOLDER: &str = "no test specified";

/// Scripts for the shell that check a project without another stack.
const SCRIPTS: [&str; 6] = ["test.sh", "tests.sh", "check.sh", "checks.sh", "run-tests.sh", "run_tests.sh"];
/// Interpreters of programs that check a project without another stack, each with the endings of its files.
const PROGRAMS: [(&str, &[&str]); 3] =
    [("node", &["js", "mjs", "cjs"]), ("python3", &["py"]), ("ruby", &["rb"])];
/// What the tests of a runner consist of, which do nothing when they are started alone.
const RUNNER_CALLS: [&str; 4] = ["describe(", "it(", "test(", "suite("];

/// The project's own check; `near` is the first changed file, relative to the root.
pub fn detect(root: &Path, near: Option<&str>) -> Option<String> {
    folders(root, near).iter().find_map(|folder| {
        let stack = Stack { root, folder: &root.join(folder), inside: folder };
        stack.check()
    })
}

/// The folders from the changed file up to the root, as paths inside it.
fn folders(root: &Path, near: Option<&str>) -> Vec<PathBuf> {
    let near = near.map(Path::new).map(|path| path.strip_prefix(root).unwrap_or(path));
    let is_plain =
        |path: &&Path| path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    let parents = near.filter(is_plain).into_iter().flat_map(|path| path.ancestors().skip(1));
    let mut folders: Vec<PathBuf> = parents.map(Path::to_owned).collect();
    if !folders.iter().any(|folder| folder.as_os_str().is_empty()) {
        folders.push(PathBuf::new());
    }
    folders
}

/// One folder that may have marker files.
struct Stack<'a> {
    root: &'a Path,
    folder: &'a Path,
    /// Its path inside the project; empty for the root.
    inside: &'a Path,
}

impl Stack<'_> {
    fn check(&self) -> Option<String> {
        self.cargo()
            .or_else(|| self.node())
            .or_else(|| self.go())
            .or_else(|| self.python())
            .or_else(|| self.at_root("pom.xml", "mvn -q test"))
            .or_else(|| self.gradle())
            .or_else(|| self.cmake())
            .or_else(|| self.make())
            .or_else(|| self.dotnet())
            .or_else(|| self.ruby())
            .or_else(|| self.php())
            .or_else(|| self.script())
            .or_else(|| self.program())
    }

    fn has(&self, name: &str) -> bool {
        self.folder.join(name).is_file()
    }

    fn is_root(&self) -> bool {
        self.inside.as_os_str().is_empty()
    }

    /// A command for stacks whose check is only known at the root.
    fn at_root(&self, marker: &str, command: &str) -> Option<String> {
        (self.is_root() && self.has(marker)).then(|| command.to_owned())
    }

    fn read(&self, name: &str) -> Option<String> {
        let path = self.folder.join(name);
        let is_small =
            std::fs::metadata(&path).is_ok_and(|found| found.is_file() && found.len() <= FILE_BYTES_MAX);
        is_small.then(|| std::fs::read_to_string(&path).ok()).flatten()
    }

    /// The names in the folder, or in one below it.
    fn names(&self, below: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.folder.join(below)) else { return Vec::new() };
        let mut names: Vec<String> = entries
            .take(ENTRIES_MAX)
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        names.sort();
        names
    }

    /// The folder in a command. None if it would have to be quoted.
    fn named(&self) -> Option<&str> {
        self.inside.to_str().filter(|name| name.chars().all(is_plain) && !name.starts_with('-'))
    }

    fn cargo(&self) -> Option<String> {
        let text = self.read("Cargo.toml")?;
        if self.is_root() {
            return Some("cargo test".to_owned());
        }
        // A package's tests are run alone: the nearest one is what was changed.
        let package = text.split_once("[package]")?.1;
        let line = package.lines().find(|line| line.trim_start().starts_with("name"))?;
        let name = line.split('"').nth(1).filter(|name| name.chars().all(is_plain))?;
        let root = Stack { folder: self.root, root: self.root, inside: Path::new("") };
        let is_member = root.read("Cargo.toml").is_some_and(|text| text.contains("[workspace]"));
        Some(match is_member {
            true => format!("cargo test -p {name}"),
            false => format!("cargo test --manifest-path {}/Cargo.toml", self.named()?),
        })
    }

    fn node(&self) -> Option<String> {
        let package: Value = serde_json::from_str(&self.read("package.json")?).ok()?;
        let scripts = package.get("scripts").and_then(Value::as_object)?;
        let is_real = |name: &&str| {
            scripts.get(*name).and_then(Value::as_str).is_some_and(|text| !text.contains(PLACEHOLDER))
        };
        let script = ["test", "build", "lint"].into_iter().find(is_real)?;
        let manager = match () {
            () if self.has("pnpm-lock.yaml") => "pnpm",
            () if self.has("yarn.lock") => "yarn",
            () if self.has("bun.lock") || self.has("bun.lockb") => "bun",
            () => "npm",
        };
        let prefix = match (self.is_root(), manager) {
            (true, _) => String::new(),
            (false, "npm") => format!(" --prefix {}", self.named()?),
            (false, "pnpm") => format!(" -C {}", self.named()?),
            (false, "yarn" | "bun") => format!(" --cwd {}", self.named()?),
            (false, _) => return None,
        };
        Some(match script {
            "test" if manager != "bun" => format!("{manager}{prefix} test"),
            script => format!("{manager}{prefix} run {script}"),
        })
    }

    fn go(&self) -> Option<String> {
        let is_module = self.has("go.mod");
        let command = if self.is_root() {
            "go test ./...".to_owned()
        } else {
            format!("go -C {} test ./...", self.named()?)
        };
        is_module.then_some(command)
    }

    fn python(&self) -> Option<String> {
        let read = |name: &str| self.read(name).unwrap_or_default();
        let is_configured = self.has("pytest.ini")
            || self.has("conftest.py")
            || self.has("tests/conftest.py")
            || ["pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt", "requirements-dev.txt"]
                .iter()
                .any(|name| read(name).contains("pytest"));
        if is_configured {
            return self.python_command("-m pytest -q");
        }
        let is_test = |name: &String| {
            name.ends_with(".py")
                && (name.starts_with("test_") || name.ends_with("_test.py") || name == "tests.py")
        };
        let below = ["", "tests", "test"].into_iter().find(|below| self.names(below).iter().any(is_test))?;
        let tests: Vec<String> = self.names(below).into_iter().filter(is_test).collect();
        let texts =
            || tests.iter().filter_map(|name| self.read(&Path::new(below).join(name).display().to_string()));
        if texts().any(|text| text.contains("unittest")) {
            let is_package = below.is_empty() || self.has(&format!("{below}/__init__.py"));
            let is_found = tests.iter().any(|name| name.starts_with("test_"));
            return match (is_found, tests.as_slice()) {
                (true, _) if is_package => self.python_command("-m unittest"),
                (true, _) => self.python_command(&format!("-m unittest discover {below}")),
                (false, [only]) => self.python_command(&Path::new(below).join(only).display().to_string()),
                (false, _) => None,
            };
        }
        // Tests that run themselves.
        let is_program = |text: String| text.contains("__main__") || !text.contains("def test_");
        match tests.as_slice() {
            [only] if texts().all(is_program) => {
                self.python_command(&Path::new(below).join(only).display().to_string())
            }
            _ if texts().any(|text| text.contains("pytest")) => self.python_command("-m pytest -q"),
            _ => None,
        }
    }

    fn python_command(&self, arguments: &str) -> Option<String> {
        self.is_root().then(|| format!("python3 {arguments}"))
    }

    fn gradle(&self) -> Option<String> {
        let is_gradle = self.is_root() && (self.has("build.gradle") || self.has("build.gradle.kts"));
        let program = if self.has("gradlew") { "./gradlew" } else { "gradle" };
        is_gradle.then(|| format!("{program} test"))
    }

    fn cmake(&self) -> Option<String> {
        let is_built = self.is_root() && self.has("CMakeLists.txt") && self.has("build/CMakeCache.txt");
        is_built.then(|| "ctest --test-dir build".to_owned())
    }

    fn make(&self) -> Option<String> {
        let text = ["Makefile", "makefile", "GNUmakefile"].iter().find_map(|name| self.read(name))?;
        let has = |target: &&&str| {
            text.lines().any(|line| {
                line.strip_prefix(**target).is_some_and(|rest| rest.trim_start().starts_with(':'))
            })
        };
        let target = ["test", "check", "tests"].iter().find(has).filter(|_| self.is_root())?;
        is_check(target).then(|| format!("make {target}"))
    }

    /// A script at the root that is a check by its name.
    fn script(&self) -> Option<String> {
        let name = SCRIPTS.iter().find(|name| self.is_root() && self.has(name))?;
        Some(format!("sh {name}"))
    }

    /// The one program at the root that is a check by its name and runs by itself: `test.js`, `tests.mjs`, `test.py`.
    fn program(&self) -> Option<String> {
        if !self.is_root() {
            return None;
        }
        let runs = |name: &String| {
            let (stem, end) = name.rsplit_once('.')?;
            let (interpreter, _) = PROGRAMS.iter().find(|(_, ends)| ends.contains(&end))?;
            // A `check.py` may as well be what the project is about.
            let is_test = is_check_stem(stem) && ["test", "spec"].iter().any(|word| stem.contains(word));
            let is_named = is_test && name.chars().all(is_plain) && !name.starts_with('-');
            let text = self.read(name).filter(|_| is_named)?;
            runs_by_itself(&text).then(|| format!("{interpreter} {name}"))
        };
        match self.names("").iter().filter_map(runs).collect::<Vec<_>>().as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        }
    }

    fn dotnet(&self) -> Option<String> {
        let is_project =
            |name: &String| name.ends_with(".sln") || name.ends_with(".csproj") || name.ends_with(".fsproj");
        (self.is_root() && self.names("").iter().any(is_project)).then(|| "dotnet test".to_owned())
    }

    fn ruby(&self) -> Option<String> {
        if !self.is_root() {
            return None;
        }
        let has_specs = self.names("spec").iter().any(|name| name.ends_with("_spec.rb"));
        let bundle = self.has("Gemfile");
        if has_specs {
            return Some(if bundle { "bundle exec rspec" } else { "rspec" }.to_owned());
        }
        let rakefile = self.read("Rakefile")?;
        rakefile
            .contains("TestTask")
            .then(|| if bundle { "bundle exec rake test" } else { "rake test" }.to_owned())
    }

    fn php(&self) -> Option<String> {
        let has = self.is_root() && self.has("vendor/bin/phpunit");
        has.then(|| "vendor/bin/phpunit".to_owned())
    }
}

/// Whether a test fails by itself when something is wrong: it asserts something or ends with an exit code, and leaves nothing to
/// a runner that is not part of its language.
fn runs_by_itself(text: &str) -> bool {
    let has_own_runner =
        ["node:test", "unittest", "minitest", "test/unit"].iter().any(|own| text.contains(own));
    let is_for_runner = text.lines().any(|line| RUNNER_CALLS.iter().any(|call| line.starts_with(call)))
        || text.contains("def test_") && !text.contains("__main__");
    let can_fail = ["assert", "exit(", "raise", "throw", "exitCode"].iter().any(|word| text.contains(word));
    has_own_runner || can_fail && !is_for_runner
}

/// Whether a sign stands for itself in a command.
fn is_plain(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || "-_./".contains(sign)
}
