//! What the servers tell of themselves, in the shape the real ones have.
//!
//! Pure functions of the profile and of what the player knows is loaded or busy. Times and digests are constant: a
//! listing that changes by itself would make transcripts differ.

use serde_json::{Map, Value, json};

use super::CREATED_S;
use crate::profile::{Model, Profile};

const MODIFIED_AT: &str = "2026-01-02T03:04:05.678901234Z";
const EXPIRES_AT: &str = "2026-01-02T03:34:05.678901234Z";
const DIGEST: &str = "dae161e27b0e90dd1856c8bb3209201fd6736d8eb66298e75ed87571486f4364";
const OLLAMA_VERSION: &str = "0.30.2";

/// A model Ollama holds in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Loaded {
    pub model: String,
    pub window: u64,
}

/// What a router says of its models; those in memory tell more.
pub(super) fn router_models(profile: &Profile) -> Value {
    let data: Vec<Value> = profile
        .models
        .iter()
        .map(|model| {
            let status = if is_loaded(profile, &model.name) {
                json!({"value": "loaded", "args": ["llama-server", "--alias", model.name]})
            } else {
                json!({"value": "unloaded", "args": []})
            };
            json!({
                "id": model.name, "aliases": [], "tags": [], "object": "model", "owned_by": "llamacpp",
                "created": CREATED_S, "status": status,
                "architecture": {"input_modalities": ["text"], "output_modalities": ["text"]},
                "source": "cache", "can_remove": true,
            })
        })
        .collect();
    json!({"data": data, "object": "list"})
}

/// What a router says of itself: nothing of any model.
pub(super) fn router_props() -> Value {
    json!({
        "role": "router", "max_instances": 4, "models_autoload": true, "model_alias": "llama-server",
        "model_path": "none", "default_generation_settings": {"params": {}, "n_ctx": 0}, "ui_settings": {},
        "build_info": "b9999-scripted", "cors_proxy_enabled": false,
    })
}

pub(super) fn is_loaded(profile: &Profile, name: &str) -> bool {
    profile.loaded.iter().any(|loaded| loaded == name)
}

pub(super) fn llamacpp_models(profile: &Profile) -> Value {
    let name = profile.model();
    json!({
        "models": [{
            "name": name, "model": name, "modified_at": "", "size": "", "digest": "", "type": "model",
            "description": "", "tags": [""], "capabilities": ["completion"], "parameters": "",
            "details": {
                "parent_model": "", "format": "gguf", "family": "", "families": [""], "parameter_size": "",
                "quantization_level": "",
            },
        }],
        "object": "list",
        "data": [{
            "id": name, "aliases": [name], "tags": [], "object": "model", "created": CREATED_S,
            "owned_by": "llamacpp",
            "meta": {
                "vocab_type": 2, "n_vocab": 151_936, "n_ctx": profile.window, "n_ctx_train": profile.train,
                "n_embd": 3584, "n_params": profile.models.first().and_then(|model| model.parameters),
                "size": profile.models.first().map(|model| model.size_bytes), "ftype": "Q4_K - Medium",
            },
        }],
    })
}

pub(super) fn llamacpp_props(profile: &Profile, name: &str) -> Value {
    let tools = has(profile, name, "tools");
    json!({
        "default_generation_settings": {
            "params": {"seed": 4_294_967_295_u32, "temperature": 0.8, "top_k": 40, "top_p": 0.95, "n_predict": -1},
            "n_ctx": profile.window,
        },
        "total_slots": profile.slots,
        "model_alias": name,
        "model_ftype": "Q4_K - Medium",
        "model_path": format!("/models/{}.gguf", name.replace(':', "-")),
        "modalities": {"vision": false, "audio": false},
        "endpoint_slots": true,
        "endpoint_props": false,
        "endpoint_metrics": false,
        "chat_template": "{%- for message in messages %}…{%- endfor %}",
        "chat_template_caps": {
            "supports_string_content": true,
            "supports_typed_content": false,
            "supports_tools": tools,
            "supports_tool_calls": tools,
            "supports_parallel_tool_calls": tools,
            "supports_system_role": true,
            "supports_preserve_reasoning": has(profile, name, "thinking"),
            "supports_object_arguments": true,
        },
        "bos_token": "",
        "eos_token": "<|im_end|>",
        "build_info": "b9999-scripted",
        "is_sleeping": false,
    })
}

pub(super) fn llamacpp_slots(profile: &Profile, slots: usize, busy: Option<usize>) -> Value {
    (0..slots)
        .map(|id| {
            json!({
                "id": id, "n_ctx": profile.window, "speculative": false, "is_processing": busy == Some(id),
            })
        })
        .collect()
}

pub(super) fn ollama_version() -> Value {
    json!({"version": OLLAMA_VERSION})
}

