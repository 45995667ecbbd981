//! Finding model servers: asked side by side, within 300 ms, without loading anything.
//!
//! With an address given, nothing else is asked. Which model is used is decided in the core. What always holds: the model
//! that [`list`] marks is the one that [`choose`] gives.

mod find;
mod probe;

use std::collections::HashMap;

use bowline_core::limits::{WINDOW_MIN, WINDOW_UNKNOWN};
use bowline_core::mode::Size;
use bowline_core::servers::{Model, NoPick, Pick, Runs, Server, ServerKind, Tools, Wanted, pick};
use bowline_core::wire::Dialect;

use self::find::{Survey, survey};
use self::probe::Asker;
use crate::config::{Config, ModelSettings, Place};
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
    /// The model of the session that goes on.
    pub session: Option<String>,
    pub last_used: Option<String>,
    pub key: Option<String>,
    /// `OLLAMA_HOST`, if set.
    pub ollama_host: Option<String>,
    pub config: Config,
    /// The keys of the configuration's servers, by the variable that holds them.
    pub keys: HashMap<String, String>,
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
    pub size: Size,
    /// Requests the server can work on side by side, where it tells.
    pub slots: Option<i64>,
    pub runs: Runs,
    pub why: &'static str,
    /// What the configuration says of it.
    pub settings: ModelSettings,
    /// What the user should know about the servers.
    pub notices: Vec<String>,
}

impl Choice {
    /// How the model is spoken to: as its server and its makers want it, and what is set before that.
    pub fn dialect(&self) -> Dialect {
        let dialect = self.endpoint.kind.dialect(&self.model, self.window);
        let output = self.settings.output.map(|output| output.min(self.window / 2));
        Dialect {
            reserve: output.unwrap_or(dialect.reserve),
            sampling: self.settings.sampling.or(dialect.sampling),
            temperature_set: self.settings.sampling.temperature,
            thinking: self.settings.thinking.unwrap_or(dialect.thinking),
            ..dialect
        }
    }
}

/// A model that was found, whether it can be used or not.
#[derive(Debug, Clone)]
pub struct Listed {
    pub server: ServerKind,
    /// What the user calls the server.
    pub server_name: Option<String>,
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
    /// What the user should know about the servers.
    pub notices: Vec<String>,
}

/// No model can be used.
#[derive(Debug, thiserror::Error)]
pub enum NoModel {
    #[error(
        "no model server was found (asked {}).\nStart one:\n\
         \x20 Ollama     ollama serve, and ollama pull qwen2.5-coder:7b\n\
         \x20 llama.cpp  llama-server --jinja -c 32768 -m MODEL.gguf\n\
         \x20 LM Studio  lms server start, and lms load MODEL --context-length 32768\n\
         \x20 vLLM       vllm serve MODEL --enable-auto-tool-choice --tool-call-parser hermes\n\
         or name one that runs elsewhere: --base-url http://HOST:PORT/v1",
        .asked.join(", ")
    )]
    NoServer { asked: Vec<String> },
    #[error("{url} does not answer.\nStart the server there, or name another with --base-url")]
    Silent { url: String },
    #[error(
        "{url} answers, but not as a model server ({what}).\nCheck the address: it should end in /v1 for llama.cpp, \
         LM Studio and vLLM, and be the bare one for Ollama"
    )]
    Foreign { url: String, what: String },
    #[error(
        "{url} has no model to chat with.\nLoad or pull one first, for example: ollama pull qwen2.5-coder:7b"
    )]
    Empty { url: String },
    #[error("{what}.\n{remedy}")]
    Key { what: String, remedy: String },
    #[error("there is no model {name:?}{by} here. Models:\n  {}\n{remedy}", .known.join("\n  "))]
    Unknown {
        name: String,
        /// Who named it, if it was not the user on the command line.
        by: String,
        known: Vec<String>,
        remedy: String,
    },
    #[error("{name} has a window of {window} tokens, and a turn needs {}.\n{remedy}", WINDOW_MIN)]
    Small { name: String, window: i64, remedy: String },
    #[error(transparent)]
    Client(#[from] NoClient),
}

