//! Finding model servers: asked side by side, within 300 ms, without loading anything.
//!
//! With an address given, nothing else is asked. Which model is used is decided in the core. What always holds: the model
//! that [`list`] marks is the one that [`choose`] gives.

mod find;
mod probe;

use bowline_core::limits::{WINDOW_MIN, WINDOW_UNKNOWN};
use bowline_core::servers::{Model, NoPick, Pick, Runs, Server, ServerKind, Tools, Wanted, pick};

use self::find::survey;
use self::probe::Asker;
use crate::model::{Endpoint, NoClient, http, is_near};

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

/// A model that was found, whether it can be used or not.
#[derive(Debug, Clone)]
pub struct Listed {
    pub server: ServerKind,
    pub base_url: String,
    /// `server/name`.
    pub full_name: String,
    pub model: Model,
    /// What a turn would have; [`WINDOW_UNKNOWN`] where nobody knows.
    pub window: i64,
    pub is_window_known: bool,
    pub runs: Runs,
}

/// All that was found, and what is used of it.
#[derive(Debug)]
pub struct Listing {
    pub models: Vec<Listed>,
    pub picked: Result<Choice, NoModel>,
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
    #[error(
        "{url} wants a key, or another one.\nSet it in BOWLINE_API_KEY, and name the server with --base-url {url}"
    )]
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
    let mut servers = survey(search).await?;
    let mut pick = picked(&servers, search)?;
    // What a server tells of the one that was picked may speak for another; each model is asked about once at most.
    let rounds: usize = servers.iter().map(|server| server.models.len()).sum();
    for _ in 0..rounds.max(1) {
        if pick.server.kind != ServerKind::Ollama {
            break;
        }
        let http = http(&pick.server.base_url)?;
        let model = asker(&http, search).show(&pick.server.base_url, pick.model.clone()).await;
        let same = servers.iter_mut().filter(|server| server.base_url == pick.server.base_url);
        for known in same.flat_map(|server| &mut server.models).filter(|known| known.name == model.name) {
            known.clone_from(&model);
        }
        let next = picked(&servers, search)?;
        let is_same = next.model.name == model.name && next.server.base_url == pick.server.base_url;
        pick = next;
        if is_same {
            pick.model = model;
            break;
        }
    }
    let Pick { server, model, why } = pick;
    settle(&server, model, why, search)
}

/// Finds the servers and all their models, and picks one.
pub async fn list(search: &Search) -> Result<Listing, NoModel> {
    let mut servers = survey(search).await?;
    for server in servers.iter_mut().filter(|server| server.kind == ServerKind::Ollama) {
        let http = http(&server.base_url)?;
        asker(&http, search).show_all(server, |model| model.runs == Runs::Here).await;
    }
    let picked = picked(&servers, search);
    let all = servers.iter().flat_map(|server| server.models.iter().map(move |model| (server, model)));
    let mut models: Vec<Listed> = all.map(|(server, model)| listed(server, model, search)).collect();
    // A server that lists nothing is taken at the user's word.
    if let Ok(Pick { server, model, .. }) = &picked
        && server.models.is_empty()
    {
        models.push(listed(server, model, search));
    }
    let picked = picked.and_then(|Pick { server, model, why }| settle(&server, model, why, search));
    Ok(Listing { models, picked })
}

fn picked(servers: &[Server], search: &Search) -> Result<Pick, NoModel> {
    let wanted = Wanted { named: search.model.as_deref(), last_used: search.last_used.as_deref() };
    pick(servers, wanted).map_err(|none| match none {
        NoPick::NoModel => NoModel::Empty {
            url: servers.iter().map(|server| server.base_url.as_str()).collect::<Vec<_>>().join(", "),
        },
        NoPick::Unknown { name, known } => NoModel::Unknown { name, known },
    })
}

/// What was picked, if there is room to work in.
fn settle(server: &Server, model: Model, why: &'static str, search: &Search) -> Result<Choice, NoModel> {
    let Listed { full_name, window, is_window_known, runs, .. } = listed(server, &model, search);
    if is_window_known && window < WINDOW_MIN {
        return Err(too_small(server.kind, &full_name, window, search.window));
    }
    Ok(Choice {
        endpoint: Endpoint {
            kind: server.kind,
            base_url: server.base_url.clone(),
            key: key(search).map(str::to_owned),
        },
        full_name,
        runs,
        model: model.name,
        window,
        is_window_known,
        is_without_tools: model.tools == Tools::No,
        why,
    })
}

fn listed(server: &Server, model: &Model, search: &Search) -> Listed {
    let told = search.window.or_else(|| server.window(model));
    Listed {
        server: server.kind,
        base_url: server.base_url.clone(),
        full_name: server.full_name(model),
        window: told.unwrap_or(WINDOW_UNKNOWN),
        is_window_known: told.is_some(),
        runs: if is_near(&server.base_url) { model.runs } else { Runs::Elsewhere },
        model: model.clone(),
    }
}

/// The key is for the server the user named.
fn key(search: &Search) -> Option<&str> {
    search.key.as_deref().filter(|_| search.base_url.is_some())
}

fn asker<'a>(http: &'a reqwest::Client, search: &'a Search) -> Asker<'a> {
    Asker { http, key: key(search), ms_max: NAMED_MS_MAX }
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
