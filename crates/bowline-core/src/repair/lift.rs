//! Calls written into the text, lifted out: small models know what they want to call and not how.
//!
//! Forms: `<tool_call>{…}</tool_call>`, `<function=…><parameter=…>`, `[TOOL_CALLS]`, harmony channels, a fenced or bare JSON
//! object that is plainly a call, a list of them. Only where it is the last thing in the message, and the session has a
//! tool of that name: prose about a call stays prose.

mod json;
mod tags;

use crate::tools::ToolSpec;

/// What was found at the end of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Lifted {
    /// What stands before the calls.
    pub text: String,
    /// Name and arguments as the model wrote them.
    pub calls: Vec<(String, String)>,
}

/// Where the calls begin, and what they are.
type Found = (usize, Vec<(String, String)>);

/// Where in the text calls may begin: a text that has more beginnings than this is no call.
const STARTS_MAX: usize = 16;

/// The calls a text ends with, if every one of them names a tool of the session.
pub fn lift(text: &str, specs: &[ToolSpec]) -> Option<Lifted> {
    let text = text.trim_end();
    let forms: [fn(&str) -> Option<Found>; 5] =
        [tags::tool_calls, tags::functions, tags::mistral, tags::harmony, json::fenced_or_bare];
    let (start, calls) = forms.iter().find_map(|form| form(text))?;
    let is_known = |(name, _): &(String, String)| super::name::known(name, specs).is_some();
    if calls.is_empty() || !calls.iter().all(is_known) {
        return None;
    }
    Some(Lifted { text: text.get(..start)?.trim_end().to_owned(), calls })
}

/// The places where `mark` stands, the first ones.
fn starts<'a>(text: &'a str, mark: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(mark).map(|(at, _)| at).take(STARTS_MAX)
}