/// Finds the servers and picks the model.
pub async fn choose(search: &Search) -> Result<Choice, NoModel> {
    let Survey { mut servers, mut notices } = survey(search).await?;
    let mut pick = picked(&servers, search)?;
    // What a server tells of the one that was picked may speak for another; each model is asked about once at most.
    let rounds: usize = servers.iter().map(|server| server.models.len()).sum();
    for _ in 0..rounds.max(1) {
        if pick.server.kind != ServerKind::Ollama {
            break;
        }
        let http = http(&pick.server.base_url)?;
        let model = asker(&http, &pick.server, search).show(&pick.server.base_url, pick.model.clone()).await;
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
    notices.extend(missed(&pick, search));
    settle(pick, notices, search)
}

/// Finds the servers and all their models, and picks one.
pub async fn list(search: &Search) -> Result<Listing, NoModel> {
    let Survey { mut servers, mut notices } = survey(search).await?;
    for server in servers.iter_mut().filter(|server| server.kind == ServerKind::Ollama) {
        let http = http(&server.base_url)?;
        let key = key(&*server, search);
        let asker = Asker { http: &http, key, ms_max: NAMED_MS_MAX };
        asker.show_all(server, |model| model.runs == Runs::Here).await;
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
    notices.extend(picked.as_ref().ok().and_then(|pick| missed(pick, search)));
    let picked = picked.and_then(|pick| settle(pick, Vec::new(), search));
    Ok(Listing { models, picked, notices })
}

const OF_PROJECT: &str = "set in the project";

fn picked(servers: &[Server], search: &Search) -> Result<Pick, NoModel> {
    let Config { model: set, project_model, .. } = &search.config;
    let mut preferred: Vec<(&str, &'static str)> = Vec::new();
    preferred.extend(search.session.as_deref().map(|name| (name, "last used here")));
    preferred.extend(project_model.as_ref().map(|model| (model.name.as_str(), OF_PROJECT)));
    // A server that was named need not have the model that is set for all others.
    let is_wish = search.base_url.is_some();
    let wish = set.as_ref().filter(|_| is_wish).map(|set| (set.name.as_str(), "set in the configuration"));
    preferred.extend(wish);
    let set = set.as_ref().filter(|_| !is_wish);
    let wanted = Wanted {
        named: search.model.as_deref(),
        preferred: &preferred,
        set: set.map(|set| set.name.as_str()),
        last_used: search.last_used.as_deref(),
    };
    pick(servers, wanted).map_err(|none| match none {
        NoPick::NoModel => NoModel::Empty {
            url: servers.iter().map(|server| server.base_url.as_str()).collect::<Vec<_>>().join(", "),
        },
        NoPick::Unknown { name, known } => {
            let set = set.filter(|_| search.model.is_none());
            let by = set.map_or(String::new(), |set| format!(" (set in {})", set.place));
            let remedy = nearer(&name, servers);
            NoModel::Unknown { name, by, known, remedy }
        }
    })
}

/// What to do about a name that fits nothing: it may be its server that is missing.
fn nearer(name: &str, servers: &[Server]) -> String {
    let server = name.split_once('/').map(|(server, _)| server);
    match server.filter(|server| !servers.iter().any(|known| known.word() == *server)) {
        Some(server) => format!(
            "No server {server:?} answers here. Start it, or say where it is: bowline config set \
             servers.{server}.base_url http://HOST:PORT/v1"
        ),
        None => "Name one of them with --model".to_owned(),
    }
}

/// The project asks for a model the user does not have, or one that may not be used on its word.
fn missed(pick: &Pick, search: &Search) -> Option<String> {
    let is_asked = search.model.is_none() && search.session.is_none() && pick.why != OF_PROJECT;
    let model = search.config.project_model.as_ref().filter(|_| is_asked)?;
    Some(format!(
        "{} asks for the model {}, which is not here or leaves this machine: {} is used. --model names another",
        model.place,
        model.name,
        pick.server.full_name(&pick.model)
    ))
}

/// What was picked, if there is room to work in.
fn settle(pick: Pick, notices: Vec<String>, search: &Search) -> Result<Choice, NoModel> {
    let Pick { server, model, why } = pick;
    let Listed { full_name, window, is_window_known, runs, .. } = listed(&server, &model, search);
    let settings = search.config.models.settings(&model.name, &full_name);
    if is_window_known && window < WINDOW_MIN {
        return Err(too_small(server.kind, &full_name, window, &asked(search, &settings)));
    }
    Ok(Choice {
        endpoint: Endpoint {
            kind: server.kind,
            base_url: server.base_url.clone(),
            key: key(&server, search).map(str::to_owned),
        },
        full_name,
        runs,
        is_without_tools: model.tools == Tools::No,
        size: model.size(),
        slots: model.slots,
        model: model.name,
        window,
        is_window_known,
        why,
        settings,
        notices,
    })
}

fn listed(server: &Server, model: &Model, search: &Search) -> Listed {
    let full_name = server.full_name(model);
    let context = search.config.models.settings(&model.name, &full_name).context.map(|(context, _)| context);
    let own = server.window(model);
    // Ollama allocates what it is asked for, as far as the model goes; others have no more than they have.
    let most = if server.kind == ServerKind::Ollama { model.window_max } else { own };
    let set = context.map(|context| most.map_or(context, |most| context.min(most)));
    let told = search.window.or(set).or(own);
    Listed {
        server: server.kind,
        server_name: server.name.clone(),
        base_url: server.base_url.clone(),
        full_name,
        window: told.unwrap_or(WINDOW_UNKNOWN),
        is_window_known: told.is_some(),
        runs: if is_near(&server.base_url) { model.runs } else { Runs::Elsewhere },
        model: model.clone(),
    }
}

/// The key is for the server the user named, or for the one it stands beside in the configuration.
fn key<'a>(server: &Server, search: &'a Search) -> Option<&'a str> {
    if search.base_url.is_some() {
        return search.key.as_deref();
    }
    let own = search.config.servers.iter().find(|own| Some(&own.name) == server.name.as_ref())?;
    search.keys.get(own.key_variable.as_ref()?).map(String::as_str)
}

fn asker<'a>(http: &'a reqwest::Client, server: &Server, search: &'a Search) -> Asker<'a> {
    Asker { http, key: key(server, search), ms_max: NAMED_MS_MAX }
}

/// Who asked for a window.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Asked {
    Nobody,
    Flag,
    Setting(Place),
}

