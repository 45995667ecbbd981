//! Finding model servers: asked side by side, within 300 ms, without loading anything.
//!
//! With an address given, nothing else is asked. Which model is used is decided in the core.

use std::time::Duration;

use bowline_core::limits::{WINDOW_ASKED_MAX, WINDOW_MIN, WINDOW_UNKNOWN};
use bowline_core::servers::{
    Model, NoPick, Pick, Runs, Server, ServerKind, Wanted, llamacpp, ollama, ollama_window_max, openai, pick,
};
use serde_json::{Value, json};

use crate::model::{Endpoint, NoClient, NoListing, get_json, http, is_near, read_json, root};

/// Servers that were not named answer within this.
const FOUND_MS_MAX: u64 = 300;
/// One that was named may take longer: it may be across a network, or busy.
const NAMED_MS_MAX: u64 = 5_000;

/// What the user says about servers and models.
#[derive(Debug, Clone, Default)]
pub struct Search {
    pub base_url: Option<String>,
    pub model: Option<String>,
    pub window: Option<i64>,
    pub last_used: Option<String>,
    pub key: Option<String>,
    /// `OLLAMA_HOST`, if set.
    pub ollama_host: Option<String>,
}

/// A model, where it is, and the window to work with.
#[derive(Debug, Clone)]
pub struct Choice {
    pub endpoint: Endpoint,
    /// Its name on the server.
    pub model: String,
    /// `server/name`.
    pub full_name: String,
    pub window: i64,
    pub is_window_known: bool,
    /// Whether the server says that the model's template has no tools.
    pub is_without_tools: bool,
    pub runs: Runs,
    pub why: &'static str,
}

/// No model can be used.
#[derive(Debug, thiserror::Error)]
pub enum NoModel {
    #[error(
        "no model server was found (asked {}).\nStart one, for example: ollama serve & ollama pull qwen2.5-coder:7b\n\
         or name one with --base-url http://HOST:PORT/v1",
        .asked.join(", ")
    )]
    NoServer { asked: Vec<String> },
    #[error("{url} does not answer.\nStart the server there, or name another with --base-url")]
    Silent { url: String },
    #[error(
        "{url} answers, but not as a model server ({what}).\nCheck --base-url: it should end in /v1 for llama.cpp, \
         LM Studio and vLLM, and be the bare address for Ollama"
    )]
    Foreign { url: String, what: String },
    #[error(
        "{url} has no model to chat with.\nLoad or pull one first, for example: ollama pull qwen2.5-coder:7b"
    )]
    Empty { url: String },
    #[error("{url} wants a key, or another one.\nSet it in BOWLINE_API_KEY")]
    Key { url: String },
    #[error("there is no model {name:?} here. Models:\n  {}", .known.join("\n  "))]
    Unknown { name: String, known: Vec<String> },
    #[error("{name} has a window of {window} tokens, and a turn needs {}.\n{remedy}", WINDOW_MIN)]
    Small { name: String, window: i64, remedy: String },
    #[error(transparent)]
    Client(#[from] NoClient),
}

/// Finds the servers and picks the model.
pub async fn choose(search: &Search) -> Result<Choice, NoModel> {
    let servers = match &search.base_url {
        Some(url) => vec![named(url, search.key.as_deref()).await?],
        None => found(search).await?,
    };
    let wanted = Wanted { named: search.model.as_deref(), last_used: search.last_used.as_deref() };
    let Pick { server, model, why } = pick(&servers, wanted).map_err(|none| match none {
        NoPick::NoModel => NoModel::Empty {
            url: servers.iter().map(|server| server.base_url.as_str()).collect::<Vec<_>>().join(", "),
        },
        NoPick::Unknown { name, known } => NoModel::Unknown { name, known },
    })?;
    let told = window(&server, &model, search).await?;
    if let Some(window) = told.filter(|window| *window < WINDOW_MIN) {
        return Err(too_small(server.kind, &server.full_name(&model), window, search.window));
    }
    Ok(Choice {
        endpoint: Endpoint {
            kind: server.kind,
            base_url: server.base_url.clone(),
            key: search.key.clone().filter(|_| search.base_url.is_some()),
        },
        full_name: server.full_name(&model),
        runs: if is_near(&server.base_url) { model.runs } else { Runs::Elsewhere },
        model: model.name,
        window: told.unwrap_or(WINDOW_UNKNOWN),
        is_window_known: told.is_some(),
        is_without_tools: false,
        why,
    })
}

/// The window to work with. Ollama allocates what it is asked for; every other server has what it has.
async fn window(server: &Server, model: &Model, search: &Search) -> Result<Option<i64>, NoModel> {
    if search.window.is_some() || server.kind != ServerKind::Ollama {
        return Ok(search.window.or(model.window));
    }
    let client = http(&server.base_url)?;
    let show = client
        .post(format!("{}/api/show", server.base_url))
        .body(json!({ "model": model.name }).to_string())
        .timeout(Duration::from_millis(NAMED_MS_MAX));
    let most = read_json(show.send().await).await.ok().as_ref().and_then(ollama_window_max);
    Ok(Some(most.unwrap_or(WINDOW_ASKED_MAX).min(WINDOW_ASKED_MAX)))
}

