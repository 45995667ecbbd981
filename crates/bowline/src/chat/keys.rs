//! What a terminal's event means to the chat: one name per thing a person can want, whatever the keys for it.
//!
//! Pure. What always holds: only presses and repeats count, and pasted text has `\n` for every line break.
//!
//! A terminal sends `\r` for Enter and `\n` for Ctrl-J. The library tells them apart only while its own raw mode is on
//! (`crossterm::terminal::enable_raw_mode`): then the second is a `j` with Control, otherwise it too is Enter.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Key {
    Char(char),
    Paste(String),
    Enter,
    /// Ctrl-J, Shift-Enter.
    NewLine,
    /// Alt-Enter.
    Send,
    Backspace,
    Delete,
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    WordLeft,
    WordRight,
    DeleteWordBack,
    DeleteWordForward,
    KillToEnd,
    KillToStart,
    Yank,
    Undo,
    Tab,
    BackTab,
    Escape,
    /// Ctrl-C.
    Stop,
    /// Ctrl-D.
    EndOfInput,
    /// Ctrl-Z.
    Suspend,
    /// Ctrl-L.
    Redraw,
    /// Ctrl-R.
    Search,
    PageUp,
    PageDown,
}

/// None for what the chat has no use for: releases, the mouse, focus, a new size.
pub(crate) fn key(event: Event) -> Option<Key> {
    match event {
        Event::Paste(text) => Some(Key::Paste(text.replace("\r\n", "\n").replace('\r', "\n"))),
        Event::Key(event) if event.kind != KeyEventKind::Release => pressed(event),
        _ => None,
    }
}

fn pressed(event: KeyEvent) -> Option<Key> {
    let has = |modifiers: KeyModifiers| event.modifiers.intersects(modifiers);
    if has(KeyModifiers::SUPER | KeyModifiers::HYPER | KeyModifiers::META) {
        return None;
    }
    let (is_control, is_alt) = (has(KeyModifiers::CONTROL), has(KeyModifiers::ALT));
    let by_word = |word: Key, alone: Key| if is_control || is_alt { word } else { alone };
    let key = match event.code {
        KeyCode::Char(c) if is_control && is_alt => return with_both(c),
        KeyCode::Char(c) if is_control => return with_control(c),
        KeyCode::Char(c) if is_alt => return with_alt(c),
        KeyCode::Char(c) => Key::Char(c),
        KeyCode::Enter if is_alt || is_control => Key::Send,
        KeyCode::Enter if has(KeyModifiers::SHIFT) => Key::NewLine,
        KeyCode::Enter => Key::Enter,
        KeyCode::Backspace => by_word(Key::DeleteWordBack, Key::Backspace),
        KeyCode::Delete => by_word(Key::DeleteWordForward, Key::Delete),
        KeyCode::Left => by_word(Key::WordLeft, Key::Left),
        KeyCode::Right => by_word(Key::WordRight, Key::Right),
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Tab if has(KeyModifiers::SHIFT) => Key::BackTab,
        KeyCode::Tab => Key::Tab,
        KeyCode::BackTab => Key::BackTab,
        KeyCode::Esc => Key::Escape,
        _ => return None,
    };
    Some(key)
}

/// The letters as Emacs and every shell have them. Ctrl-_ and Ctrl-/ are one byte, which the library calls Ctrl-7; a
/// terminal that tells keys apart sends them under their own names, and so Ctrl-M, Ctrl-I and Ctrl-[ too.
fn with_control(c: char) -> Option<Key> {
    let key = match c.to_ascii_lowercase() {
        'a' => Key::Home,
        'b' => Key::Left,
        'c' => Key::Stop,
        'd' => Key::EndOfInput,
        'e' => Key::End,
        'f' => Key::Right,
        'h' => Key::Backspace,
        'i' => Key::Tab,
        'j' => Key::NewLine,
        'k' => Key::KillToEnd,
        'l' => Key::Redraw,
        'm' => Key::Enter,
        'n' => Key::Down,
        'p' => Key::Up,
        'r' => Key::Search,
        'u' => Key::KillToStart,
        'w' => Key::DeleteWordBack,
        'y' => Key::Yank,
        'z' => Key::Suspend,
        '[' => Key::Escape,
        '_' | '/' | '7' | '-' => Key::Undo,
        _ => return None,
    };
    Some(key)
}

