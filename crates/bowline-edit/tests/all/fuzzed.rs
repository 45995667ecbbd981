//! What the fuzzer found, replayed: every input of `tests/fuzz/corpus.txt`, one a line, with bytes that are not plain
//! escaped as Rust does.
//!
//! `BOWLINE_CORPUS_TO=DIR` writes them as files for the fuzzer to begin with, `BOWLINE_CORPUS_FROM=DIR` makes the list anew
//! from such files: see the crate's README.

use std::fs;
use std::path::Path;

#[path = "../fuzz/checked.rs"]
mod checked;

const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fuzz/corpus.txt");

#[test]
fn what_the_fuzzer_found_holds() {
    if let Some(folder) = std::env::var_os("BOWLINE_CORPUS_FROM") {
        pack(Path::new(&folder));
    }
    let list = fs::read_to_string(LIST).unwrap();
    assert!(list.lines().count() > 100, "the corpus is missing");
    for (number, line) in list.lines().enumerate() {
        let bytes = unescaped(line);
        if let Some(folder) = std::env::var_os("BOWLINE_CORPUS_TO") {
            fs::write(Path::new(&folder).join(format!("{number:05}")), &bytes).unwrap();
        }
        println!("{line}");
        checked::check(&bytes);
    }
}

fn pack(folder: &Path) {
    let mut lines: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| fs::read(entry.unwrap().path()).unwrap().escape_ascii().to_string())
        .collect();
    lines.sort();
    fs::write(LIST, lines.join("\n") + "\n").unwrap();
}

/// The bytes that `escape_ascii` wrote so.
fn unescaped(line: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = line.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let (byte, after) = match (first, after) {
            (b'\\', [b'x', high, low, after @ ..]) => {
                let digit = |char: &u8| char::from(*char).to_digit(16).unwrap() as u8;
                (digit(high) * 16 + digit(low), after)
            }
            (b'\\', [b'n', after @ ..]) => (b'\n', after),
            (b'\\', [b'r', after @ ..]) => (b'\r', after),
            (b'\\', [b't', after @ ..]) => (b'\t', after),
            (b'\\', [plain, after @ ..]) => (*plain, after),
            (plain, after) => (*plain, after),
        };
        bytes.push(byte);
        rest = after;
    }
    bytes
}
