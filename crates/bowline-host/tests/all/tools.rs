//! Tools where a case file does not reach: bounds, ranges in numbers, special files, cancelling.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use bowline_core::outcome::Outcome;
use bowline_core::place::{Change, Place};
use bowline_core::tool_output::{Grant, ToolDone, ToolOutput};
use bowline_core::tools::{ChangeCall, Replace, TextEdit, ToolCall};
use bowline_host::tools::{self, CallContext};
use bowline_host::workspace::Workspace;

struct Project {
    _folder: tempfile::TempDir,
    root: PathBuf,
    workspace: Workspace,
}

fn project() -> Project {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let workspace = Workspace::open(&root, Vec::new()).unwrap();
    Project { _folder: folder, root, workspace }
}

impl Project {
    fn done(&self, call: &ToolCall, grant: Grant) -> ToolDone {
        tools::run(&self.workspace, call, grant, &CallContext::default(), &|_| None, &AtomicBool::new(false))
    }

    #[track_caller]
    fn run(&self, call: &ToolCall) -> ToolOutput {
        match self.done(call, Grant::Inside) {
            ToolDone::Output(output) => output,
            ToolDone::Ask(question) => panic!("asked: {question:?}"),
        }
    }

    fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        fs::write(self.root.join(path), content).unwrap();
    }
}

fn view(path: &str, start_line: Option<i64>, end_line: Option<i64>) -> ToolCall {
    ToolCall::ViewFile { path: path.to_owned(), start_line, end_line }
}

fn grep(pattern: &str) -> ToolCall {
    ToolCall::Grep { pattern: pattern.to_owned(), path: None, glob: None, context: 0 }
}

fn edit(path: &str, old: &str, new: &str) -> ToolCall {
    let edits = vec![TextEdit { old: old.to_owned(), new: new.to_owned() }];
    ToolCall::EditFile { path: path.to_owned(), edits, replace: Replace::One }
}

fn numbered(lines: std::ops::RangeInclusive<usize>) -> String {
    lines.map(|line| format!("{line}| line {line}\n")).collect::<String>().trim_end().to_owned()
}

#[test]
fn check_34_view_file_ranges_include_both_ends() {
    let project = project();
    project.write("a.txt", (1..=842).map(|line| format!("line {line}\n")).collect::<String>());
    for (start, end, shown) in [
        (None, None, 1..=200),
        (Some(1), Some(1), 1..=1),
        (Some(3), Some(5), 3..=5),
        (None, Some(250), 1..=250),
        (None, Some(2), 1..=2),
        (Some(100), None, 100..=299),
        (Some(700), None, 700..=842),
        (Some(842), Some(842), 842..=842),
        (Some(840), Some(9_000), 840..=842),
        (Some(1), Some(i64::MAX), 1..=842),
    ] {
        let output = project.run(&view("a.txt", start, end));
        let head = format!("a.txt lines {}-{} of 842\n", shown.start(), shown.end());
        assert_eq!(
            (output.outcome, output.text),
            (Outcome::Success, head + &numbered(shown)),
            "{start:?} {end:?}"
        );
    }
    for (start, end) in [(Some(843), None), (Some(900), Some(1_000)), (Some(i64::MAX), None)] {
        let output = project.run(&view("a.txt", start, end));
        assert_eq!(output.outcome, Outcome::NoResult);
        assert!(output.text.starts_with("a.txt has 842 lines: line "), "{}", output.text);
    }
}

#[test]
fn check_34_a_last_line_without_a_break_is_a_line() {
    let project = project();
    project.write("a.txt", "one\ntwo");
    assert_eq!(project.run(&view("a.txt", None, None)).text, "a.txt lines 1-2 of 2\n1| one\n2| two");
    assert_eq!(project.run(&view("a.txt", Some(2), Some(2))).text, "a.txt lines 2-2 of 2\n2| two");
}

#[test]
fn check_10_an_ambiguous_edit_leaves_the_file_untouched() {
    let project = project();
    let content = "fn a() {\n    go();\n}\nfn b() {\n    go();\n}\n";
    project.write("a.rs", content);
    let before = fs::metadata(project.root.join("a.rs")).unwrap();
    let output = project.run(&edit("a.rs", "    go();", "    stop();"));
    assert_eq!((output.outcome, output.edits.len()), (Outcome::ExecError, 0));
    assert!(output.text.starts_with("a.rs was not changed: `old` occurs 2 times: line 2"), "{}", output.text);
    assert_eq!(fs::read_to_string(project.root.join("a.rs")).unwrap(), content);
    let after = fs::metadata(project.root.join("a.rs")).unwrap();
    assert_eq!(before.modified().unwrap(), after.modified().unwrap());
}