fn with_alt(c: char) -> Option<Key> {
    let key = match c.to_ascii_lowercase() {
        'b' => Key::WordLeft,
        'd' => Key::DeleteWordForward,
        'f' => Key::WordRight,
        _ => return None,
    };
    Some(key)
}

/// The right Alt key of many layouts counts as both and makes the characters of programmers: `@`, `{`, `\`.
fn with_both(c: char) -> Option<Key> {
    match c {
        'h' => Some(Key::DeleteWordBack),
        'j' | 'm' => Some(Key::Send),
        c if c.is_ascii_alphanumeric() || c == ' ' => None,
        c => Some(Key::Char(c)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::KeyEventState;

    const NONE: KeyModifiers = KeyModifiers::NONE;
    const CONTROL: KeyModifiers = KeyModifiers::CONTROL;
    const ALT: KeyModifiers = KeyModifiers::ALT;
    const SHIFT: KeyModifiers = KeyModifiers::SHIFT;

    fn of(code: KeyCode, modifiers: KeyModifiers) -> Option<Key> {
        key(Event::Key(KeyEvent::new(code, modifiers)))
    }

    #[test]
    fn keys_mean_what_shells_taught() {
        let table = [
            (KeyCode::Char('x'), NONE, Some(Key::Char('x'))),
            (KeyCode::Char('X'), SHIFT, Some(Key::Char('X'))),
            (KeyCode::Char('j'), CONTROL, Some(Key::NewLine)),
            (KeyCode::Enter, NONE, Some(Key::Enter)),
            (KeyCode::Enter, SHIFT, Some(Key::NewLine)),
            (KeyCode::Enter, ALT, Some(Key::Send)),
            (KeyCode::Char('a'), CONTROL, Some(Key::Home)),
            (KeyCode::Char('e'), CONTROL, Some(Key::End)),
            (KeyCode::Char('h'), CONTROL, Some(Key::Backspace)),
            (KeyCode::Char('7'), CONTROL, Some(Key::Undo)),
            (KeyCode::Char('/'), CONTROL, Some(Key::Undo)),
            (KeyCode::Char('_'), CONTROL | SHIFT, Some(Key::Undo)),
            (KeyCode::Char('b'), ALT, Some(Key::WordLeft)),
            (KeyCode::Char('d'), ALT, Some(Key::DeleteWordForward)),
            (KeyCode::Backspace, ALT, Some(Key::DeleteWordBack)),
            (KeyCode::Left, CONTROL, Some(Key::WordLeft)),
            (KeyCode::Right, ALT, Some(Key::WordRight)),
            (KeyCode::BackTab, SHIFT, Some(Key::BackTab)),
            (KeyCode::Char('c'), CONTROL, Some(Key::Stop)),
            (KeyCode::Char('@'), CONTROL | ALT, Some(Key::Char('@'))),
            (KeyCode::Char('q'), CONTROL | ALT, None),
            (KeyCode::Char('v'), CONTROL, None),
            (KeyCode::Char('k'), KeyModifiers::SUPER, None),
            (KeyCode::F(1), NONE, None),
        ];
        for (code, modifiers, expected) in table {
            assert_eq!(of(code, modifiers), expected, "{code:?} {modifiers:?}");
        }
    }

    #[test]
    fn a_key_counts_when_it_goes_down() {
        let event = |kind| {
            let state = KeyEventState::NONE;
            key(Event::Key(KeyEvent { code: KeyCode::Left, modifiers: NONE, kind, state }))
        };
        assert_eq!(event(KeyEventKind::Press), Some(Key::Left));
        assert_eq!(event(KeyEventKind::Repeat), Some(Key::Left));
        assert_eq!(event(KeyEventKind::Release), None);
        assert_eq!(key(Event::Resize(80, 24)), None);
    }

    #[test]
    fn pasted_lines_end_alike() {
        let pasted = key(Event::Paste("a\rb\r\nc\nd".to_owned()));
        assert_eq!(pasted, Some(Key::Paste("a\nb\nc\nd".to_owned())));
    }
}
