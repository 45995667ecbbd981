//! One line of `--jsonl`: an edit, or what is wrong with it. What is not known is refused and not passed over, so that a
//! misspelt field cannot change what an edit means.

use bowline_edit::{Edit, Mode};
use serde_json::{Map, Value};

const FIELDS: [&str; 7] = ["id", "content", "path", "old", "new", "replace_all", "mode"];
const FORM: &str = r#"{"id"?, "content" | "path", "old", "new", "replace_all"?, "mode"?}"#;

/// What a line asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Request {
    pub(super) target: Target,
    old: String,
    new: String,
    is_all: bool,
    /// None where the line does not say.
    pub(super) mode: Option<Mode>,
}

/// What is edited.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Target {
    /// This text, and no file.
    Content(String),
    Path(String),
}

impl Request {
    pub(super) fn edit(&self) -> Edit<'_> {
        if self.is_all { Edit::all(&self.old, &self.new) } else { Edit::one(&self.old, &self.new) }
    }
}

/// The line's id, as far as there is one, and what it asks for or why it can't be read.
pub(super) fn read(line: &[u8]) -> (Option<Value>, Result<Request, String>) {
    match serde_json::from_slice(line) {
        Ok(Value::Object(mut fields)) => {
            let id = fields.remove("id");
            (id, request(fields).map_err(|wrong| format!("{wrong} A line is {FORM}.")))
        }
        Ok(_) => (None, Err(format!("the line is not a JSON object. A line is {FORM}."))),
        Err(error) => (None, Err(format!("the line is not JSON: {error}. A line is {FORM}."))),
    }
}

fn request(mut fields: Map<String, Value>) -> Result<Request, String> {
    if let Some(unknown) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        return Err(format!("there is no field {unknown:?}."));
    }
    // A program that has no value for a field says null.
    fields.retain(|_, value| !value.is_null());
    let target = match (text(&mut fields, "content")?, text(&mut fields, "path")?) {
        (Some(content), None) => Target::Content(content),
        (None, Some(path)) => Target::Path(path),
        (Some(_), Some(_)) => {
            return Err("it has both `content` and `path`: only one can be edited.".to_owned());
        }
        (None, None) => return Err("neither `content` nor `path` says what to edit.".to_owned()),
    };
    let old = text(&mut fields, "old")?.ok_or("`old` is missing.")?;
    let new = text(&mut fields, "new")?.ok_or("`new` is missing.")?;
    let is_all = match fields.get("replace_all") {
        None => false,
        Some(Value::Bool(is_all)) => *is_all,
        Some(_) => return Err("`replace_all` is neither true nor false.".to_owned()),
    };
    let mode = match text(&mut fields, "mode")?.as_deref() {
        None => None,
        Some("exact") => Some(Mode::Exact),
        Some("careful") => Some(Mode::Careful),
        Some("lenient") => Some(Mode::Lenient),
        Some(other) => return Err(format!("there is no mode {other:?}: exact, careful or lenient.")),
    };
    Ok(Request { target, old, new, is_all, mode })
}

fn text(fields: &mut Map<String, Value>, name: &str) -> Result<Option<String>, String> {
    match fields.remove(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(format!("`{name}` is not a text.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_an_edit() {
        let (id, request) = read(br#"{"id":[1],"content":"a","old":"b","new":"c","replace_all":true}"#);
        assert_eq!(id, Some(serde_json::json!([1])));
        let (old, new) = ("b".to_owned(), "c".to_owned());
        let target = Target::Content("a".to_owned());
        assert_eq!(request, Ok(Request { target, old, new, is_all: true, mode: None }));
        let (id, request) =
            read(br#"{"path":"a","content":null,"old":"b","new":"","mode":"lenient","replace_all":null}"#);
        assert_eq!(id, None);
        assert!(request.is_ok_and(|request| request.mode == Some(Mode::Lenient) && !request.is_all));
    }

    #[test]
    fn what_is_wrong_is_said_and_the_id_kept() {
        let cases = [
            ("{", "not JSON"),
            ("7", "not a JSON object"),
            ("\"\u{e9}", "not JSON"),
            (r#"{"old":"a","new":"b"}"#, "neither `content` nor `path`"),
            (r#"{"old":"a","new":"b","path":"a","content":"a"}"#, "both `content` and `path`"),
            (r#"{"content":"a","new":"b"}"#, "`old` is missing"),
            (r#"{"content":"a","old":"b"}"#, "`new` is missing"),
            (r#"{"content":"a","old":"b","new":7}"#, "`new` is not a text"),
            (r#"{"content":"a","old":"b","new":"c","fuzzy":true}"#, "no field \"fuzzy\""),
            (r#"{"content":"a","old":"b","new":"c","mode":"wild"}"#, "no mode \"wild\""),
            (r#"{"content":"a","old":"b","new":"c","replace_all":"yes"}"#, "`replace_all` is neither"),
        ];
        for (line, words) in cases {
            let wrong = read(line.as_bytes()).1.expect_err(line);
            assert!(wrong.contains(words) && wrong.contains("A line is {"), "{line}: {wrong}");
        }
        assert!(read(b"{\"id\":\xff}").1.is_err());
        assert_eq!(read(br#"{"id":"x","nonsense":1}"#).0, Some("x".into()));
    }
}
