//! Repairs and validates a call as the model wrote it. A call that can't be run is answered here, with an explanation that
//! helps the model to do better. Whether a valid call is permitted is decided later, by the rules.

use serde_json::{Value, json};

use super::Machine;
use super::calls::Open;
use crate::entry::Access;
use crate::item::{Call, Item, ItemStatus};
use crate::limits::{CALLS_PER_STEP_MAX, NAME_CHARS_MAX, QUOTE_CHARS_MAX};
use crate::mode::Mode;
use crate::outcome::Outcome;
use crate::repair::{Repaired, repair};
use crate::stream::{Origin, RawCall};
use crate::tool_output::ToolOutput;
use crate::tools::{self, ToolCall, ToolSpec};

/// The notes on a call that a model with native calls wrote into its text, and on one that its server could not read.
pub(super) const WRITTEN_AS_TEXT: &str = "it was written as text";
pub(super) const UNREADABLE_FOR_SERVER: &str = "the server could not read it";

impl Machine {
    /// Repairs and validates a call. The second value is the answer to a call that can't be run.
    pub(super) fn open_call(
        &mut self,
        raw: &RawCall,
        is_cut: bool,
        n: usize,
        now: i64,
    ) -> (Open, Option<ToolOutput>) {
        let Repaired { tool, arguments, repairs, note, refused } = self.repair_call(raw, is_cut);
        let validated = match refused {
            Some(why) => Err(self.rejected(&tool, &why)),
            None => self.validate_call(raw, &tool, arguments.as_ref(), n, is_cut),
        };
        let (call, refused) = match validated {
            Ok(call) => (Some(call), None),
            Err(output) => (None, Some(self.with_example_if_repeated(&tool, output, is_cut))),
        };
        let is_rejected = refused.as_ref().is_some_and(|output| output.outcome == Outcome::SchemaReject);
        self.last_rejected = is_rejected.then(|| tool.clone());
        let arguments = arguments.unwrap_or_else(|| json!({}));
        let own_text = if raw.arguments.trim().is_empty() { "{}" } else { raw.arguments.as_str() };
        let compact = arguments.to_string();
        let item = Item {
            id: self.ids.item(),
            message: self.message.clone(),
            kind: tools::kind(&tool),
            status: ItemStatus::Running,
            title: call.as_ref().map_or_else(|| raw.name.clone(), ToolCall::title),
            text: String::new(),
            field: None,
            call: Some(Call {
                tool: plain_name(&tool),
                arguments,
                raw: (compact != own_text).then(|| own_text.to_owned()),
                repairs,
            }),
            result: None,
        };
        (Open::new(item, call, note, now), refused)
    }

    /// If the same schema was rejected twice in a row, replaces the explanation with an example.
    fn with_example_if_repeated(&self, tool: &str, output: ToolOutput, is_cut: bool) -> ToolOutput {
        let is_again = output.outcome == Outcome::SchemaReject && self.last_rejected.as_deref() == Some(tool);
        let spec = self.conversation.payload().offered_tools().into_iter().find(|spec| spec.name == tool);
        match (is_again && !is_cut, &spec, tools::example(tool)) {
            (true, Some(spec), Some(example)) => {
                let example = match self.conversation.payload().mode {
                    Mode::Native => example.to_owned(),
                    Mode::Text | Mode::Constrained => {
                        format!("{{\"name\": \"{tool}\", \"arguments\": {example}}}")
                    }
                };
                let text = format!("{tool}\n{}\nExample: {example}", self.schema(spec));
                ToolOutput::new(Outcome::SchemaReject, text)
            }
            _ => output,
        }
    }

    /// Repairs a call, unless the length limit cut it off: the missing rest would be a guess.
    fn repair_call(&self, raw: &RawCall, is_cut: bool) -> Repaired {
        if is_cut && !raw.is_complete() {
            return Repaired { tool: raw.name.clone(), ..Repaired::default() };
        }
        let mut repaired = repair(&raw.name, &raw.arguments, &self.conversation.payload().offered_tools());
        let mode = self.conversation.payload().mode;
        match raw.origin {
            Origin::Text if mode == Mode::Native => repaired.repairs.insert(0, WRITTEN_AS_TEXT.to_owned()),
            Origin::Unread => repaired.repairs.insert(0, UNREADABLE_FOR_SERVER.to_owned()),
            Origin::Text | Origin::Wire => {}
        }
        repaired
    }

