//! Every message of the tests' list, by what it is about, with what to do.

use std::fmt::Write as _;

use super::head;

const WORDS: &str = "bowline's messages when something is wrong, word for word, and what to do. `WORLD`, `SERVER`, `NOBODY` and \
`SESSION` stand for a folder, the address of a server, one where nobody answers, and an id. If nothing helps, `bowline doctor` checks \
everything that a turn needs.";

/// What the tests saw.
const MESSAGES: &str = include_str!("../../tests/cases/messages.txt");
/// Areas, and below them the messages with what to do.
const ADVICE: &str = include_str!("advice.txt");

struct Message<'a> {
    name: &'a str,
    exit: &'a str,
    text: String,
}

fn messages() -> Vec<Message<'static>> {
    let sections = MESSAGES.split("=== ").skip(1);
    let message = |section: &'static str| {
        let mut lines = section.trim_end().lines();
        let name = lines.next().unwrap_or_default();
        let exit = lines.next().unwrap_or_default().trim_start_matches("exit ");
        Message { name, exit, text: lines.collect::<Vec<_>>().join("\n") }
    };
    sections.map(message).collect()
}

pub(super) fn page() -> String {
    let messages = messages();
    let mut told: Vec<&str> = Vec::new();
    let mut page = head("Messages", WORDS);
    for line in ADVICE.lines().filter(|line| !line.is_empty()) {
        if let Some(area) = line.strip_prefix("# ") {
            let _ = writeln!(page, "## {area}\n");
            continue;
        }
        let (name, advice) = line.split_once(": ").unwrap_or((line, ""));
        let found = messages.iter().find(|message| message.name == name);
        assert!(found.is_some(), "advice.txt: there is no message {name:?} in messages.txt any more");
        assert!(!told.contains(&name), "advice.txt: {name:?} stands there twice");
        told.push(name);
        found.into_iter().for_each(|message| entry(message, advice, &mut page));
    }
    let rest: Vec<&Message<'_>> = messages.iter().filter(|message| !told.contains(&message.name)).collect();
    if !rest.is_empty() {
        page.push_str("## More\n\nThese messages say what to do.\n\n");
        rest.iter().for_each(|message| entry(message, "", &mut page));
    }
    page
}

fn entry(message: &Message<'_>, advice: &str, page: &mut String) {
    let Message { name, exit, text } = message;
    let mut letters = name.chars();
    let title: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    let _ = writeln!(page, "### {title}\n\n```text\n{text}\n```\n");
    let advice = if advice.is_empty() { String::new() } else { format!(" {advice}") };
    let _ = writeln!(page, "Exit code {exit}.{advice}\n");
}
