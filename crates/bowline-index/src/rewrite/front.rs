//! What a model leaves out though nobody asked it to: comments and decorators in front of a definition, its docstring, its
//! `export` or `pub`.

use super::document::{Document, FittedPlace, own_start, with_ending};
use crate::fit;
use crate::kinds::Kind;
use crate::language::Language;
use crate::place::Place;

/// The lines of the new definition with what the old one has and the new one lacks.
pub(crate) fn kept(
    path: &str,
    content: &[u8],
    place: &Place,
    (document, wanted): (&Document, &Place),
    fitted: FittedPlace,
) -> Vec<String> {
    let language = Language::of(path);
    let own = own_start(content, place);
    let before = String::from_utf8_lossy(content.get(place.bytes.start..own).unwrap_or_default());
    let old: Vec<String> = before.lines().map(|line| line.trim_end().to_owned()).collect();
    let text = String::from_utf8_lossy(content.get(own..place.bytes.end).unwrap_or_default()).into_owned();
    let FittedPlace { front, own: mut lines } = fitted;
    if let Some(first) = lines.first_mut() {
        *first = with_visibility(language, text.lines().next().unwrap_or_default(), first);
    }
    // A function that replaces a constant with one in it needs no semicolon.
    let is_ended = place.kind != Kind::Function || text.trim_end().ends_with(',');
    if let Some(last) = lines.last_mut().filter(|_| is_ended) {
        *last = with_ending(&text, last);
    }
    if language == Some(Language::Python) {
        let missing =
            docstring(content, place).filter(|_| docstring(document.text.as_bytes(), wanted).is_none());
        put_docstring(&mut lines, missing, wanted, document);
    }
    let mut all = front_lines(&old, &front);
    all.extend(lines);
    all
}

/// Which lines stand in front: those of the text, and of the file what the text has nothing for.
fn front_lines(old: &[String], new: &[String]) -> Vec<String> {
    let comments =
        |lines: &[String]| -> Vec<String> { lines.iter().filter(|line| is_comment(line)).cloned().collect() };
    let others = |lines: &[String]| -> Vec<String> {
        lines.iter().filter(|line| !is_comment(line) && !line.trim().is_empty()).cloned().collect()
    };
    if new.is_empty() {
        return old.to_vec();
    }
    let (old_comments, new_comments) = (comments(old), comments(new));
    let is_documented = |lines: &[String]| {
        lines.iter().any(|line| {
            let line = line.trim_start();
            line.starts_with("///") || line.starts_with("/**")
        })
    };
    // A remark of the model does not replace a doc comment.
    let keeps = new_comments.is_empty() || is_documented(&old_comments) && !is_documented(&new_comments);
    let (old_others, new_others) = (others(old), others(new));
    if keeps && (new_others.is_empty() || new_others == old_others) {
        return old.to_vec();
    }
    if !keeps && !new_others.is_empty() {
        return new.to_vec();
    }
    let mut lines = if keeps { old_comments } else { new_comments };
    lines.extend(if new_others.is_empty() { old_others } else { new_others });
    lines
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    let is_attribute = line.starts_with("#[") || line.starts_with("#!");
    !is_attribute && ["//", "/*", "*", "#", "--"].iter().any(|sign| line.starts_with(sign))
}

/// `export` and `pub` say who else may use a definition; a model that leaves them out does not mean that.
fn with_visibility(language: Option<Language>, old: &str, new: &str) -> String {
    let words: &[&str] = match language {
        Some(Language::JavaScript | Language::TypeScript | Language::Tsx) => &["export default ", "export "],
        Some(Language::Rust) => &["pub(crate) ", "pub(super) ", "pub "],
        _ => &[],
    };
    let had = words.iter().find(|word| old.trim_start().starts_with(**word));
    let has = ["export ", "pub ", "pub("].iter().any(|word| new.trim_start().starts_with(word));
    match had {
        Some(word) if !has => {
            let indent = fit::indentation(new);
            format!("{indent}{word}{}", new.trim_start())
        }
        _ => new.to_owned(),
    }
}

/// The lines of a docstring, as they stand.
fn docstring(content: &[u8], place: &Place) -> Option<Vec<String>> {
    let body = place.body.as_ref()?;
    let own = own_start(content, place);
    let text = String::from_utf8_lossy(content.get(own..body.start)?).into_owned();
    let head = place.head.trim_end();
    let rest = text.get(text.find(head)? + head.len()..)?;
    let (_, below) = rest.split_once('\n')?;
    let lines: Vec<String> = below.trim_end().lines().map(|line| line.trim_end().to_owned()).collect();
    let first = lines.first()?.trim_start();
    let is_string = ["\"", "'", "r\"", "r'"].iter().any(|sign| first.starts_with(sign));
    is_string.then_some(lines)
}

/// Puts a docstring below the signature.
fn put_docstring(lines: &mut Vec<String>, missing: Option<Vec<String>>, wanted: &Place, document: &Document) {
    let (Some(missing), Some(body)) = (missing, wanted.body.as_ref()) else { return };
    // The row of the first line of the body tells how many lines the signature has.
    let before = document.text.get(..body.start).unwrap_or_default();
    let row = before.matches('\n').count();
    let Some(at) = row.checked_sub(wanted.own_lines.start() - 1) else { return };
    if at == 0 || at > lines.len() {
        return;
    }
    let blank = (wanted.kind == Kind::Type).then(String::new);
    lines.splice(at..at, missing.into_iter().chain(blank));
}
