//! What is visible after restores, and what can be restored, undone and redone: cases, and a property against a model that
//! keeps whole copies.

#[path = "timeline/book.rs"]
mod book;
#[path = "timeline/model.rs"]
mod model;

use bowline_core::entry::{Body, Role};
use bowline_core::payload::Conversation;
use bowline_core::recover;
use bowline_core::restore_entry::{RestoreKind, RestoreWhat};
use bowline_core::timeline::{NoRedo, NoTarget, Pair, Target, Timeline};
use bowline_core::view::View;
use bowline_core::visible::{in_force, visible};

use book::{Book, Does};

/// Lines: `turn TEXT`, `idle TEXT`, `read TEXT`, `die TEXT`, `queued ID TEXT` (a turn of it), `queue ID TEXT`, `continue`,
/// `guard`, `edit` (by the user), `undo`, `redo`, `restore ID [files|chat]`, `show`.
fn act(book: &mut Book, line: &str, said: &mut Vec<String>) {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "turn" => book.turn(rest, Does::Writes, None),
        "idle" => book.turn(rest, Does::Idles, None),
        "read" => book.turn(rest, Does::Reads, None),
        "die" => book.turn(rest, Does::Dies, None),
        "queue" => {
            let (id, text) = rest.split_once(' ').unwrap();
            book.queue(id, text);
        }
        "queued" => {
            let (id, text) = rest.split_once(' ').unwrap();
            book.turn(text, Does::Writes, Some(id));
        }
        "continue" => book.go_on(Does::Writes),
        "guard" => book.sentinel(),
        "edit" => book.edit(),
        "undo" if !book.undo() => said.push("nothing to undo".to_owned()),
        "redo" if !book.redo() => said.push(format!("redo: {}", redo(book))),
        "undo" | "redo" => {}
        "restore" => restore(book, rest, said),
        "show" => said.push(show(book)),
        _ => panic!("no such line: {line}"),
    }
}

fn restore(book: &mut Book, rest: &str, said: &mut Vec<String>) {
    let (id, what) = rest.split_once(' ').unwrap_or((rest, ""));
    let what = match what {
        "files" => RestoreWhat::Files,
        "chat" => RestoreWhat::Conversation,
        _ => RestoreWhat::Both,
    };
    let target = Timeline::of(&book.log).target(id);
    match target {
        Ok(target) => {
            said.push(format!("{id}: {}", shown(&target)));
            book.restore(&target, RestoreKind::Restore, what);
        }
        Err(NoTarget::Unknown) => said.push(format!("{id}: unknown")),
        Err(NoTarget::TakenBack { holder }) => said.push(format!("{id}: taken back, {holder} holds it")),
    }
}

fn pairs(pairs: &[Pair]) -> String {
    let one = |pair: &Pair| format!("{}-{}", pair.before, pair.after.as_deref().unwrap_or("now"));
    pairs.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn shown(target: &Target) -> String {
    let (commit, messages) = (target.commit.as_deref().unwrap_or("chat alone"), target.messages);
    let undoes = target.undoes.map_or(String::new(), |_| ", undoes".to_owned());
    format!("{commit}, {messages} messages go, takes back [{}]{undoes}", pairs(&target.pairs))
}

fn redo(book: &Book) -> String {
    match Timeline::of(&book.log).redo() {
        Ok(target) => shown(&target),
        Err(NoRedo::Nothing) => "nothing".to_owned(),
        Err(NoRedo::Passed { checkpoint }) => format!("too late, {checkpoint} holds it"),
    }
}

/// What the user sees, and the model.
fn seen(book: &Book) -> String {
    let view = View::of(&book.log);
    let messages = view.messages.iter().map(|message| {
        let checkpoint = message.message.checkpoint.as_ref().map_or(String::new(), |id| format!("({id})"));
        match message.message.role {
            Role::User if message.is_taken_back => format!("[{}]", message.text),
            Role::User => message.text.clone(),
            Role::System => "!".to_owned(),
            Role::Assistant => format!("{}{checkpoint}", message.message.id),
        }
    });
    let queue = view.queue.iter().map(|queued| format!("+{}", queued.text));
    messages.chain(queue).collect::<Vec<_>>().join(" ")
}

fn show(book: &Book) -> String {
    let timeline = Timeline::of(&book.log);
    let mut conversation = Conversation::default();
    in_force(&book.log).into_iter().for_each(|entry| conversation.apply(entry.seq, &entry.body));
    let view = View::of(&book.log);
    let undo = timeline.undo().map_or("nothing".to_owned(), |target| shown(&target));
    let listed: Vec<String> = timeline.listed().into_iter().map(|listed| listed.id).collect();
    let lines = [
        format!("seen: {}", seen(book)),
        format!("asked: {}", conversation.user_texts().join(" ")),
        format!("turn: {} runs {}", view.turn.as_deref().unwrap_or("none"), view.runs),
        format!("files: c{}", book.files),
        format!("listed: {}", listed.join(" ")),
        format!("undo: {undo}"),
        format!("redo: {}", redo(book)),
    ];
    lines.map(|line| line.trim_end().to_owned()).join("\n")
}

#[test]
fn what_is_visible_and_what_can_be_taken_back() {
    crate::cases::check("timeline.cases", |input| {
        let mut book = Book::default();
        let mut said = Vec::new();
        input.lines().for_each(|line| act(&mut book, line, &mut said));
        said.push(show(&book));
        sound(&book);
        said.join("\n")
    });
}

/// What holds of any log: folding what is visible changes nothing, nothing is open, and no id was given twice.
fn sound(book: &Book) {
    let once: Vec<_> = visible(&book.log).into_iter().cloned().collect();
    assert_eq!(visible(&once).into_iter().cloned().collect::<Vec<_>>(), once);
    assert_eq!(View::of(&once), View::of(&book.log));
    assert!(in_force(&book.log).into_iter().eq(in_force(&once)));
    assert_eq!(recover::close(&book.log), []);
    let begun = book.log.iter().filter_map(|entry| match &entry.body {
        Body::MessageStarted { message } => Some(message.id.as_str()),
        _ => None,
    });
    let begun: Vec<&str> = begun.collect();
    assert_eq!(begun.iter().collect::<std::collections::BTreeSet<_>>().len(), begun.len());
}