    fn validate_call(
        &self,
        raw: &RawCall,
        tool: &str,
        arguments: Option<&Value>,
        n: usize,
        is_cut: bool,
    ) -> Result<ToolCall, ToolOutput> {
        let specs = self.conversation.payload().offered_tools();
        let Some(spec) = specs.iter().find(|spec| spec.name == tool) else {
            if raw.origin == Origin::Unread {
                let text = format!(
                    "The call could not be read. Given: {}\nWrite it again, with its arguments as one JSON object.",
                    quote(&raw.arguments)
                );
                return Err(ToolOutput::new(Outcome::SchemaReject, text));
            }
            return Err(ToolOutput::new(Outcome::ToolNotFound, self.unknown_tool(&raw.name)));
        };
        if n >= CALLS_PER_STEP_MAX {
            let text = format!("Not run: at most {CALLS_PER_STEP_MAX} calls at once. Ask again.");
            return Err(ToolOutput::new(Outcome::ExecError, text));
        }
        let Some(arguments) = arguments else {
            let what = if is_cut {
                "Cut off by the length limit: write it in smaller pieces".to_owned()
            } else {
                format!("{tool}: the arguments must be a JSON object")
            };
            let text = format!("{what}. Given: {}\n{}", quote(&raw.arguments), self.schema(spec));
            return Err(ToolOutput::new(Outcome::SchemaReject, text));
        };
        let call = match tools::parse(tool, arguments) {
            None => return Err(ToolOutput::new(Outcome::ToolNotFound, self.unknown_tool(&raw.name))),
            Some(Err(rejected)) => return Err(self.rejected(tool, &rejected.0)),
            Some(Ok(call)) => call,
        };
        if self.setup.access == Access::ReadOnly && tools::effect(tool) == tools::Effect::Writes {
            let text = format!("Refused: this turn is read-only, {tool} is not allowed in it.");
            return Err(ToolOutput::new(Outcome::PermissionDenied, text));
        }
        Ok(call)
    }

    /// Says why the arguments do not fit, and shows the schema.
    fn rejected(&self, tool: &str, why: &str) -> ToolOutput {
        let spec = self.conversation.payload().tools.iter().find(|spec| spec.name == tool);
        let schema = spec.map_or(String::new(), |spec| format!("\n{}", self.schema(spec)));
        ToolOutput::new(Outcome::SchemaReject, format!("{why}{schema}"))
    }

    /// The schema in the form the model knows it in.
    fn schema(&self, spec: &ToolSpec) -> String {
        match self.conversation.payload().mode {
            Mode::Native => format!("Schema: {}", spec.parameters),
            Mode::Text | Mode::Constrained => format!("Due: {}", spec.brief()),
        }
    }

    fn unknown_tool(&self, name: &str) -> String {
        let specs = self.conversation.payload().offered_tools();
        let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
        let near = |known: &&&str| strsim::normalized_damerau_levenshtein(known, name) >= 0.7;
        let nearest = names.iter().filter(near).max_by(|a, b| {
            let score = |known: &str| strsim::normalized_damerau_levenshtein(known, name);
            score(a).total_cmp(&score(b))
        });
        let nearest = nearest.map_or(String::new(), |known| format!(" Did you mean {known}?"));
        format!("There is no tool {}.{nearest} Tools: {}.", quote(name), names.join(", "))
    }
}

/// A tool name that every server accepts: any other would make each later request fail.
fn plain_name(name: &str) -> String {
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let plain: String = name.chars().filter(is_plain).take(NAME_CHARS_MAX).collect();
    if plain.is_empty() { "unknown".to_owned() } else { plain }
}

fn quote(text: &str) -> String {
    let start: String = text.chars().take(QUOTE_CHARS_MAX).collect();
    let more = if start.len() < text.len() { "…" } else { "" };
    format!("{start:?}{more}")
}
