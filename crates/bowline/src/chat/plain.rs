//! The chat on a terminal that can do nothing but print: line by line, no colour, nothing drawn anew.

use std::io::BufRead as _;

use tokio::sync::mpsc::{Receiver, channel};

use super::app::{Effect, Event};
use super::keys::Key;
use super::terminal::Terminal;
use super::{EVENTS_MAX, FIND_EVERY, Front};
use crate::exit::{Exit, Refusal};

pub(crate) async fn talk(mut front: Front) -> Result<Exit, Refusal> {
    front.app.transcript.set_echoed();
    let mut typed = read_lines();
    let mut find = tokio::time::interval(FIND_EVERY);
    let mut prompted = Prompt::None;
    let exit = loop {
        print(&mut front, &mut prompted);
        let mut effects = Vec::new();
        tokio::select! {
            line = typed.recv() => {
                prompted = Prompt::None;
                match line {
                    Some(line) => type_in(&mut front, &line, &mut effects),
                    // Nobody can type any more.
                    None => effects.push(Effect::Leave(Exit::Done)),
                }
            }
            Some(event) = front.events.recv() => effects = front.step(event),
            exit = front.signals.next() => effects = front.step(Event::Signal(exit)),
            _ = find.tick(), if front.app.is_without_model() => front.look_again(),
        }
        let left = effects.iter().find_map(|effect| match effect {
            Effect::Leave(exit) => Some(*exit),
            _ => None,
        });
        if let Some(exit) = left {
            break exit;
        }
    };
    front.end(exit).await;
    Ok(exit)
}

/// What stands at the end of the screen.
#[derive(PartialEq, Eq)]
enum Prompt {
    None,
    Input,
    Question(String),
}

fn print(front: &mut Front, prompted: &mut Prompt) {
    let rows = front.app.transcript.take();
    if !rows.is_empty() && *prompted != Prompt::None {
        Terminal::write("\n");
        *prompted = Prompt::None;
    }
    for row in rows {
        Terminal::write(&format!("{}\n", row.text()));
    }
    let due = match front.app.question() {
        Some(question) => Prompt::Question(question),
        None if front.app.is_busy() => Prompt::None,
        None => Prompt::Input,
    };
    if due != *prompted {
        match &due {
            Prompt::None => {}
            Prompt::Input => Terminal::write("> "),
            Prompt::Question(question) => Terminal::write(&format!("{question}\n? ")),
        }
        *prompted = due;
    }
}

/// A line is whole when it comes: nobody is in the middle of typing, and there is no menu to choose from.
fn type_in(front: &mut Front, line: &str, effects: &mut Vec<Effect>) {
    front.app.listen();
    for key in keys(front, line) {
        effects.append(&mut front.step(Event::Key(key)));
        front.app.close_menu();
    }
}

/// A line as the keys that would have typed it. An answer is its first letter, or a reason for a no.
fn keys(front: &Front, line: &str) -> Vec<Key> {
    let typed = |text: &str| Key::Paste(text.to_owned());
    if front.app.question().is_none() {
        return vec![typed(line), Key::Enter];
    }
    match line.trim().to_lowercase().as_str() {
        "y" | "yes" => vec![Key::Char('y')],
        "s" | "session" => vec![Key::Char('s')],
        "p" | "project" => vec![Key::Char('p')],
        "" | "n" | "no" => vec![Key::Char('n')],
        _ => vec![Key::Char('r'), typed(line), Key::Enter],
    }
}

fn read_lines() -> Receiver<String> {
    let (sender, receiver) = channel(EVENTS_MAX);
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    receiver
}
