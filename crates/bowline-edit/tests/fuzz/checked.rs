//! What must hold of an edit drawn from any bytes: for the fuzzer, and for the test that replays what it found.
//!
//! The first byte chooses the mode and how many places are meant; what follows is the content, the needle and the
//! replacement, with [`SEPARATOR`] between them.

use bowline_edit::{Applied, Edit, Located, Mode, Patch, apply_with, locate_with};

/// A byte that no UTF-8 text has.
const SEPARATOR: u8 = 0xfe;

/// Panics if something does not hold.
pub(crate) fn check(bytes: &[u8]) {
    let Some((kind, rest)) = bytes.split_first() else { return };
    let mut parts = rest.splitn(3, |byte| *byte == SEPARATOR);
    let content = parts.next().unwrap_or_default();
    let old = String::from_utf8_lossy(parts.next().unwrap_or_default());
    let new = String::from_utf8_lossy(parts.next().unwrap_or_default());
    let mode = match kind % 3 {
        0 => Mode::Exact,
        1 => Mode::Careful,
        _ => Mode::Lenient,
    };
    located(content, &old, mode);
    let edit = if kind & 8 == 0 { Edit::one(&old, &new) } else { Edit::all(&old, &new) };
    let content = if kind & 16 == 0 { Some(content) } else { None };
    match apply_with(content, &[edit], mode) {
        Ok(applied) => {
            kept(content.unwrap_or_default(), &applied);
            revert(content, &applied.content);
        }
        Err(refusal) => assert!(!refusal.to_string().is_empty() && refusal.verdicts.len() == 1),
    }
    if let Some(content) = content.filter(|content| !content.contains(&b'\r')) {
        twins(content, &edit, mode);
    }
}

/// Places are inside the content, and an exact one is the needle.
fn located(content: &[u8], old: &str, mode: Mode) {
    match locate_with(content, old, mode) {
        Located::Exact(span) => assert!(content.get(span).is_some()),
        Located::Fuzzy { span, similarity, .. } => {
            assert!(content.get(span).is_some() && (0.0..=1.0).contains(&similarity));
        }
        Located::Ambiguous { count, places } => {
            assert!(count > 1 && places.iter().all(|place| content.get(place.span.clone()).is_some()));
        }
        Located::NotFound { .. } => {}
    }
}

/// What stands before the first and after the last change is the file's own.
fn kept(content: &[u8], applied: &Applied) {
    let made = &applied.content;
    let Some((first, last)) = applied.changed.first().zip(applied.changed.last()) else {
        assert!(made == content);
        return;
    };
    assert!(made.get(..first.start).is_some_and(|front| content.starts_with(front)));
    assert!(made.get(last.end..).is_some_and(|back| content.ends_with(back)));
    let _ = applied.changed_lines();
}

/// Every byte comes back.
fn revert(before: Option<&[u8]>, after: &[u8]) {
    let patch = Patch::between(before, after);
    match patch.rewind(Some(after)) {
        Ok(back) => assert!(back.as_deref() == before),
        Err(stray) => panic!("not taken back: {stray}"),
    }
}

/// The same file with other line endings gets the same answer.
fn twins(content: &[u8], edit: &Edit<'_>, mode: Mode) {
    let twin: Vec<u8> =
        content.iter().flat_map(|byte| if *byte == b'\n' { b"\r\n".to_vec() } else { vec![*byte] }).collect();
    let (one, other) = (apply_with(Some(content), &[*edit], mode), apply_with(Some(&twin), &[*edit], mode));
    match (one, other) {
        (Ok(one), Ok(other)) => assert!(one.landings == other.landings),
        (Err(one), Err(other)) => assert!(one.to_string() == other.to_string()),
        (one, other) => panic!("{one:?} against {other:?}"),
    }
}
