//! The editor as a person at the keyboard finds it: `cases/chat/editor.cases`, drawn keys, and long pastes.

use super::*;
use crate::cases;

/// Every key that carries nothing.
const KEYS: [Key; 30] = [
    Key::Enter,
    Key::NewLine,
    Key::Send,
    Key::Backspace,
    Key::Delete,
    Key::Left,
    Key::Right,
    Key::Up,
    Key::Down,
    Key::Home,
    Key::End,
    Key::WordLeft,
    Key::WordRight,
    Key::DeleteWordBack,
    Key::DeleteWordForward,
    Key::KillToEnd,
    Key::KillToStart,
    Key::Yank,
    Key::Undo,
    Key::Tab,
    Key::BackTab,
    Key::Escape,
    Key::Stop,
    Key::EndOfInput,
    Key::Suspend,
    Key::Redraw,
    Key::Search,
    Key::PageUp,
    Key::PageDown,
    Key::Char('\u{1b}'),
];

/// `abc` is typed; `<Left>` is a key, `<Left*3>` three times; `<Paste:a\nb>` is pasted, `<Lines:500>` so many lines,
/// `<Characters:1001>` so many characters.
fn keys(line: &str) -> Vec<Key> {
    let mut keys = Vec::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let named = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
        let Some((name, behind)) = named else {
            keys.push(Key::Char(c));
            rest = &rest[c.len_utf8()..];
            continue;
        };
        rest = behind;
        if let Some(text) = name.strip_prefix("Paste:") {
            keys.push(Key::Paste(text.replace("\\n", "\n").replace("\\e", "\x1b").replace("\\t", "\t")));
        } else if let Some(count) = name.strip_prefix("Lines:") {
            keys.push(Key::Paste("line\n".repeat(count.parse().unwrap())));
        } else if let Some(count) = name.strip_prefix("Characters:") {
            keys.push(Key::Paste("x".repeat(count.parse().unwrap())));
        } else {
            let (name, count) = name.split_once('*').unwrap_or((name, "1"));
            let key = KEYS.iter().find(|key| format!("{key:?}") == name);
            let key = key.unwrap_or_else(|| panic!("no key {name}"));
            keys.extend(std::iter::repeat_n(key.clone(), count.parse().unwrap()));
        }
    }
    keys
}

/// `columns N` before the keys shows the rows of that screen; otherwise it is the text, with `|` for the cursor.
fn play(input: &str) -> String {
    let mut editor = Editor::new();
    let mut columns = None;
    let mut out = String::new();
    for line in input.lines() {
        if let Some(number) = line.strip_prefix("columns ") {
            columns = number.parse().ok();
            editor.layout(columns.unwrap(), 10);
            continue;
        }
        for key in keys(line) {
            match editor.edit(&key) {
                Handled::Yes => {}
                handled => out += &format!("{key:?}: {handled:?}\n"),
            }
        }
    }
    let (before, after) = match columns {
        None => editor.text().split_at(editor.cursor()),
        Some(columns) => {
            let layout = editor.layout(columns, 10);
            layout.rows.iter().for_each(|row| out += &format!("{:?}\n", row.text()));
            return out + &format!("{:?}", layout.cursor);
        }
    };
    out + before + "|" + after
}

#[test]
fn keys_do_what_they_say() {
    cases::check("chat/editor.cases", |_, input| play(input));
}

#[test]
fn what_was_pasted_is_sent_whole() {
    let pasted = "fn main() {}\n".repeat(500);
    let mut editor = Editor::new();
    for key in [Key::Char('a'), Key::Paste(pasted.clone()), Key::Char('b'), Key::Paste(pasted.clone())] {
        assert_eq!(editor.edit(&key), Handled::Yes);
    }
    assert_eq!(editor.text(), "a[pasted 500 lines]b[pasted 500 lines]");
    assert_eq!(editor.text_expanded(), format!("a{pasted}b{pasted}"));
    editor.edit(&Key::Backspace);
    editor.edit(&Key::Left);
    editor.edit(&Key::Backspace);
    assert_eq!((editor.text(), editor.cursor()), ("ab", 1));
    editor.edit(&Key::Undo);
    editor.edit(&Key::KillToStart);
    editor.edit(&Key::Yank);
    editor.edit(&Key::Yank);
    assert_eq!(editor.take().text(), format!("a{pasted}a{pasted}b"));
    assert!(editor.is_empty());
    editor.edit(&Key::Undo);
    assert!(editor.is_empty());
}

#[test]
fn a_fold_goes_whole_when_a_part_is_replaced() {
    let fold = "[pasted 20 lines]";
    for (range, expected) in
        [(3..5, "xz".to_owned()), (1..1, format!("x{fold}z")), (0..1, format!("{fold}z"))]
    {
        let mut editor = Editor::new();
        keys("x<Lines:20>z").iter().for_each(|key| _ = editor.edit(key));
        editor.replace(range, "");
        assert_eq!(editor.text(), expected);
    }
}

