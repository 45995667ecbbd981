//! Every answer that is not a reply: errors in each server's own form, plain pages, and the JSON of listings.
//!
//! Nothing here uses up a reply of the script.

use serde_json::{Value, json};

use super::{Answer, Play, listing};
use crate::profile::{Kind, Profile, Schema};
use crate::reply::{Reply, Status, Step};
use crate::strict::Protocol;

const PAGE: &str =
    "<!doctype html>\n<html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>\n";

fn body(status: u16, content_type: &str, text: String) -> Answer {
    let headers = vec![("content-type".to_owned(), content_type.to_owned())];
    Answer::Http { status, headers, plays: vec![Play::Bytes(text.into_bytes())] }
}

pub(super) fn json(status: u16, value: &Value) -> Answer {
    body(status, "application/json; charset=utf-8", value.to_string())
}

pub(super) fn plain(status: u16, text: &str) -> Answer {
    body(status, "text/plain; charset=utf-8", text.to_owned())
}

pub(super) fn html() -> Answer {
    body(200, "text/html; charset=utf-8", PAGE.to_owned())
}

pub(super) fn error(protocol: Protocol, status: u16, words: &str) -> Answer {
    match protocol {
        Protocol::OpenAi => {
            json(status, &json!({"error": {"code": status, "message": words, "type": "server_error"}}))
        }
        Protocol::Ollama => json(status, &json!({"error": words})),
    }
}

pub(super) fn not_found(kind: Kind, method: &str, path: &str) -> Answer {
    match kind {
        Kind::LlamaCpp | Kind::LlamaRouter => json(
            404,
            &json!({"error": {"code": 404, "message": "File Not Found", "type": "not_found_error"}}),
        ),
        Kind::Ollama => plain(404, "404 page not found"),
        // It answers what it does not know with status 200.
        Kind::LmStudio => {
            json(200, &json!({"error": format!("Unexpected endpoint or method. ({method} {path})")}))
        }
        Kind::Vllm | Kind::OpenAi | Kind::Html => json(404, &json!({"detail": "Not Found"})),
    }
}

/// A key is due, and another or none was sent. llama.cpp tells its health and its models to all.
pub(super) fn no_key(profile: &Profile, path: &str, sent: Option<&str>) -> Option<Answer> {
    let due = profile.key.as_deref()?;
    let is_open =
        profile.kind.is_llamacpp() && matches!(path, "/health" | "/v1/health" | "/models" | "/v1/models");
    if is_open || sent.and_then(|sent| sent.strip_prefix("Bearer ")) == Some(due) {
        return None;
    }
    let value = match profile.kind {
        Kind::LlamaCpp | Kind::LlamaRouter => {
            json!({"error": {"message": "Invalid API Key", "type": "authentication_error", "code": 401}})
        }
        Kind::Vllm => json!({"error": "Unauthorized"}),
        _ => {
            json!({"error": {"message": "Incorrect API key provided.", "type": "invalid_request_error",
                "code": "invalid_api_key"}})
        }
    };
    Some(json(401, &value))
}

pub(super) fn unknown_model(kind: Kind, protocol: Protocol, name: &str) -> Answer {
    if kind == Kind::Ollama && protocol == Protocol::Ollama {
        return json(404, &json!({"error": format!("model '{name}' not found")}));
    }
    let message = format!("The model `{name}` does not exist.");
    json(404, &json!({"error": {"message": message, "type": "NotFoundError", "param": "model", "code": 404}}))
}

/// What Ollama refuses because the model's template has no place for it.
pub(super) fn incapable(profile: &Profile, name: &str, body: &Value) -> Option<Answer> {
    let tools = body["tools"].as_array().is_some_and(|tools| !tools.is_empty());
    if tools && !listing::has(profile, name, "tools") {
        let words = format!("registry.ollama.ai/library/{name} does not support tools");
        return Some(json(400, &json!({"error": words})));
    }
    let thinks = matches!(&body["think"], Value::Bool(true) | Value::String(_));
    if thinks && !listing::has(profile, name, "thinking") {
        return Some(json(400, &json!({"error": format!("\"{name}\" does not support thinking")})));
    }
    None
}

/// What a server says that does not bind an answer to a schema.
pub(super) fn unbound(profile: &Profile, body: &Value) -> Option<Answer> {
    let is_asked = body["response_format"].is_object() || body["format"].is_object();
    if profile.schema == Schema::Taken || !is_asked {
        return None;
    }
    let (status, value) = match profile.kind {
        Kind::LlamaCpp | Kind::LlamaRouter => (
            400,
            json!({"error": {"code": 400, "message": "Failed to initialize samplers: failed to parse grammar",
                "type": "invalid_request_error"}}),
        ),
        Kind::Ollama => {
            let words =
                "json: cannot unmarshal object into Go struct field ChatRequest.format of type string";
            (400, json!({"error": words}))
        }
        Kind::LmStudio => (400, json!({"error": "'response_format.type' must be 'text'"})),
        Kind::Vllm => (
            400,
            json!({"object": "error", "type": "BadRequestError", "param": null, "code": 400,
                "message": "The provided JSON schema contains features not supported by xgrammar."}),
        ),
        Kind::OpenAi | Kind::Html => (
            422,
            json!({"error": {"message": "This response_format type is unavailable now",
                "type": "invalid_request_error", "param": null, "code": "invalid_request_error"}}),
        ),
    };
    Some(json(status, &value))
}

pub(super) fn too_long(kind: Kind, tokens: u64, window: u64) -> Answer {
    let value = match kind {
        Kind::Ollama => json!({"error": "the input length exceeds the context length"}),
        Kind::LlamaCpp | Kind::LlamaRouter => json!({"error": {
            "code": 400,
            "message": format!(
                "request ({tokens} tokens) exceeds the available context size ({window} tokens), try increasing it"
            ),
            "type": "exceed_context_size_error",
            "n_prompt_tokens": tokens,
            "n_ctx": window,
        }}),
        Kind::LmStudio | Kind::Vllm | Kind::OpenAi | Kind::Html => json!({"error": {
            "message": format!(
                "This model's maximum context length is {window} tokens. However, your request has {tokens} input \
                 tokens. Please reduce the length of the input messages."
            ),
            "type": "BadRequestError",
            "param": "input_tokens",
            "code": 400,
        }}),
    };
    json(400, &value)
}

/// A status the script asks for, after the waits it asks for.
pub(super) fn scripted(status: &Status, reply: &Reply) -> Answer {
    let html = status.body.trim_start().starts_with('<');
    let content_type = if html { "text/html; charset=utf-8" } else { "application/json; charset=utf-8" };
    let mut headers = vec![("content-type".to_owned(), content_type.to_owned())];
    headers.extend(reply.headers.iter().cloned());
    let waits = reply.steps.iter().filter_map(|step| match step {
        Step::WaitMs(ms) => Some(Play::Wait(*ms)),
        _ => None,
    });
    let body = Play::Bytes(status.body.clone().into_bytes());
    Answer::Http { status: status.code, headers, plays: waits.chain([body]).collect() }
}