/// A window nobody can work in. `name` is the full one.
pub(crate) fn too_small(kind: ServerKind, name: &str, window: i64, asked: Option<i64>) -> NoModel {
    let model = name.split_once('/').map_or(name, |(_, model)| model);
    NoModel::Small { name: name.to_owned(), window, remedy: more_room(kind, model, asked) }
}

/// What gives a model a window to work in, in one command.
fn more_room(kind: ServerKind, model: &str, asked: Option<i64>) -> String {
    match (kind, asked) {
        (_, Some(_)) => "Leave --window away, or give it more".to_owned(),
        (ServerKind::LlamaCpp, _) => "Start the server with more: llama-server -c 16384 …".to_owned(),
        (ServerKind::LmStudio, _) => format!("Load it with more: lms load {model} --context-length 16384"),
        (ServerKind::Vllm, _) => {
            format!("Start the server with more: vllm serve {model} --max-model-len 16384")
        }
        (ServerKind::Ollama, _) => "It was made for no more: name another with --model".to_owned(),
        (ServerKind::OpenAi, _) => "Start the server with more, and tell it with --window".to_owned(),
    }
}

/// All that answer where servers usually are.
async fn found(search: &Search) -> Result<Vec<Server>, NoModel> {
    let ollama = search.ollama_host.as_deref().map_or("http://127.0.0.1:11434".to_owned(), ollama_address);
    let places = [
        (ServerKind::Ollama, ollama),
        (ServerKind::LlamaCpp, "http://127.0.0.1:8080/v1".to_owned()),
        (ServerKind::LmStudio, "http://127.0.0.1:1234/v1".to_owned()),
        (ServerKind::Vllm, "http://127.0.0.1:8000/v1".to_owned()),
    ];
    let http = http("http://127.0.0.1")?;
    // A key is for the server the user named, not for whatever listens on a usual port.
    let probes = places.iter().map(|(kind, url)| probe(&http, url, *kind, None, FOUND_MS_MAX));
    let answers = futures_util::future::join_all(probes).await;
    let mut servers: Vec<Server> = answers.into_iter().filter_map(Result::ok).collect();
    // `OLLAMA_HOST` may name any host of the world: what runs there is used only when the user names it.
    for server in servers.iter_mut().filter(|server| !is_near(&server.base_url)) {
        server.models.iter_mut().for_each(|model| model.runs = Runs::Elsewhere);
    }
    if servers.is_empty() {
        return Err(NoModel::NoServer { asked: places.into_iter().map(|(_, url)| url).collect() });
    }
    Ok(servers)
}

async fn named(url: &str, key: Option<&str>) -> Result<Server, NoModel> {
    let url = url.trim_end_matches('/');
    let with_scheme = if url.contains("://") { url.to_owned() } else { format!("http://{url}") };
    let http = http(&with_scheme)?;
    probe(&http, &with_scheme, ServerKind::OpenAi, key, NAMED_MS_MAX).await.map_err(|why| match why {
        NoListing::Silent => NoModel::Silent { url: with_scheme.clone() },
        NoListing::Status(401 | 403) => NoModel::Key { url: with_scheme.clone() },
        NoListing::Status(code) => {
            NoModel::Foreign { url: with_scheme.clone(), what: format!("status {code}") }
        }
        NoListing::NotJson => {
            NoModel::Foreign { url: with_scheme.clone(), what: "a web page or other text".to_owned() }
        }
    })
}

/// One address: Ollama by its version, llama.cpp by its properties, else whatever lists models. `kind` names the rest.
async fn probe(
    http: &reqwest::Client,
    url: &str,
    kind: ServerKind,
    key: Option<&str>,
    ms_max: u64,
) -> Result<Server, NoListing> {
    let root = root(url);
    let get = |path: &str| {
        let url = format!("{root}{path}");
        async move { get_json(http, &url, key, ms_max).await }
    };
    let (version, tags, running, props, models) =
        tokio::join!(get("/api/version"), get("/api/tags"), get("/api/ps"), get("/props"), get("/v1/models"));
    if let (Ok(Value::Object(_)), Ok(tags)) = (&version, &tags) {
        let models = ollama(tags, &running.unwrap_or(Value::Null));
        return Ok(Server { kind: ServerKind::Ollama, base_url: root.to_owned(), models });
    }
    let models = models?;
    if !models.is_object() {
        return Err(NoListing::NotJson);
    }
    let base_url = format!("{root}/v1");
    Ok(match &props {
        Ok(props) if props.get("default_generation_settings").is_some() => {
            Server { kind: ServerKind::LlamaCpp, base_url, models: llamacpp(&models, props) }
        }
        _ => Server { kind, base_url, models: openai(&models) },
    })
}

/// `OLLAMA_HOST` may be a host, a host and port, or an address; 0.0.0.0 is where it listens, not where it is.
fn ollama_address(host: &str) -> String {
    let host = host.trim().trim_end_matches('/');
    let (scheme, rest) = host.split_once("://").unwrap_or(("http", host));
    let rest = rest.replace("0.0.0.0", "127.0.0.1");
    let has_port = rest.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    match (has_port, scheme) {
        (true, _) => format!("{scheme}://{rest}"),
        (false, "http") => format!("http://{rest}:11434"),
        (false, _) => format!("{scheme}://{rest}"),
    }
}