#[test]
fn too_much_is_refused() {
    let mut editor = Editor::new();
    let most = "x".repeat(BYTES_MAX);
    assert_eq!(editor.edit(&Key::Paste(format!("{most}x"))), Handled::TooMuch);
    assert!(editor.is_empty());
    assert_eq!(editor.edit(&Key::Paste(most.clone())), Handled::Yes);
    assert_eq!(editor.text(), "[pasted 1048576 characters]");
    assert_eq!(editor.edit(&Key::Char('y')), Handled::TooMuch);
    assert_eq!(editor.take().text(), most);
}

#[test]
fn a_long_text_costs_no_more_than_what_is_seen() {
    let mut editor = Editor::new();
    editor.set(&"a line of words\n".repeat(BYTES_MAX / 16));
    let started = std::time::Instant::now();
    for _ in 0..100 {
        editor.edit(&Key::Char('x'));
        editor.edit(&Key::Up);
        editor.edit(&Key::WordLeft);
        let layout = editor.layout(40, 10);
        assert_eq!((layout.rows.len(), layout.has_more_above), (10, true));
    }
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
}

#[test]
fn the_rows_around_the_cursor_are_shown() {
    let mut editor = Editor::new();
    let lines: Vec<String> = (0..20).map(|number| number.to_string()).collect();
    editor.set(&lines.join("\n"));
    let shown = |editor: &mut Editor| {
        let layout = editor.layout(20, 4);
        let rows: Vec<String> = layout.rows.iter().map(crate::rows::Row::text).collect();
        (rows.join(" "), layout.cursor, layout.has_more_above, layout.has_more_below)
    };
    assert_eq!(shown(&mut editor), ("16 17 18 19".to_owned(), (3, 2), true, false));
    (0..10).for_each(|_| _ = editor.edit(&Key::Up));
    assert_eq!(shown(&mut editor), ("7 8 9 10".to_owned(), (2, 1), true, true));
    (0..9).for_each(|_| _ = editor.edit(&Key::Up));
    assert_eq!(shown(&mut editor), ("0 1 2 3".to_owned(), (0, 1), false, true));
    assert_eq!(editor.edit(&Key::Up), Handled::No);
}

/// Numbers that are the same every time.
struct Drawn(u64);

impl Drawn {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most
    }

    fn key(&mut self) -> Key {
        let characters = [
            'a', 'b', ' ', '\\', '日', 'é', '\u{301}', '👩', '\u{200d}', '👧', '🇩', '🇪', '\t', '\u{202e}',
            '\u{600}', 'ᄀ', 'ᅡ', '_', '.', 'ﷺ',
        ];
        match self.below(10) {
            0..5 => Key::Char(characters[self.below(characters.len())]),
            5 => match self.below(8) {
                0 => Key::Paste("x\u{301}\r\ny\n".repeat(12)),
                1 => Key::Paste("👩\u{200d}👧".to_owned()),
                2 => Key::Paste("two words\nand\ta \x1b[31mline".to_owned()),
                _ => Key::Char(' '),
            },
            _ => KEYS[self.below(KEYS.len())].clone(),
        }
    }
}

#[test]
fn whatever_is_typed_the_cursor_stands_between_characters() {
    for seed in 0..100 {
        let mut drawn = Drawn(seed);
        let mut editor = Editor::new();
        let mut columns = 1 + drawn.below(30);
        for step in 0..150 {
            let key = drawn.key();
            editor.edit(&key);
            if drawn.below(20) == 0 {
                columns = 1 + drawn.below(30);
            }
            let place = editor.cursor();
            assert_eq!(editor.draft.place(place), place, "{seed} {step} {key:?} {:?}", editor.text());
            let rows_max = 1 + drawn.below(8);
            let layout = editor.layout(columns, rows_max);
            assert!((1..=rows_max).contains(&layout.rows.len()), "{seed} {step}");
            assert!(layout.rows.iter().all(|row| row.width() <= columns), "{seed} {step} {:?}", layout.rows);
            let (row, column) = layout.cursor;
            assert!(row < layout.rows.len() && column < columns, "{seed} {step} {:?}", layout.cursor);
            assert!(!editor.text_expanded().contains(['\x1b', '\r']));
        }
        (0..200).for_each(|_| _ = editor.edit(&Key::Undo));
        assert_eq!((editor.text(), editor.cursor()), ("", 0), "{seed}");
    }
}

#[test]
fn every_row_is_reached_going_up_and_down() {
    for seed in 0..100 {
        let mut drawn = Drawn(seed);
        let mut editor = Editor::new();
        (0..80).for_each(|_| _ = editor.edit(&drawn.key()));
        let columns = 4 + drawn.below(20);
        let rows = editor.layout(columns, usize::MAX / 4).rows.len();
        let steps = |editor: &mut Editor, key: Key| {
            (0..rows).take_while(|_| editor.edit(&key) == Handled::Yes).count()
        };
        steps(&mut editor, Key::Down);
        assert_eq!(steps(&mut editor, Key::Up), rows - 1, "{seed} {:?}", editor.text());
        assert_eq!(steps(&mut editor, Key::Down), rows - 1, "{seed} {:?}", editor.text());
    }
}
