//! The listings of Ollama, llama.cpp, LM Studio, vLLM and everything that speaks OpenAI's `/v1/models`, read leniently.

use serde_json::Value;

use super::{Model, Runs, Tools, UseFor, parameters_in_name, parameters_in_words};
use crate::turn::Allocated;

/// `/v1/models`. vLLM tells its window there, llama.cpp the size of the file and the number of parameters. Where the user has
/// given the model a name of its own, vLLM still tells the name it was published under.
pub fn openai(models: &Value) -> Vec<Model> {
    let list = models.get("data").or_else(|| models.get("models"));
    let model = |entry: &Value| {
        let name = entry.get("id").or_else(|| entry.get("name")).and_then(Value::as_str)?;
        let in_meta = |key: &str| entry.get("meta").and_then(|meta| count(meta.get(key)));
        let published = || ["root", "parent"].iter().find_map(|key| parameters_in_name(text(entry, key)?));
        let model = named(name);
        Some(Model {
            window: count(entry.get("max_model_len")),
            bytes: in_meta("size").unwrap_or(0),
            parameters: in_meta("n_params").or(model.parameters).or_else(published),
            ..model
        })
    };
    list.and_then(Value::as_array).into_iter().flatten().filter_map(model).collect()
}

/// `/v1/models` of a server that has in memory what it lists.
pub fn vllm(models: &Value) -> Vec<Model> {
    openai(models).into_iter().map(|model| Model { is_loaded: true, ..model }).collect()
}

/// `/v1/models` with `/props`: the window of one slot. A router's models tell their state, and their windows one by one:
/// see [`llamacpp_window`].
pub fn llamacpp(models: &Value, props: &Value) -> Vec<Model> {
    let window = llamacpp_window(props);
    let entries = models.get("data").and_then(Value::as_array);
    let status = |name: &str| {
        let entry = entries?.iter().find(|entry| text(entry, "id") == Some(name))?;
        text(entry.get("status")?, "value")
    };
    let mut list = openai(models);
    list.retain(|model| status(&model.name) != Some("downloading"));
    for model in &mut list {
        model.is_loaded = status(&model.name).is_none_or(|status| status == "loaded");
        model.window = window;
        model.tools = llamacpp_tools(props);
        model.slots = count(props.get("total_slots"));
    }
    list
}

/// `/props`: whether the model's template has a place for tools. A server without one drops them in silence.
pub fn llamacpp_tools(props: &Value) -> Tools {
    let told = props.get("chat_template_caps").and_then(|caps| caps.get("supports_tools"));
    if told.and_then(Value::as_bool) == Some(false) { Tools::No } else { Tools::Maybe }
}

/// `/props`, of the server or of one model of a router.
pub fn llamacpp_window(props: &Value) -> Option<i64> {
    count(props.get("default_generation_settings")?.get("n_ctx"))
}

/// `/props` of a server that has several models and loads them when they are asked.
pub fn is_router(props: &Value) -> bool {
    text(props, "role") == Some("router")
}

/// `/api/v0/models`. What is not loaded gets the window it is loaded with later, at most `max_context_length`.
pub fn lmstudio(models: &Value) -> Vec<Model> {
    let model = |entry: &Value| {
        let mut model = named(text(entry, "id")?);
        model.is_loaded = text(entry, "state") == Some("loaded");
        model.window = count(entry.get("loaded_context_length")).filter(|_| model.is_loaded);
        model.window_max = count(entry.get("max_context_length"));
        if let Some(kind) = text(entry, "type") {
            let is_chat = matches!(kind, "llm" | "vlm");
            model.use_for = if is_chat { UseFor::Chat } else { UseFor::Embedding };
        }
        Some(model)
    };
    let list = models.get("data").and_then(Value::as_array);
    list.into_iter().flatten().filter_map(model).collect()
}

/// `/api/tags` with `/api/ps`.
pub fn ollama(tags: &Value, running: &Value) -> Vec<Model> {
    let entries = |value: &Value| value.get("models").and_then(Value::as_array).cloned().unwrap_or_default();
    let running = entries(running);
    let model = |entry: &Value| {
        let name = text(entry, "name").or_else(|| text(entry, "model"))?;
        let loaded = running.iter().find(|other| text(other, "name") == Some(name));
        let mut model = named(name);
        model.window = count(loaded.and_then(|loaded| loaded.get("context_length")));
        model.is_loaded = loaded.is_some();
        model.bytes = count(entry.get("size")).unwrap_or(0);
        if text(entry, "remote_host").is_some_and(|host| !host.is_empty()) {
            model.runs = Runs::Elsewhere;
        }
        model.parameters = parameters_in_details(entry).or(model.parameters);
        let family = entry.get("details").and_then(|details| text(details, "family"));
        if family.is_some_and(|family| family.contains("bert")) {
            model.use_for = UseFor::Embedding;
        }
        Some(model)
    };
    entries(tags).iter().filter_map(model).collect()
}

/// `/api/ps`: how a model lies in memory.
pub fn ollama_allocated(running: &Value, model: &str) -> Allocated {
    let models = running.get("models").and_then(Value::as_array);
    let is_it = |entry: &&Value| {
        let name = text(entry, "name").or_else(|| text(entry, "model")).unwrap_or_default();
        name == model || name.strip_suffix(":latest") == Some(model)
    };
    let Some(entry) = models.into_iter().flatten().find(is_it) else { return Allocated::default() };
    let (size, on_card) = (count(entry.get("size")), entry.get("size_vram").and_then(Value::as_i64));
    Allocated {
        window: count(entry.get("context_length")),
        card_percent: size.zip(on_card).map(|(size, on_card)| (on_card as f64 * 100.0 / size as f64) as i64),
    }
}

/// `details.parameter_size` of an entry of Ollama's `/api/tags`, or of its `/api/show`: `7.6B`.
fn parameters_in_details(entry: &Value) -> Option<i64> {
    parameters_in_words(text(entry.get("details")?, "parameter_size")?)
}

/// A model with what `/api/show` adds: the most it can be given, its size, and whether it completes text at all.
pub fn ollama_shown(model: Model, show: &Value) -> Model {
    let info = show.get("model_info").and_then(Value::as_object);
    let length = info.and_then(|info| info.iter().find(|(key, _)| key.ends_with(".context_length")));
    let capabilities = show.get("capabilities").and_then(Value::as_array);
    let lacks = |capability: &str| {
        capabilities
            .is_some_and(|all| !all.is_empty() && !all.iter().any(|one| one.as_str() == Some(capability)))
    };
    let is_mute = lacks("completion");
    let exact = info.and_then(|info| count(info.get("general.parameter_count")));
    Model {
        parameters: exact.or_else(|| parameters_in_details(show)).or(model.parameters),
        window_max: length.and_then(|(_, value)| count(Some(value))),
        use_for: if is_mute { UseFor::Embedding } else { model.use_for },
        tools: if lacks("tools") { Tools::No } else { Tools::Maybe },
        ..model
    }
}

fn named(name: &str) -> Model {
    let lower = name.to_lowercase();
    let is_embedding = ["embed", "rerank", "bge-", "minilm"].iter().any(|mark| lower.contains(mark));
    let is_cloud = lower.ends_with(":cloud") || lower.ends_with("-cloud");
    Model {
        use_for: if is_embedding { UseFor::Embedding } else { UseFor::Chat },
        runs: if is_cloud { Runs::Elsewhere } else { Runs::Here },
        ..Model::unlisted(name)
    }
}

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}

fn count(value: Option<&Value>) -> Option<i64> {
    value.and_then(Value::as_i64).filter(|count| *count > 0)
}
