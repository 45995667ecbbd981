//! Which server answers at an address, told by what it answers to the questions only some servers know.
//!
//! An answer that is no error proves nothing: LM Studio answers every unknown path with status 200 and an error object. So
//! a server is recognised by what stands in its answers.

use serde_json::Value;

use super::listing::{llamacpp, lmstudio, ollama, openai, vllm};
use super::{Model, ServerKind};

/// What one address answered, as far as it was JSON.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    /// `/api/version`, `/api/tags` and `/api/ps`: Ollama.
    pub version: Option<Value>,
    pub tags: Option<Value>,
    pub running: Option<Value>,
    /// `/props`: llama.cpp.
    pub props: Option<Value>,
    /// `/api/v0/models`: LM Studio.
    pub studio: Option<Value>,
    /// `/v1/models`: everybody.
    pub models: Option<Value>,
}

impl Answers {
    /// What runs there, and its models; `guess` names what lists models and tells nothing of itself. None is no model
    /// server.
    pub fn recognise(&self, guess: ServerKind) -> Option<(ServerKind, Vec<Model>)> {
        let has = |value: &Option<Value>, key: &str| {
            value.as_ref().and_then(|value| value.get(key)).is_some_and(|found| !found.is_null())
        };
        let nothing = Value::Null;
        let or_nothing = |value| Option::as_ref(value).unwrap_or(&nothing);
        if has(&self.version, "version") && has(&self.tags, "models") {
            return Some((ServerKind::Ollama, ollama(or_nothing(&self.tags), or_nothing(&self.running))));
        }
        if let Some(studio) = self.studio.as_ref().filter(|studio| is_list(studio, "data")) {
            return Some((ServerKind::LmStudio, lmstudio(studio)));
        }
        let models = self.models.as_ref().filter(|models| models.is_object())?;
        if has(&self.props, "default_generation_settings") || is_owned_by(models, "llamacpp") {
            return Some((ServerKind::LlamaCpp, llamacpp(models, or_nothing(&self.props))));
        }
        if !is_list(models, "data") && !is_list(models, "models") {
            return None;
        }
        let is_vllm = is_owned_by(models, "vllm");
        Some(if is_vllm { (ServerKind::Vllm, vllm(models)) } else { (guess, openai(models)) })
    }

    /// Its models, where the user says what runs there. None is no such server.
    pub fn listed_as(&self, kind: ServerKind) -> Option<Vec<Model>> {
        let nothing = Value::Null;
        let models =
            self.models.as_ref().filter(|models| is_list(models, "data") || is_list(models, "models"));
        match kind {
            ServerKind::Ollama => {
                let tags = self.tags.as_ref().filter(|tags| is_list(tags, "models"))?;
                Some(ollama(tags, self.running.as_ref().unwrap_or(&nothing)))
            }
            ServerKind::LmStudio => {
                let studio = self.studio.as_ref().filter(|studio| is_list(studio, "data"));
                studio.map(lmstudio).or_else(|| models.map(openai))
            }
            ServerKind::LlamaCpp => {
                models.map(|models| llamacpp(models, self.props.as_ref().unwrap_or(&nothing)))
            }
            ServerKind::Vllm => models.map(vllm),
            ServerKind::OpenAi => models.map(openai),
        }
    }

    /// Whether its list is open to all, and the rest is not: llama.cpp shows its models without a key.
    pub fn is_llamacpp_listed(&self) -> bool {
        self.models.as_ref().is_some_and(|models| is_owned_by(models, "llamacpp"))
    }
}

fn is_list(value: &Value, key: &str) -> bool {
    value.get(key).is_some_and(Value::is_array)
}

/// Whether a model of `/v1/models` names this owner.
fn is_owned_by(models: &Value, owner: &str) -> bool {
    let entries = models.get("data").and_then(Value::as_array);
    entries.into_iter().flatten().any(|entry| entry.get("owned_by").and_then(Value::as_str) == Some(owner))
}
