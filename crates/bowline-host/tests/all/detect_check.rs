//! Which check a project has, by its files, and whether the permission rules allow it without asking.
//!
//! A case has the files (`name`, or `name: text` with `\n`), then `near FILE` if a file was changed, then `= command` or
//! `= none`, with `(asks)` behind a command that the rules would ask about.

use bowline_core::policy::{Lists, Rules, Verdict};
use bowline_host::checks::detect;
use bowline_host::permission::Judge;
use bowline_host::workspace::Workspace;

#[test]
fn the_stack_decides() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for case in include_str!("../cases/detect_check.cases").split("\n\n") {
        let folder = tempfile::tempdir().unwrap();
        let (mut near, mut expected) = (None, "");
        for line in case.lines().filter(|line| !line.is_empty()) {
            if let Some(path) = line.strip_prefix("near ") {
                near = Some(path);
            } else if let Some(command) = line.strip_prefix("= ") {
                expected = command;
            } else {
                let (name, text) = line.split_once(": ").unwrap_or((line, ""));
                let path = folder.path().join(name);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text.replace("\\n", "\n")).unwrap();
            }
        }
        let root = folder.path().canonicalize().unwrap();
        let none = Lists::default();
        let rules = Rules::new(&none, &none, &none, &none).unwrap();
        let judge = Judge::new(Workspace::open(&root, Vec::new()).unwrap(), rules);
        let found = match detect(&root, near) {
            None => "none".to_owned(),
            Some(command) if judge.command(&command).verdict == Verdict::Allow => command,
            Some(command) => format!("{command} (asks)"),
        };
        count += 1;
        if found != expected {
            wrong.push(format!("{case}\n  found {found}"));
        }
    }
    assert!(wrong.is_empty() && count > 20, "{}", wrong.join("\n\n"));
}
