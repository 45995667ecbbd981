//! Markdown: the case file, and what has to hold for every text however it is cut.

use std::collections::BTreeMap;

use super::*;
use crate::cases;
use crate::rows;

fn whole(text: &str, columns: usize) -> Vec<Row> {
    let mut markdown = Markdown::new(columns);
    markdown.push(text);
    let mut rows = markdown.take();
    rows.extend(markdown.finish());
    rows
}

/// In pieces of so many characters, with all that a screen asks for in between.
fn in_pieces(text: &str, columns: usize, characters: usize) -> Vec<Row> {
    let mut markdown = Markdown::new(columns);
    let mut rows = Vec::new();
    let text = text.chars().collect::<Vec<_>>();
    for (piece, at) in text.chunks(characters).zip(0..) {
        markdown.push(&piece.iter().collect::<String>());
        rows.extend(markdown.take());
        if at % 5 > 0 {
            continue;
        }
        let pending = markdown.pending();
        assert!(pending.len() <= PENDING_TABLE_ROWS_MAX, "{} rows can change", pending.len());
        assert!(pending.iter().all(|row| row.width() <= columns));
    }
    rows.extend(markdown.finish());
    rows
}

/// Texts that were found to be hard, and every case.
fn texts() -> Vec<String> {
    let file = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/chat/markdown.cases"));
    let cases = file.split("\n== ").skip(1).filter_map(|case| Some(case.split_once('\n')?.1));
    let mut texts = cases.map(|case| case.replace("\n--\n", "\n")).collect::<Vec<_>>();
    let filled = |start: &str, piece: &str, times: usize| format!("{start}{}\nafter", piece.repeat(times));
    texts.extend([
        file.to_owned(),
        filled("", "a **bold** word and ", 40),
        filled("**never closed ", "and so on ", 90),
        filled("`never closed ", "日本語 ", 200),
        filled("[never closed ", "and so on ", 90),
        filled("[a](", "x", 900),
        filled("", "*", 700),
        filled("", "[", 300),
        filled("", "`", 450),
        filled("", "> ", 300),
        filled("", "- ", 300),
        filled("", "-", 500),
        filled("", "#", 200),
        filled("# ", "title ", 100),
        filled("```", "info ", 100),
        filled("```\n", "code and ", 150),
        filled("> ```js\n> ", "'a\\'b' + ", 150),
        filled("- ```js\n  ", "`a ", 300),
        filled("~~~\n", "~", 450),
        filled("> ~~~\n> ", "~", 399),
        filled("> ```\n", "outside ", 70),
        filled("| a | b |\n|---|---|\n", "| x | y", 500),
        filled("| a | b |\n|---|---|\n", "| x | y |\n", 50),
        filled("a | b\n---|---\n", "x | y\n", 50),
        filled("|", "|", 300),
        filled(&" ".repeat(155), "1234567. x ", 20),
        filled(&" ".repeat(399), "12. x ", 20),
        " ".repeat(500),
        "a\r\nb\rc\r\n\r\n\r\nd\r".to_owned(),
        "\ttab\n\t- tab\n\u{1b}[2J".to_owned(),
        "\n\n".to_owned(),
        "```".to_owned(),
        "```\n".to_owned(),
        "```\n\n\n```\n\n\n".to_owned(),
        "- ".to_owned(),
        "| a |\n|-|".to_owned(),
    ]);
    texts
}

#[test]
fn the_cases() {
    cases::check("chat/markdown.cases", |name, input| {
        cases::shown(&whole(input, cases::number(name, "columns").unwrap_or(60)))
    });
}

#[test]
fn the_rows_do_not_depend_on_the_pieces() {
    for text in texts() {
        for columns in [10, 70] {
            let due = whole(&text, columns);
            for characters in [1, 7] {
                let is = in_pieces(&text, columns, characters);
                assert!(is == due, "{characters} of {text:?}:\n{}", difference(&due, &is));
            }
        }
    }
}

/// Texts put together from what means something, each drawn by its number.
#[test]
fn drawn_texts_do_not_depend_on_the_pieces() {
    let pieces = [
        "**",
        "*",
        "_",
        "__",
        "`",
        "``",
        "```",
        "~~",
        "~~~",
        "[",
        "](",
        ")",
        "![",
        "\\",
        "\n",
        "\n",
        "\n",
        "\n\n",
        "> ",
        "- ",
        "1. ",
        "# ",
        "|",
        "|---|",
        " | ",
        "---",
        " ",
        "  ",
        "    ",
        "word",
        "a",
        "é",
        "日本",
        "👩‍👩‍👧",
        "x_y",
        "\r\n",
        "\t",
        "js\n",
        "a long stretch of plain words that goes on and on, ",
        "https://example.com/a/_b_",
        "://",
        "[ ] ",
        "\"",
        "//",
        "/*",
    ];
    for seed in 0..200_u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize
        };
        let text = (0..10 + draw() % 120).map(|_| pieces[draw() % pieces.len()]).collect::<String>();
        let columns = 10 + draw() % 80;
        let due = whole(&text, columns);
        assert!(due.iter().all(|row| row.width() <= columns), "{seed}: {text:?}");
        for characters in [1, 2 + draw() % 30] {
            let is = in_pieces(&text, columns, characters);
            assert!(is == due, "{seed}, {characters} of {text:?}:\n{}", difference(&due, &is));
        }
    }
}

fn difference(due: &[Row], is: &[Row]) -> String {
    let at = due.iter().zip(is).position(|(due, is)| due != is).unwrap_or(due.len().min(is.len()));
    format!("row {at}: due {:?}, is {:?}", due.get(at), is.get(at))
}

