//! Libraries do not print: what they have to say is a value, and the binary prints it. Tests and comments may.

use super::Finding;
use super::tree::Tree;
use crate::metadata::Metadata;

const MACROS: [&str; 4] = ["println!", "eprintln!", "print!", "eprint!"];

pub(crate) fn check(tree: &Tree, metadata: &Metadata) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in metadata.members() {
        if !package.has_target("lib") || package.has_target("bin") {
            continue;
        }
        let manifest = metadata.manifest_of(package);
        let sources = format!("{}src/", manifest.trim_end_matches("Cargo.toml"));
        for (path, text) in tree.rust().filter(|(path, _)| path.starts_with(&sources)) {
            findings.extend(in_text(path, text));
        }
    }
    findings
}

fn in_text(path: &str, text: &str) -> Vec<Finding> {
    // Unit tests stand at the end of their file.
    let product = text.lines().take_while(|line| *line != "#[cfg(test)]").zip(1..);
    let printing = product.filter(|(line, _)| prints(line));
    printing
        .map(|(_, number)| {
            Finding::new(path, number, "a library prints; return a value and let the binary print it")
        })
        .collect()
}

fn prints(line: &str) -> bool {
    let code = line.trim_start();
    !code.starts_with("//")
        && MACROS.iter().any(|name| {
            code.match_indices(name).any(|(start, _)| {
                !code[..start].ends_with(|before: char| before.is_alphanumeric() || before == '_')
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_tests_may_print() {
        let table = [
            ("fn a() {\n    println!(\"a\");\n}\n", 1),
            ("    eprint!(\"a\"); eprintln!();\n", 1),
            ("/// println!(\"an example\");\n", 0),
            ("#[cfg(test)]\nmod tests { fn a() { println!(); } }\n", 0),
            ("pretty_print!(a);\n", 0),
        ];
        for (text, expected) in table {
            assert_eq!(in_text("a.rs", text).len(), expected, "{text}");
        }
    }
}
