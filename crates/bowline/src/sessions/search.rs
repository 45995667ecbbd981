//! `bowline sessions search`: the sessions that hold all the words, with the line where they were found.

use std::path::Path;

use bowline_host::clock::Clock;
use bowline_host::store::Hit;
use serde_json::Value;

use super::{failed, list_line, open, root, session_json};
use crate::exit::{Exit, Refusal};
use crate::output::{eprint_line, print_line};
use crate::paint::one_line;
use crate::print::json_line;

/// The most sessions in a list.
const SESSIONS_MAX: usize = 100;
/// The columns of a matching line, which the store has already cut around the word.
const LINE_COLUMNS: usize = 200;

pub(super) async fn search(
    words: &[String],
    is_all: bool,
    is_json: bool,
    folder: &Path,
) -> Result<(), Refusal> {
    if words.iter().any(|word| word.trim().is_empty()) {
        let words = "the search word is empty: say what to look for";
        return Err(Refusal::new(Exit::Usage, words));
    }
    let root = if is_all { None } else { Some(root(folder)?) };
    let store = open().await?;
    let hits = store.search(root.as_deref(), words, SESSIONS_MAX).await.map_err(failed)?;
    let now = Clock::start().now_ms();
    for hit in &hits {
        if is_json {
            json_line(&hit_json(hit));
        } else {
            print_line(&list_line(&hit.session, now, is_all));
            print_line(&format!("    {}: {}", hit.place.word(), one_line(&hit.line, LINE_COLUMNS)));
        }
    }
    if is_json {
        return Ok(());
    }
    match hits.len() {
        0 if is_all => eprint_line("no matching sessions"),
        0 => eprint_line("no matching sessions here: --all searches every folder"),
        SESSIONS_MAX => eprint_line("these are the newest 100: add a word to narrow the search"),
        _ => {}
    }
    Ok(())
}

fn hit_json(hit: &Hit) -> Value {
    let mut value = session_json(&hit.session);
    if let Value::Object(fields) = &mut value {
        fields.insert("found_in".to_owned(), hit.place.word().into());
        fields.insert("line".to_owned(), hit.line.as_str().into());
    }
    value
}
