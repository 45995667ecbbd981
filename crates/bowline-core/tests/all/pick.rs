//! Listings of servers, and the model that is picked.

use bowline_core::servers::{
    Model, Server, ServerKind, Wanted, llamacpp, lmstudio, ollama, ollama_shown, openai, pick, vllm,
};
use serde_json::json;

fn servers() -> Vec<Server> {
    let tags = json!({"models": [
        {"name": "qwen3:8b", "size": 5_000_000_000_i64, "details": {"family": "qwen3"}},
        {"name": "nomic-embed-text:latest", "size": 270_000_000, "details": {"family": "nomic-bert"}},
        {"name": "gpt-oss:120b-cloud", "size": 380, "remote_host": "https://elsewhere"},
        {"name": "qwen3-coder:30b", "size": 19_000_000_000_i64, "details": {"family": "qwen3moe"}},
        {"name": "llama3:latest", "size": 4_000_000_000_i64}
    ]});
    let props = json!({"default_generation_settings": {"n_ctx": 16384}, "total_slots": 1});
    let models = json!({"object": "list", "data": [{"id": "coder", "meta": {"n_ctx_train": 131_072}}]});
    vec![
        Server {
            kind: ServerKind::Ollama,
            name: None,
            base_url: "o".to_owned(),
            models: ollama(&tags, &json!({})),
        },
        Server {
            kind: ServerKind::LlamaCpp,
            name: None,
            base_url: "l".to_owned(),
            models: llamacpp(&models, &props),
        },
    ]
}

fn picked(servers: &[Server], named: Option<&str>, last_used: Option<&str>) -> String {
    match pick(servers, Wanted { named, last_used, ..Wanted::default() }) {
        Ok(pick) => format!("{} ({})", pick.server.full_name(&pick.model), pick.why),
        Err(none) => format!("{none:?}"),
    }
}

#[test]
fn the_order_of_the_pick() {
    let servers = servers();
    let ollama = &servers[..1];
    assert_eq!(picked(&servers, None, None), "llamacpp/coder (loaded now)");
    assert_eq!(picked(&servers, None, Some("ollama/qwen3:8b")), "ollama/qwen3:8b (last used here)");
    assert_eq!(picked(&servers, None, Some("ollama/gone")), "llamacpp/coder (loaded now)");
    assert_eq!(picked(ollama, None, None), "ollama/qwen3-coder:30b (the largest)");
    assert_eq!(picked(&servers, Some("qwen3:8b"), None), "ollama/qwen3:8b (named)");
    assert_eq!(picked(&servers, Some("ollama/llama3"), None), "ollama/llama3:latest (named)");
    assert_eq!(picked(&servers, Some("llamacpp/coder"), None), "llamacpp/coder (named)");
}

#[test]
fn what_is_never_picked_by_itself() {
    let mut ollama = servers().remove(0);
    ollama.models.retain(|model| model.name.contains("embed") || model.name.contains("cloud"));
    assert_eq!(picked(&[ollama.clone()], None, None), "NoModel");
    assert_eq!(picked(&[ollama], Some("gpt-oss:120b-cloud"), None), "ollama/gpt-oss:120b-cloud (named)");
}

#[test]
fn an_unknown_name_comes_with_the_list() {
    let said = picked(&servers(), Some("qwen4"), None);
    assert!(said.starts_with("Unknown { name: \"qwen4\"") && said.contains("ollama/qwen3:8b"), "{said}");
    let silent =
        Server { kind: ServerKind::OpenAi, name: None, base_url: "x".to_owned(), models: Vec::new() };
    assert_eq!(picked(&[silent], Some("any"), None), "openai/any (named)");
}

#[test]
fn the_window_is_what_is_allocated() {
    let window = |models: Vec<Model>| models[0].window;
    let models = json!({"data": [{"id": "m", "meta": {"n_ctx_train": 131_072}}]});
    assert_eq!(
        window(llamacpp(&models, &json!({"default_generation_settings": {"n_ctx": 4096}}))),
        Some(4096)
    );
    assert_eq!(window(openai(&models)), None);
    assert_eq!(window(openai(&json!({"data": [{"id": "m", "max_model_len": 8192}]}))), Some(8192));
    let tags = json!({"models": [{"name": "m"}]});
    let running = json!({"models": [{"name": "m", "context_length": 4096}]});
    assert_eq!(window(ollama(&tags, &running)), Some(4096));
    let show = json!({"model_info": {"general.architecture": "qwen3", "qwen3.context_length": 40960}});
    let shown = ollama_shown(ollama(&tags, &running).remove(0), &show);
    assert_eq!((shown.window, shown.window_max), (Some(4096), Some(40960)));
}

#[test]
fn listings_that_are_none() {
    for odd in
        [json!(null), json!([]), json!({"data": "x"}), json!({"models": [{"size": 3}]}), json!({"data": [3]})]
    {
        assert!(openai(&odd).is_empty() && ollama(&odd, &odd).is_empty() && llamacpp(&odd, &odd).is_empty());
        assert!(vllm(&odd).is_empty() && lmstudio(&odd).is_empty());
        let model = Model::unlisted("m");
        assert_eq!(ollama_shown(model.clone(), &odd), model);
    }
}

#[test]
fn what_is_preferred_and_what_is_set() {
    let servers = servers();
    let of = |preferred: &[(&str, &'static str)], set: Option<&str>| {
        let wanted = Wanted { preferred, set, last_used: Some("ollama/qwen3:8b"), ..Wanted::default() };
        match pick(&servers, wanted) {
            Ok(pick) => format!("{} ({})", pick.server.full_name(&pick.model), pick.why),
            Err(none) => format!("{none:?}"),
        }
    };
    assert_eq!(of(&[("llama3", "wished")], Some("coder")), "ollama/llama3:latest (wished)");
    // A wish that can't be had is passed over; so is one that would leave the machine.
    let wishes = [("gone", "wished"), ("gpt-oss:120b-cloud", "wished"), ("nomic-embed-text", "wished")];
    assert_eq!(of(&wishes, Some("coder")), "llamacpp/coder (set in the configuration)");
    assert_eq!(of(&wishes, None), "ollama/qwen3:8b (last used here)");
    assert!(of(&[], Some("gone")).starts_with("Unknown"));
    assert_eq!(
        of(&[], Some("ollama/gpt-oss:120b-cloud")),
        "ollama/gpt-oss:120b-cloud (set in the configuration)"
    );
}

#[test]
fn a_server_goes_by_the_name_it_was_given() {
    let mut servers = servers();
    servers[1].name = Some("box".to_owned());
    assert_eq!(picked(&servers, Some("box/coder"), None), "box/coder (named)");
    assert_eq!(picked(&servers, Some("coder"), None), "box/coder (named)");
    assert!(picked(&servers, Some("llamacpp/coder"), None).starts_with("Unknown"));
    servers[1].models.clear();
    assert_eq!(picked(&servers[1..], Some("box/any"), None), "box/any (named)");
}
