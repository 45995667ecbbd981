//! Each source file opens with `//!`: what it is, what it is not, what always holds. What the words say is for readers to
//! judge; that there are some is judged here.

use super::Finding;
use super::tree::Tree;

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let sources = tree.rust().filter(|(path, _)| path.split('/').any(|folder| folder == "src"));
    let silent = sources.filter(|(_, text)| !opens_with_words(text));
    silent.map(|(path, _)| Finding::new(path, 1, "does not open with `//!`; say what the file is")).collect()
}

fn opens_with_words(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.strip_prefix("//!").is_some_and(|words| !words.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_counts_and_needs_words() {
        let table = [
            ("//! The log.\n", true),
            ("//!\n//! The log.\n", false),
            ("\n//! The log.\n", false),
            ("use std::fs;\n", false),
            ("", false),
        ];
        for (text, expected) in table {
            assert_eq!(opens_with_words(text), expected, "{text:?}");
        }
    }
}