#[test]
fn a_long_line_is_cut_and_said_to_be() {
    let project = project();
    project.write("a.txt", format!("{}\nshort\n{}", "x".repeat(2_000), "\u{e9}".repeat(100_000)));
    let text = project.run(&view("a.txt", None, None)).text;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], format!("1| {}", "x".repeat(2_000)));
    assert_eq!(lines[2], "2| short");
    assert_eq!(lines[3], format!("3| {}… [line cut: 200000 bytes]", "\u{e9}".repeat(2_000)));
    assert_eq!(lines[0], "a.txt lines 1-3 of 3");
}

#[test]
fn a_file_of_any_size_is_viewed_by_range() {
    let project = project();
    let line = format!("{}\n", "x".repeat(999));
    project.write("large.txt", line.repeat(20_000) + "the end\n");
    let output = project.run(&view("large.txt", Some(20_001), None));
    assert_eq!(output.text, "large.txt lines 20001-20001 of 20001\n20001| the end");
    let output = project.run(&view("large.txt", Some(1), Some(20_001)));
    assert!(output.text.len() < 6_000_000);
    assert!(output.text.starts_with("large.txt lines 1-4"), "{}", &output.text[..60]);
}

#[test]
fn a_name_in_a_file_that_is_too_large_to_parse_is_not_renamed() {
    let project = project();
    project.write("shop.py", "def load():\n    return 1\n");
    let place = Place { path: "shop.py".to_owned(), name: Some("load".to_owned()) };
    let rename =
        || ToolCall::Change(ChangeCall::new(place.clone(), Change::Rename, Some("load_rows".to_owned())));
    project.write("large.py", format!("{}from shop import load\n", "x = 1\n".repeat(50_000)));
    let output = project.run(&rename());
    assert_eq!(output.outcome, Outcome::ExecError);
    assert_eq!(
        output.text,
        "shop.py: load was not changed: large.py mentions the name and is too large to be changed."
    );
    project.write("large.py", "x = 1\n".repeat(50_000));
    assert_eq!(project.run(&rename()).outcome, Outcome::Success);
}

#[test]
fn pipes_do_not_block() {
    let project = project();
    assert!(std::process::Command::new("mkfifo").arg(project.root.join("pipe")).status().unwrap().success());
    for call in [view("pipe", None, None), edit("pipe", "a", "b")] {
        let output = project.run(&call);
        assert_eq!(
            (output.outcome, output.text.as_str()),
            (Outcome::ExecError, "pipe is not a regular file but a pipe.")
        );
    }
    assert_eq!(project.run(&grep("x")).outcome, Outcome::NoResult);
    let named =
        ToolCall::Grep { pattern: "x".to_owned(), path: Some("pipe".to_owned()), glob: None, context: 0 };
    assert_eq!(project.run(&named).outcome, Outcome::ExecError);
}

#[test]
fn grep_is_bounded_and_says_so() {
    let project = project();
    for file in 0..3 {
        project.write(&format!("{file}.txt"), "hit\nmiss\n".repeat(150));
    }
    let text = project.run(&grep("hit")).text;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 201);
    assert_eq!((lines[0], lines[150]), ("0.txt:1: hit", "1.txt:1: hit"));
    assert_eq!(
        lines[200],
        "… 250 more matches, in 3 files. Narrow the search with `path`, `glob` or a longer pattern."
    );
    project.write("many.txt", "hit\n".repeat(50_000));
    assert!(project.run(&grep("hit")).text.contains("at least "));
}

#[test]
fn grep_shows_the_hit_of_a_long_line() {
    let project = project();
    project.write("a.js", format!("{}needle{}\n", "a".repeat(5_000), "b".repeat(5_000)));
    let text = project.run(&grep("needle")).text;
    assert_eq!(text, format!("a.js:1: …{}needle{}…", "a".repeat(100), "b".repeat(194)));
}

#[test]
fn listings_are_bounded() {
    let project = project();
    for file in 0..620 {
        project.write(&format!("f{file:03}.rs"), "");
    }
    let list = project.run(&ToolCall::ListDir { path: None }).text;
    assert_eq!(list.lines().count(), 502);
    assert!(list.ends_with("f499.rs  0 B\n… 120 more. Use find_files with a pattern."));
    let find = ToolCall::FindFiles { pattern: "*.rs".to_owned(), path: None };
    let found = project.run(&find).text;
    assert_eq!(found.lines().count(), 501);
    assert!(found.ends_with("f499.rs\n… 120 more. Narrow the search with `path` or a longer pattern."));
}

