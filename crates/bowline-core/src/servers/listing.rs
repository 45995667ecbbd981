//! The listings of llama.cpp, Ollama and everything that speaks OpenAI's `/v1/models`, read leniently.

use serde_json::Value;

use super::{Model, Runs, UseFor};

/// `/v1/models`; vLLM tells its window there.
pub fn openai(models: &Value) -> Vec<Model> {
    let list = models.get("data").or_else(|| models.get("models")).and_then(Value::as_array);
    let model = |entry: &Value| {
        let name = entry.get("id").or_else(|| entry.get("name")).and_then(Value::as_str)?;
        Some(Model { window: count(entry.get("max_model_len")), ..named(name) })
    };
    list.into_iter().flatten().filter_map(model).collect()
}

/// `/v1/models` with `/props`: the window of one slot.
pub fn llamacpp(models: &Value, props: &Value) -> Vec<Model> {
    let settings = props.get("default_generation_settings");
    let window = count(settings.and_then(|settings| settings.get("n_ctx")));
    let mut list = openai(models);
    for model in &mut list {
        model.window = window;
        model.is_loaded = true;
    }
    list
}

/// `/api/tags` with `/api/ps`.
pub fn ollama(tags: &Value, running: &Value) -> Vec<Model> {
    let entries = |value: &Value| value.get("models").and_then(Value::as_array).cloned().unwrap_or_default();
    let running = entries(running);
    let model = |entry: &Value| {
        let name = entry.get("name").or_else(|| entry.get("model")).and_then(Value::as_str)?;
        let loaded = running.iter().find(|other| other.get("name").and_then(Value::as_str) == Some(name));
        let is_remote =
            entry.get("remote_host").is_some_and(|host| host.as_str().is_some_and(|h| !h.is_empty()));
        let mut model = named(name);
        model.window = count(loaded.and_then(|loaded| loaded.get("context_length")));
        model.is_loaded = loaded.is_some();
        model.bytes = count(entry.get("size")).unwrap_or(0);
        if is_remote {
            model.runs = Runs::Elsewhere;
        }
        let family = entry.get("details").and_then(|details| details.get("family")).and_then(Value::as_str);
        if family.is_some_and(|family| family.contains("bert")) {
            model.use_for = UseFor::Embedding;
        }
        Some(model)
    };
    entries(tags).iter().filter_map(model).collect()
}

/// `/api/show`: the most a model can be given.
pub fn ollama_window_max(show: &Value) -> Option<i64> {
    let info = show.get("model_info")?.as_object()?;
    info.iter().find(|(key, _)| key.ends_with(".context_length")).and_then(|(_, value)| count(Some(value)))
}

fn named(name: &str) -> Model {
    let lower = name.to_lowercase();
    let is_embedding = ["embed", "rerank", "bge-", "minilm"].iter().any(|mark| lower.contains(mark));
    let is_cloud = lower.ends_with(":cloud") || lower.ends_with("-cloud");
    Model {
        name: name.to_owned(),
        window: None,
        is_loaded: false,
        bytes: 0,
        use_for: if is_embedding { UseFor::Embedding } else { UseFor::Chat },
        runs: if is_cloud { Runs::Elsewhere } else { Runs::Here },
    }
}

fn count(value: Option<&Value>) -> Option<i64> {
    value.and_then(Value::as_i64).filter(|count| *count > 0)
}
