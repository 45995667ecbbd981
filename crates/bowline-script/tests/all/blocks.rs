//! Case files of many small cases: blocks of text parted by a line of dashes, each with its outcome after `=> `.

use std::path::Path;

const RULE: &str = "----------\n";

/// Runs every block of a case file; `UPDATE_EXPECT=1` writes what came out.
pub(crate) fn check(file: &str, run: impl Fn(&str) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut came = Vec::new();
    for block in text.split(RULE) {
        let (input, _) = block.split_once("=> ").unwrap_or_else(|| panic!("{file}: no outcome in\n{block}"));
        came.push(format!("{input}=> {}\n", run(input)));
    }
    let came = came.join(RULE);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &came).unwrap();
        return;
    }
    for (due, came) in text.split(RULE).zip(came.split(RULE)) {
        assert_eq!(came, due, "{file}; UPDATE_EXPECT=1 accepts what came");
    }
}
