//! History as Up, Down and Ctrl-R find it, and its file as others leave it.

use std::os::unix::fs::PermissionsExt as _;

use bowline_core::typed::Origin;

use super::*;

fn with(entries: &[&str]) -> History {
    let mut history = History::in_memory();
    entries.iter().for_each(|entry| history.add(&Written::typed(entry)));
    history
}

fn texts(history: &History) -> Vec<&str> {
    history.entries.iter().map(Written::text).collect()
}

/// Presses Up and Down as a chat would; gives what stands there after each.
fn pressed(history: &mut History, draft: &str, keys: &str) -> Vec<String> {
    let mut shown = draft.to_owned();
    let press = |key| {
        let draft = Written::typed(&shown);
        let other = if key == 'u' { history.older(&draft) } else { history.newer(&draft) };
        shown = other.map_or_else(|| shown.clone(), |other| other.text().to_owned());
        shown.clone()
    };
    keys.chars().map(press).collect()
}

#[test]
fn up_goes_back_and_down_returns_to_the_draft() {
    let mut history = with(&["one", "two", "three"]);
    assert_eq!(pressed(&mut history, "", "uuuu"), ["three", "two", "one", "one"]);
    assert_eq!(pressed(&mut history, "", "uuddd"), ["three", "two", "three", "", ""]);
    assert_eq!(pressed(&mut history, "", "d"), [""]);
}

#[test]
fn what_was_typed_is_what_they_begin_with() {
    let mut history = with(&["fix a", "run b", "fix c", "fix c d", "fix"]);
    assert_eq!(
        pressed(&mut history, "fix", "uuuuddddd"),
        ["fix c d", "fix c", "fix a", "fix a", "fix c", "fix c d", "fix", "fix", "fix"]
    );
    assert_eq!(pressed(&mut history, "nothing", "uud"), ["nothing"; 3]);
}

#[test]
fn an_edited_text_is_a_new_draft() {
    let mut history = with(&["one", "one more", "two"]);
    assert_eq!(history.older(&Written::typed("")), Some(Written::typed("two")));
    assert_eq!(history.newer(&Written::typed("two edited")), None);
    assert_eq!(history.older(&Written::typed("one")), Some(Written::typed("one more")));
    assert_eq!(history.newer(&Written::typed("one more")), Some(Written::typed("one")));
}

#[test]
fn the_same_again_blank_and_very_long_are_not_kept() {
    let long = "x".repeat(TEXT_BYTES_MAX + 1);
    assert_eq!(texts(&with(&["a", "a", " \n", &long, "b", "a"])), ["a", "b", "a"]);
}

#[test]
fn words_are_searched_from_the_newest() {
    let history = with(&["Fix the parser", "run tests", "fix the lexer", "run tests", "the fix"]);
    assert_eq!(history.search("the fix", 0), Some(&Written::typed("the fix")));
    assert_eq!(history.search("the fix", 1), Some(&Written::typed("fix the lexer")));
    assert_eq!(history.search("the fix", 2), Some(&Written::typed("Fix the parser")));
    assert_eq!(history.search("the fix", 3), None);
    assert_eq!(history.search("Fix", 0), Some(&Written::typed("Fix the parser")));
    assert_eq!(history.search("run", 1), None);
    assert_eq!(history.search("", 0), None);
}

#[test]
fn chats_share_a_file_that_only_the_owner_reads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history");
    let (mut one, mut two) = (History::load(&path), History::load(&path));
    one.add(&Written::typed("first\nwith \"two\" lines"));
    two.add(&Written::typed("second"));
    one.add(&Written::typed("third"));
    assert_eq!(texts(&History::load(&path)), ["first\nwith \"two\" lines", "second", "third"]);
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn chats_that_add_at_once_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history");
    // Near its bound, so that it is made shorter in the middle of it.
    let lines: String = (0..ENTRIES_MAX - 100).map(|number| format!("\"old {number}\"\n")).collect();
    std::fs::write(&path, lines).unwrap();
    std::thread::scope(|scope| {
        for chat in 0..4 {
            let path = &path;
            scope.spawn(move || {
                let mut history = History::load(path);
                (0..50).for_each(|number| history.add(&Written::typed(&format!("{chat} {number}"))));
            });
        }
    });
    let entries = History::load(&path).entries;
    assert!(entries.len() < ENTRIES_MAX, "{}", entries.len());
    for chat in 0..4 {
        let of_chat: Vec<&str> = entries
            .iter()
            .map(Written::text)
            .filter(|entry| entry.starts_with(&format!("{chat} ")))
            .collect();
        assert_eq!(of_chat.len(), 50);
        assert!(of_chat.iter().enumerate().all(|(number, entry)| *entry == format!("{chat} {number}")));
    }
}

#[test]
fn what_was_not_typed_stays_so_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history");
    let mut mixed = Written::typed("why? ");
    mixed.push("make test", Origin::Elsewhere);
    let mut history = History::load(&path);
    history.add(&mixed);
    history.add(&Written::typed("typed"));
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        "{\"text\":\"why? make test\",\"typed\":[[0,5]]}\n\"typed\"\n"
    );
    assert_eq!(History::load(&path).entries, [mixed, Written::typed("typed")]);
}

#[test]
fn what_makes_no_sense_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history");
    std::fs::write(&path, b"\"good\"\nbad\n{}\n\xff\xfe\n\"\"\n\"esc\\u001b[2J\"\n\"cut sho").unwrap();
    let mut history = History::load(&path);
    assert_eq!(texts(&history), ["good", "esc[2J"]);
    history.add(&Written::typed("new"));
    assert_eq!(texts(&History::load(&path)), ["good", "esc[2J", "new"]);
}

#[test]
fn the_file_stays_within_its_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history");
    let lines: String = (0..ENTRIES_MAX).map(|number| format!("\"{number}\"\n")).collect();
    std::fs::write(&path, lines).unwrap();
    let mut history = History::load(&path);
    history.add(&Written::typed("newest"));
    assert_eq!((history.entries.len(), history.entries[0].text()), (ENTRIES_MAX, "1"));
    let entries = History::load(&path).entries;
    assert_eq!((entries.len(), entries.last().map(Written::text)), (ENTRIES_MAX / 4 * 3, Some("newest")));
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);

    for number in 0..20 {
        history.add(&Written::typed(&format!("{number}{}", "\"\n".repeat(TEXT_BYTES_MAX / 2 - 10))));
    }
    assert!(std::fs::metadata(&path).unwrap().len() <= BYTES_MAX as u64);
    assert!(history.entries.iter().map(|entry| entry.text().len()).sum::<usize>() <= BYTES_MAX);
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 1, "nothing but the file is left");
}

#[test]
fn no_folder_and_no_file_are_no_error() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().join("missing/history"), folder.path().to_owned()] {
        let mut history = History::load(&path);
        history.add(&Written::typed("kept in memory"));
        assert_eq!(history.older(&Written::typed("")), Some(Written::typed("kept in memory")));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
