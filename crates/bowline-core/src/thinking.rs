//! How much a model is to think before it answers, and how that is said to its server.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The setting.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Thinking {
    /// As the model does by itself: nothing is sent.
    #[default]
    Auto,
    Off,
    Low,
    High,
}

/// Where a server takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThinkingField {
    /// Ollama's `think`.
    Think,
    /// Arguments of the chat template (llama.cpp, vLLM).
    Template,
    /// `reasoning_effort` alone: any other server, which may refuse what it does not know.
    Effort,
}

impl Thinking {
    pub const ALL: [Thinking; 4] = [Thinking::Auto, Thinking::Off, Thinking::Low, Thinking::High];

    pub fn word(self) -> &'static str {
        match self {
            Thinking::Auto => "auto",
            Thinking::Off => "off",
            Thinking::Low => "low",
            Thinking::High => "high",
        }
    }

    /// The setting of this word.
    pub fn of(word: &str) -> Option<Thinking> {
        Thinking::ALL.into_iter().find(|thinking| thinking.word() == word)
    }

    /// What a request carries for it.
    pub(crate) fn say(self, field: ThinkingField, model: &str, fields: &mut Map<String, Value>) {
        // It can't be told not to think, only to think little.
        let is_graded = model.to_lowercase().contains("gpt-oss");
        let effort = match (self, is_graded) {
            (Thinking::Auto, _) => return,
            (Thinking::Off, false) => None,
            (Thinking::Off, true) | (Thinking::Low, _) => Some("low"),
            (Thinking::High, _) => Some("high"),
        };
        match field {
            ThinkingField::Think => {
                let value = match effort {
                    Some(effort) if is_graded => json!(effort),
                    effort => json!(effort.is_some()),
                };
                fields.insert("think".to_owned(), value);
            }
            ThinkingField::Template => {
                let mut arguments = Map::new();
                if !is_graded {
                    arguments.insert("enable_thinking".to_owned(), effort.is_some().into());
                }
                if let Some(effort) = effort {
                    arguments.insert("reasoning_effort".to_owned(), effort.into());
                }
                fields.insert("chat_template_kwargs".to_owned(), Value::Object(arguments));
            }
            ThinkingField::Effort => {
                if let Some(effort) = effort {
                    fields.insert("reasoning_effort".to_owned(), effort.into());
                }
            }
        }
    }
}