#[test]
fn no_row_is_wider_than_the_screen() {
    for text in texts() {
        for columns in (4..40).chain([41, 60, 79, 99]) {
            for row in whole(&text, columns) {
                assert!(row.width() <= columns, "{columns}: {:?} of {text:?}", row.text());
            }
        }
    }
}

#[test]
fn no_character_is_lost() {
    // The language of a fence is a marker, as the x in a box is, and an address that is its own text is shown once.
    let markers = ["rust", "sh", "json", "js", "diff", "yaml", "toml"].map(|word| format!("```{word}"));
    for text in texts() {
        let text = markers.iter().fold(text, |text, marker| text.replace(marker, "```"));
        let text = text.replace("```,no_run", "```");
        let text = text.replace("- [x]", "- [ ]").replace("[https://a.b](https://a.b)", "https://a.b");
        let due = counted(&text);
        for columns in [10, 80] {
            let is = counted(&whole(&text, columns).iter().map(Row::text).collect::<String>());
            let lost = due.iter().filter(|(c, count)| is.get(c).unwrap_or(&0) < count).collect::<Vec<_>>();
            assert!(lost.is_empty(), "{columns}: {lost:?} of {text:?}");
        }
    }
}

#[test]
fn what_came_can_be_seen_at_once() {
    let text = "# Title\n\nA **bold** word, `code` and [a link](https://a.b/c_d).\n- one\n  - two *three*\n> four\n\n\
                | a | b |\n|---|---|\n| 1 | 2 |\n\nx | y\n--|--\n3 | 4\n1. five\n---\nand a long line that wraps **so \
                that** rows of it are final, while ~~others~~ are still `pending and` may change, 日本語 as well.";
    for columns in [20, 40, 80] {
        let mut markdown = Markdown::new(columns);
        let mut taken = String::new();
        for (at, c) in text.char_indices() {
            markdown.push(c.encode_utf8(&mut [0; 4]));
            taken.extend(markdown.take().iter().map(Row::text));
            let pending = markdown.pending().iter().map(Row::text).collect::<String>();
            let (is, so_far) = (counted(&(taken.clone() + &pending)), &text[..at + c.len_utf8()]);
            let is_seen = counted(so_far).iter().all(|(c, count)| is.get(c).unwrap_or(&0) >= count);
            assert!(is_seen, "{columns}: {so_far:?}\n{taken}\n{pending}");
        }
    }
}

fn counted(text: &str) -> BTreeMap<char, usize> {
    let mut counts = BTreeMap::new();
    text.chars().filter(|c| c.is_alphanumeric()).for_each(|c| *counts.entry(c).or_insert(0) += 1);
    counts
}

#[test]
fn a_resize_keeps_what_is_there() {
    for text in texts() {
        let mut markdown = Markdown::new(80);
        let mut rows = Vec::new();
        let characters = text.chars().collect::<Vec<_>>();
        for (piece, columns) in characters.chunks(13).zip([80, 20, 44, 10, 61, 100].into_iter().cycle()) {
            markdown.set_columns(columns);
            assert!(markdown.pending().iter().all(|row| row.width() <= columns), "{columns} of {text:?}");
            markdown.push(&piece.iter().collect::<String>());
            rows.extend(markdown.take());
        }
        rows.extend(markdown.finish());
        let count = |rows: &[Row]| rows.iter().map(|row| row.text().matches("and").count()).sum::<usize>();
        if !text.contains('|') && !text.contains("```") {
            assert!(count(&rows) + 2 >= count(&whole(&text, 80)), "{text:?}");
        }
    }
}

#[test]
fn what_is_held_stays_small() {
    let held = |markdown: &Markdown| markdown.open.line.len();
    let pieces = ["word ", "*a ", "`a ", "[a ", "a", "日", " ", "|", "**b** ", "_"];
    for start in ["", "- ", "> ", "```\n", "# ", "| a |\n|---|\n|"] {
        for piece in pieces {
            let mut markdown = Markdown::new(80);
            markdown.push(start);
            let mut rows = 0;
            for _ in 0..2_500 {
                markdown.push(piece);
                rows += markdown.take().len();
                assert!(held(&markdown) <= 2_100, "{start:?} {piece:?}");
            }
            assert!(markdown.pending().len() <= PENDING_TABLE_ROWS_MAX);
            assert!(rows > 0 || piece == " ", "{start:?} {piece:?}: nothing was given out");
        }
    }
}

#[test]
fn a_long_line_and_many_lines() {
    let mut markdown = Markdown::new(80);
    markdown.push(&"some words of *a* text, ".repeat(45_000));
    let rows = markdown.take();
    assert!(rows.len() > 12_000);
    assert!(markdown.pending().len() <= PENDING_ROWS_MAX);
    let mut markdown = Markdown::new(80);
    for n in 0..5_000 {
        markdown.push(&format!("- item **{n}** of `many`\n"));
        assert_eq!((markdown.take().len(), markdown.pending().len()), (1, 0));
    }
    assert_eq!(rows::width(&markdown.finish().iter().map(Row::text).collect::<String>()), 0);
}

#[test]
fn what_is_open_is_drawn_as_if_it_were_closed() {
    let mut markdown = Markdown::new(80);
    markdown.push("some **bold te");
    assert_eq!(cases::shown(&markdown.pending()), "some «bold:bold te»\n");
    markdown.push("xt** and `co");
    assert_eq!(cases::shown(&markdown.pending()), "some «bold:bold text» and «cyan:co»\n");
    markdown.push("\n");
    assert_eq!(cases::shown(&markdown.take()), "some «bold:bold text» and `co\n");
    assert_eq!(markdown.pending(), []);
}