#[test]
fn a_cancelled_search_is_interrupted() {
    let project = project();
    project.write("a.txt", "hit\n");
    for call in [grep("hit"), view("a.txt", None, None)] {
        let done = tools::run(
            &project.workspace,
            &call,
            Grant::Inside,
            &CallContext::default(),
            &|_| None,
            &AtomicBool::new(true),
        );
        assert!(
            matches!(done, ToolDone::Output(ToolOutput { outcome: Outcome::Interrupted, .. })),
            "{done:?}"
        );
    }
}

#[test]
fn outside_is_asked_about_and_then_done() {
    let project = project();
    let elsewhere = tempfile::tempdir().unwrap();
    let path = elsewhere.path().canonicalize().unwrap().join("note.txt");
    fs::write(&path, "hello\n").unwrap();
    let name = path.to_str().unwrap().to_owned();
    for call in [view(&name, None, None), edit(&name, "hello", "bye"), grep_in("hello", &name)] {
        let ToolDone::Ask(question) = project.done(&call, Grant::Inside) else { panic!("{call:?} was run") };
        assert_eq!(question.pattern, format!("{}({name})", call.name()));
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "hello\n");
    let ToolDone::Output(output) = project.done(&edit(&name, "hello", "bye"), Grant::Outside) else {
        panic!()
    };
    assert_eq!(output.outcome, Outcome::Success);
    assert_eq!(fs::read_to_string(&path).unwrap(), "bye\n");
}

fn grep_in(pattern: &str, path: &str) -> ToolCall {
    ToolCall::Grep { pattern: pattern.to_owned(), path: Some(path.to_owned()), glob: None, context: 0 }
}

#[test]
fn searches_never_show_what_is_off_limits() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    for path in [".git", "vendor/.git", ".bowline", "data", "src"] {
        fs::create_dir_all(root.join(path)).unwrap();
        fs::write(root.join(path).join("file.txt"), "needle\n").unwrap();
    }
    let workspace = Workspace::open(&root, vec![root.join("data")]).unwrap();
    let find = ToolCall::FindFiles { pattern: "*.txt".to_owned(), path: None };
    for (call, expected) in [(grep("needle"), "src/file.txt:1: needle"), (find, "src/file.txt")] {
        let done = tools::run(
            &workspace,
            &call,
            Grant::Outside,
            &CallContext::default(),
            &|_| None,
            &AtomicBool::new(false),
        );
        assert_eq!(done, ToolDone::Output(ToolOutput::new(Outcome::Success, expected)));
    }
    let list = tools::run(
        &workspace,
        &ToolCall::ListDir { path: None },
        Grant::Inside,
        &CallContext::default(),
        &|_| None,
        &AtomicBool::new(false),
    );
    assert_eq!(
        list,
        ToolDone::Output(ToolOutput::new(Outcome::Success, ".: 2 folders, 0 files\nsrc/\nvendor/"))
    );
}

/// A name is followed through the whole project or not at all: a use in a file that was not looked at would be left behind.
#[test]
fn a_rename_is_refused_in_a_project_that_is_too_large_to_follow_the_name() {
    // Above the limit for all files together. It has no content on the disk.
    const LARGE_BYTES: u64 = 129 * 1024 * 1024;
    const SHOP: &str = "def load(path):\n    return open(path).read()\n";
    const MAIN: &str = "from shop import load\n\nprint(load('rows.txt'))\n";
    let project = project();
    project.write("shop.py", SHOP);
    project.write("main.py", MAIN);
    let read = |path: &str| fs::read_to_string(project.root.join(path)).unwrap();
    let place = Place { path: "shop.py".to_owned(), name: Some("load".to_owned()) };
    let rename = |to: &str| {
        let to = Some(to.to_owned());
        ToolCall::Change(ChangeCall::new(place.clone(), Change::Rename, to))
    };
    let large = project.root.join("large.sql");
    fs::File::create(&large).unwrap().set_len(LARGE_BYTES).unwrap();
    let refused = project.run(&rename("load_rows"));
    let text = "shop.py: load was not changed: the project is too large to follow the name through it.";
    assert_eq!((refused.outcome, refused.text.as_str()), (Outcome::ExecError, text));
    assert_eq!((read("shop.py").as_str(), read("main.py").as_str()), (SHOP, MAIN));
    assert!(refused.edits.is_empty());
    fs::remove_file(&large).unwrap();
    assert_eq!(project.run(&rename("load_rows")).outcome, Outcome::Success);
    assert!(read("shop.py").contains("def load_rows(") && read("main.py").contains("import load_rows"));
}
