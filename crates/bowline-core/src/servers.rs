//! Model servers as they describe themselves, and which of their models is used.
//!
//! This reads listings and picks; asking for them is the host's. A window is what a server has *allocated*, never what a
//! model was trained for.

mod listing;
mod pick;
mod recognise;
mod size;

pub use listing::{
    is_router, llamacpp, llamacpp_tools, llamacpp_window, lmstudio, ollama, ollama_allocated, ollama_shown,
    openai, vllm,
};
pub use pick::{NoPick, Pick, Wanted, pick};
pub use recognise::Answers;
pub use size::{parameters_in_name, parameters_in_words};

use serde_json::Value;

use crate::limits::{SMALL_PARAMETERS_MAX, WINDOW_ASKED_MAX, WINDOW_UNKNOWN};
use crate::mode::Size;
use crate::sampling::of_family;
use crate::thinking::{Thinking, ThinkingField};
use crate::turn::Life;
use crate::window::reserve;
use crate::wire::{Dialect, Protocol};

/// What runs there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerKind {
    Ollama,
    LlamaCpp,
    LmStudio,
    Vllm,
    /// Anything else that speaks chat completions.
    OpenAi,
}

impl ServerKind {
    pub const ALL: [ServerKind; 5] = [
        ServerKind::Ollama,
        ServerKind::LlamaCpp,
        ServerKind::LmStudio,
        ServerKind::Vllm,
        ServerKind::OpenAi,
    ];

    /// The word before the slash in a model's full name.
    pub fn word(self) -> &'static str {
        match self {
            ServerKind::Ollama => "ollama",
            ServerKind::LlamaCpp => "llamacpp",
            ServerKind::LmStudio => "lmstudio",
            ServerKind::Vllm => "vllm",
            ServerKind::OpenAi => "openai",
        }
    }

    /// Where a silent server is asked whether it still works, below its root.
    pub fn life_path(self) -> &'static str {
        match self {
            ServerKind::LlamaCpp => "/slots",
            ServerKind::Ollama => "/api/ps",
            _ => "/v1/models",
        }
    }

    /// What it answered. Only a slot that is working counts as work; a healthy server whose slot is idle has lost us.
    pub fn life(self, answer: &Value) -> Life {
        let list = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
        let is_working = match self {
            ServerKind::LlamaCpp => list(Some(answer))
                .iter()
                .any(|slot| slot.get("is_processing").and_then(Value::as_bool) == Some(true)),
            // A model stays loaded while it works, and for its keep-alive after: the best this server tells.
            ServerKind::Ollama => !list(answer.get("models")).is_empty(),
            _ => false,
        };
        if is_working { Life::Working } else { Life::Idle }
    }

    pub fn protocol(self) -> Protocol {
        if self == ServerKind::Ollama { Protocol::Ollama } else { Protocol::OpenAi }
    }

    /// How a model of this server is spoken to, with the sampling its makers recommend.
    pub fn dialect(self, model: &str, window: i64) -> Dialect {
        let sampling = of_family(model);
        Dialect {
            protocol: self.protocol(),
            model: model.to_owned(),
            window,
            reserve: reserve(window),
            tells_progress: self == ServerKind::LlamaCpp,
            thinking: Thinking::Auto,
            thinking_field: match self {
                ServerKind::Ollama => ThinkingField::Think,
                ServerKind::LlamaCpp | ServerKind::Vllm => ThinkingField::Template,
                ServerKind::LmStudio | ServerKind::OpenAi => ThinkingField::Effort,
            },
            sampling: if self == ServerKind::OpenAi { sampling.plain() } else { sampling },
            temperature_set: None,
            slot: None,
        }
    }
}

/// A server that answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Server {
    pub kind: ServerKind,
    /// What the user calls it; else its kind says what it is called.
    pub name: Option<String>,
    /// Below which chat requests go: `http://127.0.0.1:8080/v1`, for Ollama its root.
    pub base_url: String,
    pub models: Vec<Model>,
}

/// A model of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    pub name: String,
    /// Tokens allocated, where the server tells.
    pub window: Option<i64>,
    /// Tokens it can be given at most, where the server tells.
    pub window_max: Option<i64>,
    pub is_loaded: bool,
    /// 0 where the server does not tell.
    pub bytes: i64,
    /// How many parameters it has, all experts of a mixture counted: what the server tells, else what the name says.
    pub parameters: Option<i64>,
    pub use_for: UseFor,
    pub runs: Runs,
    pub tools: Tools,
    /// Requests the server can work on side by side, where it tells.
    pub slots: Option<i64>,
}

/// What a server says about a model's template and tools. That it has some is not believed before it was seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tools {
    #[default]
    Maybe,
    No,
}

/// Whether a model can hold a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UseFor {
    Chat,
    Embedding,
}

/// Where a model runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    Here,
    /// A model the server only passes on to somebody else's machine.
    Elsewhere,
}

impl Model {
    /// One of which nothing but the name is known.
    pub fn unlisted(name: &str) -> Model {
        Model {
            name: name.to_owned(),
            window: None,
            window_max: None,
            is_loaded: false,
            bytes: 0,
            parameters: parameters_in_name(name),
            use_for: UseFor::Chat,
            runs: Runs::Here,
            tools: Tools::Maybe,
            slots: None,
        }
    }

    pub fn size(&self) -> Size {
        match self.parameters {
            Some(parameters) if parameters < SMALL_PARAMETERS_MAX => Size::Small,
            _ => Size::LargeOrUnknown,
        }
    }
}

impl Server {
    /// The word before the slash in its models' full names.
    pub fn word(&self) -> &str {
        self.name.as_deref().unwrap_or(self.kind.word())
    }

    /// `server/name`, as the user writes it.
    pub fn full_name(&self, model: &Model) -> String {
        format!("{}/{}", self.word(), model.name)
    }

    /// The window to work with, where it is known. Ollama allocates what it is asked for; every other server has what
    /// it has.
    pub fn window(&self, model: &Model) -> Option<i64> {
        if self.kind == ServerKind::Ollama {
            return Some(model.window_max.unwrap_or(WINDOW_ASKED_MAX).min(WINDOW_ASKED_MAX));
        }
        // Not allocated yet, it can still be too little to assume more.
        model.window.or_else(|| model.window_max.filter(|most| *most < WINDOW_UNKNOWN))
    }
}
