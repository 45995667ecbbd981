//! The words marks are made of.

/// What words claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Claim {
    /// That something stays or is left out: `rest of the file unchanged`, `omitted for brevity`. `is_code`: the rest of the
    /// code itself, and not of what it is about.
    Whole { is_code: bool },
    /// What there is, and nothing of it: `existing code`, `other methods`.
    Part { is_code: bool },
    /// `same as before`, and not what.
    Same,
    /// `implementation`.
    Noun,
}

const WORDS_MAX: usize = 14;
/// Words of other things that a mark may name: `... rest of the Shop class ...`.
const STRANGERS_MAX: usize = 2;

const REST: &[&str] = &["rest", "remaining", "remainder", "existing", "everything"];
const OTHERS: &[&str] = &["other", "others", "previous", "original", "more", "additional"];
const SAME: &[&str] = &[
    "unchanged",
    "unmodified",
    "untouched",
    "unaltered",
    "intact",
    "as-is",
    "same",
    "identical",
    "preserved",
    "remains",
    "remain",
    "stays",
    "stay",
    "kept",
    "keep",
    "continues",
    "continue",
];
/// Two words in a row.
const SAME_PAIRS: &[(&str, &str)] = &[
    ("as", "is"),
    ("as", "before"),
    ("as", "they"),
    ("as", "it"),
    ("no", "change"),
    ("no", "changes"),
    ("not", "changed"),
    ("not", "modified"),
    ("not", "shown"),
    ("goes", "here"),
    ("go", "here"),
];
const OMITTED: &[&str] =
    &["omitted", "elided", "truncated", "snipped", "snip", "abbreviated", "brevity", "collapsed"];
const CODE: &[&str] = &[
    "code",
    "file",
    "function",
    "functions",
    "method",
    "methods",
    "class",
    "classes",
    "implementation",
    "implementations",
    "module",
    "script",
    "component",
    "components",
    "body",
    "imports",
    "logic",
    "program",
];
const THINGS: &[&str] = &[
    "block",
    "content",
    "contents",
    "declarations",
    "definitions",
    "import",
    "line",
    "lines",
    "source",
    "statements",
    "stuff",
    "arguments",
    "attributes",
    "cases",
    "columns",
    "commands",
    "config",
    "configuration",
    "constants",
    "constructor",
    "css",
    "data",
    "dependencies",
    "document",
    "elements",
    "endpoints",
    "entries",
    "enums",
    "fields",
    "handlers",
    "headers",
    "helpers",
    "hooks",
    "html",
    "impl",
    "interfaces",
    "items",
    "json",
    "jsx",
    "keys",
    "markup",
    "models",
    "options",
    "parameters",
    "part",
    "parts",
    "properties",
    "props",
    "queries",
    "routes",
    "rows",
    "rules",
    "schema",
    "section",
    "sections",
    "settings",
    "setup",
    "state",
    "steps",
    "structs",
    "styles",
    "tags",
    "template",
    "test",
    "tests",
    "things",
    "types",
    "values",
    "variables",
];
const FILLERS: &[&str] = &[
    "a",
    "above",
    "after",
    "all",
    "and",
    "are",
    "as",
    "at",
    "be",
    "been",
    "before",
    "below",
    "but",
    "change",
    "changed",
    "changes",
    "current",
    "else",
    "end",
    "exactly",
    "for",
    "from",
    "go",
    "goes",
    "has",
    "have",
    "here",
    "in",
    "is",
    "it",
    "its",
    "just",
    "leave",
    "modified",
    "my",
    "no",
    "not",
    "of",
    "old",
    "on",
    "our",
    "previously",
    "shown",
    "should",
    "still",
    "that",
    "the",
    "they",
    "this",
    "to",
    "until",
    "up",
    "was",
    "were",
    "will",
    "with",
    "would",
    "you",
    "your",
];

/// What these words claim, if marks are made of them.
pub(super) fn claim(words: &[String], may_name: bool) -> Option<Claim> {
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let has_pair = words.windows(2).any(|pair| SAME_PAIRS.contains(&(pair[0].as_str(), pair[1].as_str())));
    let (has_rest, has_others) = (has(REST), has(OTHERS));
    let (is_same, is_omitted) = (has(SAME) || has_pair, has(OMITTED));
    let (has_code, has_things) = (has(CODE), has(THINGS));
    let has_noun = has_code || has_things;
    let strangers = words.iter().filter(|word| !is_known(word)).count();
    let begins = words
        .iter()
        .map(String::as_str)
        .find(|word| !matches!(*word, "the" | "your" | "all" | "keep" | "and"));
    let names =
        may_name && has_noun && begins.is_some_and(|word| REST.contains(&word) || OTHERS.contains(&word));
    if words.len() > WORDS_MAX || strangers > if names { STRANGERS_MAX } else { 0 } {
        return None;
    }
    if is_omitted || (is_same && (has_rest || (has_others && has_noun))) {
        // What exists is as often kept by a program as by a writer.
        let is_rest = has(&["rest", "remaining", "remainder", "everything"]) && !has_things;
        let is_existing = has(&["existing"]) && has(&["code", "implementation", "logic"]);
        let is_brief = is_omitted && (has(&["brevity"]) || has_rest);
        return Some(Claim::Whole { is_code: is_brief || (is_same && (is_rest || is_existing)) });
    }
    if is_same && has_noun && !has(&["same", "identical"]) {
        return Some(Claim::Whole { is_code: false });
    }
    if is_same {
        let is_of_before =
            has(&["before", "original", "previously", "unchanged", "unmodified", "untouched", "as-is"])
                || has_pair;
        return (is_of_before && !has(&["above"])).then_some(Claim::Same);
    }
    if has_rest || (has_others && has_noun) {
        return Some(Claim::Part { is_code: has_rest && has_code });
    }
    if is_count(words) {
        return Some(Claim::Part { is_code: true });
    }
    has_noun.then_some(Claim::Noun)
}

/// `30 lines`, `lines 20-40`.
fn is_count(words: &[String]) -> bool {
    words.len() <= 3 && words.iter().any(|word| word == "lines") && words.iter().any(|word| is_number(word))
}

fn is_known(word: &str) -> bool {
    let lists = [REST, OTHERS, SAME, OMITTED, CODE, THINGS, FILLERS];
    is_number(word) || lists.iter().any(|list| list.contains(&word))
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '–'))
}
