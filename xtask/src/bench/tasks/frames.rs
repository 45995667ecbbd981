//! What the events of `bowline run --json` say about a run: how often the model was asked, what it read and wrote, and the
//! answer. A line that is not understood is passed over, so that older and newer programs can be measured, too.

use serde_json::Value;

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Figures {
    /// How often the model was asked.
    pub(crate) calls: u64,
    /// Prompt tokens that the server had not read before.
    pub(crate) read_anew: u64,
    /// Prompt tokens that the server had cached.
    pub(crate) cached: u64,
    /// Tokens that the model wrote.
    pub(crate) written: u64,
    /// The calling mode at the end.
    pub(crate) mode: String,
    pub(crate) session: Option<String>,
    pub(crate) answer: String,
}

impl Figures {
    pub(crate) fn of(frames: &str) -> Self {
        let mut figures = Self::default();
        let objects = frames.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        for frame in objects {
            figures.add(&frame);
        }
        figures
    }

    fn add(&mut self, frame: &Value) {
        let word = |name: &str| frame.get(name).and_then(Value::as_str).map(str::to_owned);
        if let Some(session) = word("session") {
            self.session = Some(session);
        }
        match frame.get("type").and_then(Value::as_str).unwrap_or_default() {
            "session.started" | "session.updated" => {
                if let Some(mode) = word("mode") {
                    self.mode = mode;
                }
            }
            "step.started" => self.calls += 1,
            "step.completed" => {
                let tokens = |name: &str| frame["usage"][name].as_u64().unwrap_or_default();
                self.read_anew += tokens("prompt_new");
                self.cached += tokens("prompt_cached");
                self.written += tokens("output");
            }
            "turn.completed" | "turn.paused" | "turn.failed" => {
                self.answer = word("text").unwrap_or_default();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_counted_and_their_usage_is_added_up() {
        let frames = r#"{"type":"session.started","session":"01ab","mode":"native"}
not a frame
{"type":"step.started","session":"01ab","step":1}
{"type":"step.completed","session":"01ab","usage":{"prompt_new":100,"prompt_cached":5,"output":20}}
{"type":"session.updated","session":"01ab","mode":"text"}
{"type":"session.updated","session":"01ab","title":"A title"}
{"type":"step.started","session":"01ab","step":2}
{"type":"step.completed","session":"01ab","usage":{"prompt_new":30,"prompt_cached":120,"output":7}}
{"type":"step.started","session":"01ab","step":3}
{"type":"turn.paused","session":"01ab","text":"Half of it."}"#;
        let expected = Figures {
            calls: 3,
            read_anew: 130,
            cached: 125,
            written: 27,
            mode: "text".to_owned(),
            session: Some("01ab".to_owned()),
            answer: "Half of it.".to_owned(),
        };
        assert_eq!(Figures::of(frames), expected);
        assert_eq!(Figures::of(""), Figures::default());
    }
}