pub(super) fn ollama_tags(profile: &Profile) -> Value {
    let models: Vec<Value> = profile
        .models
        .iter()
        .map(|model| {
            let mut entry = json!({
                "name": model.name, "model": model.name, "modified_at": MODIFIED_AT, "size": model.size_bytes,
                "digest": DIGEST, "details": details(model.parameters),
            });
            if let Some(name) = model.name.strip_suffix("-cloud") {
                entry["remote_model"] = json!(name);
                entry["remote_host"] = json!("https://ollama.com:443");
            }
            entry
        })
        .collect();
    json!({"models": models})
}

pub(super) fn ollama_ps(profile: &Profile, loaded: Option<&Loaded>) -> Value {
    let models: Vec<Value> = loaded
        .iter()
        .map(|loaded| {
            let model = find(profile, &loaded.model);
            let size = model.map_or(0, |model| model.size_bytes);
            let details = details(model.and_then(|model| model.parameters));
            json!({
                "name": loaded.model, "model": loaded.model, "size": size, "digest": DIGEST, "details": details,
                "expires_at": EXPIRES_AT, "size_vram": size.saturating_mul(profile.vram_percent) / 100,
                "context_length": loaded.window,
            })
        })
        .collect();
    json!({"models": models})
}

pub(super) fn ollama_show(profile: &Profile, model: &Model) -> Value {
    let mut info = Map::new();
    info.insert("general.architecture".to_owned(), json!("qwen2"));
    if let Some(parameters) = model.parameters {
        info.insert("general.parameter_count".to_owned(), json!(parameters));
    }
    info.insert("qwen2.context_length".to_owned(), json!(profile.train));
    info.insert("qwen2.embedding_length".to_owned(), json!(3584));
    let mut capabilities = model.capabilities.clone();
    if !capabilities.iter().any(|cap| cap == "embedding" || cap == "completion") {
        capabilities.insert(0, "completion".to_owned());
    }
    json!({
        "modelfile": format!("FROM {}\n", model.name), "parameters": "", "template": "{{ .Prompt }}",
        "details": details(model.parameters), "model_info": info, "capabilities": capabilities, "modified_at": MODIFIED_AT,
    })
}

/// LM Studio's own list: everything it has on disk.
pub(super) fn lmstudio_models(profile: &Profile) -> Value {
    let data: Vec<Value> = profile
        .models
        .iter()
        .map(|model| {
            let has = |capability: &str| model.capabilities.iter().any(|cap| cap == capability);
            let kind = match (has("embedding"), has("vision")) {
                (true, _) => "embeddings",
                (_, true) => "vlm",
                _ => "llm",
            };
            let mut entry = json!({
                "id": model.name, "object": "model", "type": kind, "publisher": "lmstudio-community",
                "arch": "qwen2", "compatibility_type": "gguf", "quantization": "Q4_K_M",
                "state": "not-loaded", "max_context_length": profile.train,
            });
            if is_loaded(profile, &model.name) {
                entry["state"] = json!("loaded");
                entry["loaded_context_length"] = json!(profile.window);
            }
            entry
        })
        .collect();
    json!({"object": "list", "data": data})
}

pub(super) fn vllm_models(profile: &Profile) -> Value {
    let permission = json!({
        "id": "modelperm-862405855bc87f27", "object": "model_permission", "created": CREATED_S,
        "allow_create_engine": false, "allow_sampling": true, "allow_logprobs": true,
        "allow_search_indices": false, "allow_view": true, "allow_fine_tuning": false, "organization": "*",
        "group": null, "is_blocking": false,
    });
    let data: Vec<Value> = profile
        .models
        .iter()
        .map(|model| {
            json!({
                "id": model.name, "object": "model", "created": CREATED_S, "owned_by": "vllm",
                "root": model.name, "parent": null, "max_model_len": profile.window,
                "permission": [permission],
            })
        })
        .collect();
    json!({"object": "list", "data": data})
}

/// The bare list of the OpenAI protocol.
pub(super) fn models(profile: &Profile, owner: &str) -> Value {
    let data: Vec<Value> = profile
        .models
        .iter()
        .map(|model| json!({"id": model.name, "object": "model", "created": CREATED_S, "owned_by": owner}))
        .collect();
    json!({"object": "list", "data": data})
}

/// A model by its name, where `x` means `x:latest`.
pub(super) fn find<'a>(profile: &'a Profile, name: &str) -> Option<&'a Model> {
    let latest = format!("{name}:latest");
    profile.models.iter().find(|model| model.name == name || model.name == latest)
}

pub(super) fn has(profile: &Profile, name: &str, capability: &str) -> bool {
    let model = find(profile, name).or(profile.models.first());
    model.is_some_and(|model| model.capabilities.iter().any(|cap| cap == capability))
}

fn details(parameters: Option<u64>) -> Value {
    let told = match parameters {
        None => String::new(),
        Some(count) if count < 1_000_000_000 => format!("{:.2}M", count as f64 / 1e6),
        Some(count) => format!("{:.1}B", count as f64 / 1e9),
    };
    json!({
        "parent_model": "", "format": "gguf", "family": "qwen2", "families": ["qwen2"], "parameter_size": told,
        "quantization_level": "Q4_K_M",
    })
}
