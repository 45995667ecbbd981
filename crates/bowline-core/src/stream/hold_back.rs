//! Holds back the part of a streaming text that may turn out to be a call.
//!
//! A call that a model writes into its text is lifted out when the answer is whole; until then the reader would see JSON
//! that disappears a moment later. So the text is held from the first line on that begins like a call, unless prose
//! follows it.

const FENCE: &str = "```";
const MARKS: [&str; 5] = ["<tool_call>", "<function=", "[TOOL_CALLS]", "<|channel|>", "<|start|>"];

/// The beginning of `text` that can be shown.
pub(super) fn shown(text: &str) -> &str {
    let mut from = 0;
    while let Some(line) = text.get(from..).filter(|rest| !rest.is_empty()) {
        let next = line.find('\n').map(|at| from + at + 1);
        if let Some(end) = fence_end(line) {
            // Prose may follow a fence: then it was no call.
            match line.get(end..) {
                Some(after) if !after.trim().is_empty() => from += end,
                _ => return text.get(..from).unwrap_or_default(),
            }
        } else if is_call(line, next.is_none()) {
            return text.get(..from).unwrap_or_default();
        } else {
            match next {
                Some(next) => from = next,
                None => break,
            }
        }
    }
    text
}

/// Where a fence that may hold a call ends; the end of the text where it is still open.
fn fence_end(line: &str) -> Option<usize> {
    let body = line.trim_start_matches([' ', '\t']).strip_prefix(FENCE)?;
    let (language, inner) = body.split_once('\n').unwrap_or((body, ""));
    let is_open = !body.contains('\n');
    let language = language.trim().to_lowercase();
    let names = ["json", "tool_call", "tool_code", "tool", ""];
    let may_be_call = if is_open {
        names.iter().any(|name| name.starts_with(&language))
    } else {
        names.contains(&language.as_str())
            && (inner.trim().is_empty() || inner.trim_start().starts_with(['{', '[']))
    };
    may_be_call.then(|| match inner.find(FENCE) {
        Some(at) => line.len() - inner.len() + at + FENCE.len(),
        None => line.len(),
    })
}

/// Whether a line begins a call that has no fence. `is_last`: more of it may come.
fn is_call(line: &str, is_last: bool) -> bool {
    let line = line.trim_start_matches([' ', '\t']);
    let begins =
        |mark: &&str| line.starts_with(*mark) || (is_last && mark.starts_with(line) && !line.is_empty());
    line.starts_with(['{', '[']) && is_json_start(line)
        || MARKS.iter().any(begins)
        || (is_last && begins(&FENCE))
}

/// `{"`, `[{`, or what may still become one.
fn is_json_start(line: &str) -> bool {
    let rest = line.get(1..).unwrap_or_default().trim_start();
    rest.is_empty() || rest.starts_with(['"', '\'', '{'])
}
