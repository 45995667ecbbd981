//! Files that are made to end the process: what a scanner written in C can't take must not reach it. A failure here is no failed
//! assertion: the whole test binary aborts.

use bowline_index::{check, definitions, places, uses};

/// The process is still there afterwards.
fn survives(path: &str, text: &str) {
    places(path, text.as_bytes());
    definitions(path, text.as_bytes());
    uses(path, text.as_bytes(), "a");
    check(path, b"", text.as_bytes());
}

/// The scanner of the shell looks a character up in a table that is too short for it.
#[test]
fn characters_beyond_the_table_of_the_shell() {
    for wide in ['é', 'ω', '🦀', '\u{10ffff}'] {
        survives(
            "a.sh",
            &format!("echo {{{wide}\necho {{1{wide}\necho {{1..{wide}\necho {{1..9{wide}}}\n{{{wide}\n"),
        );
    }
}

/// The places of such a file are where they are: only letters were put in.
#[test]
fn places_of_a_shell_script_with_wide_characters() {
    let found = places("a.sh", "# größer 🦀\nsay() {\n  echo {🦀\n}\n".as_bytes());
    assert!(found.iter().any(|place| place.name == "say"), "{found:?}");
}

#[test]
fn many_heredocs_and_long_words_of_the_shell() {
    let word = "A".repeat(2_000);
    survives("a.sh", &"cat <<A\n".repeat(2_000));
    survives("a.sh", &format!("cat {}\n", "<<A ".repeat(400)));
    survives("a.sh", &format!("cat <<{word}\ntext\n{word}\n"));
}

/// The scanner of Ruby keeps the length of a heredoc's word in one byte, and fails when it reads a longer one back.
#[test]
fn heredocs_of_ruby_with_long_words() {
    for bytes in [250, 255, 256, 300, 1_100] {
        let word = "A".repeat(bytes);
        for (open, close) in [("", ""), ("-", ""), ("~", ""), ("\"", "\""), ("-'", "'"), ("~`", "`")] {
            survives("a.rb", &format!("x = <<{open}{word}{close}\n text #{{y}}\n{word}\nputs x\n"));
        }
    }
    let several: Vec<String> = (0..5).map(|n| format!("<<{}{n}", "A".repeat(199))).collect();
    survives("a.rb", &format!("f({})\n#{{1}}\n", several.join(", ")));
    survives("a.rb", &format!("f({})\n", "<<A,".repeat(600)));
}

#[test]
fn an_everyday_heredoc_of_ruby_is_parsed() {
    let found = places("a.rb", b"def help\n  puts <<~TEXT\n    usage\n  TEXT\nend\n");
    assert!(found.iter().any(|place| place.name == "help"), "{found:?}");
}

/// The scanner of YAML writes beyond its buffer when more than 253 blocks are open.
#[test]
fn deep_blocks_of_yaml() {
    let levels = |key: &str| -> String { (0..400).map(|n| format!("{}{key}\n", " ".repeat(n))).collect() };
    let double = |n: usize| format!("{}a:\n{}- \n", " ".repeat(n), " ".repeat(n));
    for text in [levels("a:"), levels("-"), levels("? a"), (0..200).map(double).collect()] {
        survives("a.yaml", &text);
    }
    for piece in ["- ", "? ", "- ? ", "- a: ", "-\t", "[", "{a: ", "- &a ", "!t - "] {
        survives("a.yaml", &piece.repeat(3_000));
    }
}

#[test]
fn an_everyday_file_of_yaml_is_parsed() {
    let found = places("a.yaml", b"jobs:\n  - name: test\n    steps:\n      - run: cargo test\n");
    assert!(!found.is_empty());
}

/// Trees as deep as the file is long: nothing recurses into them.
#[test]
fn deep_trees() {
    const TIMES: usize = 20_000;
    let deep = [
        ("a.sh", "$("),
        ("a.sh", "if a; then "),
        ("a.c", "("),
        ("a.html", "<div>"),
        ("a.js", "["),
        ("a.json", "{\"a\":"),
        ("a.lua", "f("),
        ("a.php", "<?php ("),
        ("a.py", "("),
        ("a.py", "f'{"),
        ("a.rb", "\"#{"),
        ("a.rs", "a::<"),
        ("a.ts", "x=>"),
        ("a.yaml", "["),
    ];
    for (path, piece) in deep {
        survives(path, &piece.repeat(TIMES));
    }
    let blocks: String = (0..700).map(|n| format!("{}if a:\n", " ".repeat(n))).collect();
    survives("a.py", &blocks);
}
