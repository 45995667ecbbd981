//! The decision records: numbered without gaps, all of the same form, and each in the list with its title. Whether a
//! decision is a good one is not looked at.

use super::Finding;
use super::tree::Tree;

const FOLDER: &str = "docs/decisions/";
const LIST: &str = "docs/decisions/README.md";
/// In this order, and nothing else at that level.
const SECTIONS: [&str; 4] = ["## Context", "## Decision", "## Consequences", "## Alternatives"];
const DIGITS: usize = 4;

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let list = tree.text(LIST).unwrap_or_default();
    let mut findings = Vec::new();
    let mut due = 1;
    for (path, text) in tree.texts() {
        let Some(name) = path.strip_prefix(FOLDER) else { continue };
        let Some(number) = number(name) else { continue };
        if number.parse() != Ok(due) {
            findings.push(Finding::new(
                path,
                1,
                format!("number {number}, and {due:04} is next; rename the file"),
            ));
        }
        due += 1;
        findings.extend(form(path, text, number));
        let title = text.lines().next().and_then(|line| line.split_once(". ")).map_or("", |(_, title)| title);
        let line = format!("- [{number}]({name}): {title}");
        if !list.lines().any(|listed| listed == line) {
            findings.push(Finding::new(LIST, 1, format!("the list lacks the line \"{line}\"; add it")));
        }
    }
    findings
}

/// The number a record's name begins with; none for other files of the folder.
fn number(name: &str) -> Option<&str> {
    let (number, _) = name.split_once('-')?;
    let is_number = number.len() == DIGITS && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(number)
}

fn form(path: &str, text: &str, number: &str) -> Option<Finding> {
    if !text.starts_with(&format!("# {number}. ")) {
        return Some(Finding::new(path, 1, format!("open with the heading \"# {number}. Title\"")));
    }
    let sections: Vec<&str> = text.lines().filter(|line| line.starts_with("## ")).collect();
    (sections != SECTIONS).then(|| {
        Finding::new(path, 1, format!("the sections are not {}; write those four", SECTIONS.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "## Context\na\n## Decision\nb\n## Consequences\nc\n## Alternatives\nd\n";

    fn found(list: &str, records: &[(&str, &str)]) -> Vec<String> {
        let mut files = vec![(LIST, list)];
        files.extend(records);
        check(&Tree::of(&files)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn records_of_one_form_that_are_listed_pass() {
        let text = format!("# 0001. A title\n\n{BODY}");
        let list = "- [0001](0001-a.md): A title\n";
        let records = [("docs/decisions/0001-a.md", text.as_str()), ("docs/decisions/other.md", "")];
        assert_eq!(found(list, &records), Vec::<String>::new());
    }

    #[test]
    fn what_differs_is_found() {
        let second = format!("# 2. Another\n\n{BODY}");
        let records = [
            ("docs/decisions/0001-a.md", "# 0001. A title\n\n## Decision\n"),
            ("docs/decisions/0003-b.md", second.as_str()),
        ];
        assert_eq!(
            found("- [0001](0001-a.md): A title\n", &records),
            [
                "docs/decisions/0001-a.md:1: the sections are not ## Context, ## Decision, ## Consequences, \
                 ## Alternatives; write those four",
                "docs/decisions/0003-b.md:1: number 0003, and 0002 is next; rename the file",
                "docs/decisions/0003-b.md:1: open with the heading \"# 0003. Title\"",
                "docs/decisions/README.md:1: the list lacks the line \"- [0003](0003-b.md): Another\"; add it",
            ]
        );
    }
}