fn asked(search: &Search, settings: &ModelSettings) -> Asked {
    match (search.window, &settings.context) {
        (Some(_), _) => Asked::Flag,
        (None, Some((_, place))) => Asked::Setting(place.clone()),
        (None, None) => Asked::Nobody,
    }
}

/// A window nobody can work in. `name` is the full one.
fn too_small(kind: ServerKind, name: &str, window: i64, asked: &Asked) -> NoModel {
    let model = name.split_once('/').map_or(name, |(_, model)| model);
    NoModel::Small { name: name.to_owned(), window, remedy: more_room(kind, model, asked) }
}

/// What gives a model a window to work in, in one command.
fn more_room(kind: ServerKind, model: &str, asked: &Asked) -> String {
    match (kind, asked) {
        (_, Asked::Flag) => "Omit --window, or set it higher".to_owned(),
        (_, Asked::Setting(place)) => {
            format!("Raise context in {place} or remove it, and give the server as much")
        }
        (ServerKind::LlamaCpp, _) => "Start the server with more: llama-server -c 16384 …".to_owned(),
        (ServerKind::LmStudio, _) => format!("Load it with more: lms load {model} --context-length 16384"),
        (ServerKind::Vllm, _) => {
            format!("Start the server with more: vllm serve {model} --max-model-len 16384")
        }
        (ServerKind::Ollama, _) => "It was made for no more: name another with --model".to_owned(),
        (ServerKind::OpenAi, _) => "Start the server with more, and tell it with --window".to_owned(),
    }
}
