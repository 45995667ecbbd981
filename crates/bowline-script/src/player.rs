//! The scripted server without a socket and without a clock: a request in, an answer as bytes and waits out.
//!
//! The same requests give the same answers, byte for byte. Whoever plays an answer decides what a wait is: real time
//! behind a socket, virtual time in a simulation. Status and headers go out with the first bytes; an answer that ends
//! before any is a connection that ends without a response.

mod count;
mod frame;
mod listing;
mod ollama;
mod openai;
mod refusal;

use serde_json::{Value, json};

use crate::profile::{Kind, OLLAMA_WINDOW_TOKENS, Profile};
use crate::reply::{End, Form, Reply, Slot, Step, Times, Usage};
use crate::strict::{self, Protocol};
use count::{Counts, Slots, Tools};
use frame::{Asked, Frame};
use listing::Loaded;

/// Seconds; constant, so that answers don't differ from run to run.
const CREATED_S: u64 = 1_767_323_045;
const CREATED_AT: &str = "2026-01-02T03:04:05.678901234Z";
/// A conversation that needs more has lost its way: a reply that repeats must not fill the memory.
const REQUESTS_MAX: usize = 10_000;

/// What the server does with a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Closed before any byte.
    Refuse,
    Http {
        status: u16,
        headers: Vec<(String, String)>,
        plays: Vec<Play>,
    },
}

/// One thing that happens on the connection. After the last one the response is complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Play {
    /// Milliseconds.
    Wait(u64),
    Bytes(Vec<u8>),
    /// The connection ends, cleanly, without the response being complete.
    Cut,
    Reset,
    /// Open and silent for ever.
    Hang,
}

/// A request as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    pub method: String,
    /// With its query, if any.
    pub path: String,
    /// `Null` when it was no JSON.
    pub body: Value,
}

impl Recorded {
    /// Whether it asks the model for an answer.
    pub fn is_chat(&self) -> bool {
        is_chat(&self.path)
    }
}

/// A profile and a script, and how far it has been played.
#[derive(Debug, Clone)]
pub struct Player {
    profile: Profile,
    replies: Vec<Reply>,
    /// The next reply, and how often it was played already.
    at: usize,
    played: u32,
    slots: Slots,
    loaded: Option<Loaded>,
    busy: Option<usize>,
    calls: u64,
    requests: Vec<Recorded>,
    violations: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Route {
    OpenAiChat,
    OllamaChat,
    Other,
}

/// Whether a request to this path asks the model for an answer.
pub(crate) fn is_chat(path: &str) -> bool {
    route(path) != Route::Other
}

fn route(path: &str) -> Route {
    match path.split('?').next().unwrap_or_default() {
        "/v1/chat/completions" | "/chat/completions" => Route::OpenAiChat,
        "/api/chat" => Route::OllamaChat,
        _ => Route::Other,
    }
}

impl Player {
    pub fn new(profile: Profile, replies: Vec<Reply>) -> Self {
        let slots = Slots::new(profile.slots);
        let first = profile.loaded.first().filter(|_| profile.kind == Kind::Ollama);
        let window = profile.window.unwrap_or(OLLAMA_WINDOW_TOKENS).min(OLLAMA_WINDOW_TOKENS);
        let loaded = first.map(|model| Loaded { model: model.clone(), window });
        Self {
            profile,
            replies,
            at: 0,
            played: 0,
            slots,
            loaded,
            busy: None,
            calls: 0,
            requests: Vec::new(),
            violations: Vec::new(),
        }
    }

    /// Answers one request.
    pub fn answer(&mut self, method: &str, path: &str, body: &[u8]) -> Answer {
        if self.requests.len() >= REQUESTS_MAX {
            return self.violation(Protocol::OpenAi, format!("script: more than {REQUESTS_MAX} requests"));
        }
        let value: Value = serde_json::from_slice(body).unwrap_or_default();
        self.requests.push(Recorded {
            method: method.to_owned(),
            path: path.to_owned(),
            body: value.clone(),
        });
        if self.profile.kind == Kind::Html {
            return refusal::html();
        }
        match (self.profile.kind, route(path), method) {
            (Kind::Ollama, Route::OllamaChat, "POST") => self.chat(Protocol::Ollama, &value),
            (_, Route::OpenAiChat, "POST") => self.chat(Protocol::OpenAi, &value),
            (kind, ..) => {
                let (path, query) = path.split_once('?').unwrap_or((path, ""));
                if kind == Kind::LlamaRouter && path == "/props" {
                    return self.router_props(query);
                }
                self.listing(method, path, &value)
            }
        }
    }

    /// The refusal of a request without the server's key; None lets it in. Asked first, where there are headers.
    pub fn refuse_key(&self, path: &str, authorization: Option<&str>) -> Option<Answer> {
        refusal::no_key(&self.profile, path.split('?').next().unwrap_or_default(), authorization)
    }

    /// Whoever plays an answer says so when it is over, however it ended: the slot is idle again.
    pub fn finished(&mut self) {
        self.busy = None;
    }

    /// Sets what `/slots` says, as `slot busy` and `slot idle` do in a script.
    pub fn set_processing(&mut self, slot: Slot) {
        self.busy = (slot == Slot::Busy).then_some(0);
    }

    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Every request so far.
    pub fn requests(&self) -> &[Recorded] {
        &self.requests
    }

    /// Every request that a strict server refuses, and every one the script has no reply for, in words.
    pub fn violations(&self) -> &[String] {
        &self.violations
    }

    /// How many replies have not been played; a last one that repeats for ever counts until it was played once.
    pub fn replies_left(&self) -> usize {
        let repeating = self.replies.get(self.at).is_some_and(|reply| reply.times == Times::Ever);
        let under_way = usize::from(repeating && self.played > 0);
        self.replies.len() - self.at - under_way
    }

    /// A router passes `/props` on to the model that is named, and loads it unless told not to: what only looks must
    /// say so.
    fn router_props(&mut self, query: &str) -> Answer {
        let value = |key: &str| {
            let mut pairs = form_urlencoded::parse(query.as_bytes());
            pairs.find(|(name, _)| name == key).map(|(_, value)| value.into_owned())
        };
        let Some(name) = value("model") else { return refusal::json(200, &listing::router_props()) };
        if listing::find(&self.profile, &name).is_none() {
            return refusal::error(Protocol::OpenAi, 400, &format!("model '{name}' not found"));
        }
        if listing::is_loaded(&self.profile, &name) {
            return refusal::json(200, &listing::llamacpp_props(&self.profile, &name));
        }
        if value("autoload").as_deref() != Some("false") {
            let words = format!("router: /props?model={name} loads the model without autoload=false");
            return self.violation(Protocol::OpenAi, words);
        }
        refusal::error(Protocol::OpenAi, 400, "model is not loaded")
    }

    fn listing(&self, method: &str, path: &str, body: &Value) -> Answer {
        let profile = &self.profile;
        let value = match (profile.kind, path) {
            (Kind::LlamaCpp | Kind::LlamaRouter, "/health" | "/v1/health") => json!({"status": "ok"}),
            (Kind::LlamaRouter, "/v1/models" | "/models") => listing::router_models(profile),
            (Kind::LlamaCpp, "/props") => listing::llamacpp_props(profile, profile.model()),
            (Kind::LlamaCpp, "/v1/models" | "/models" | "/api/tags") => listing::llamacpp_models(profile),
            (Kind::LlamaCpp, "/slots") => listing::llamacpp_slots(profile, self.slots.len(), self.busy),
            (Kind::LlamaCpp, "/tokenize") => {
                let count = count::tokens(body["content"].as_str().unwrap_or_default().len());
                json!({"tokens": (0..count).collect::<Vec<_>>()})
            }
            (Kind::LlamaCpp, "/apply-template") => json!({"prompt": count::prompt(body, self.tools(""))}),
            (Kind::Ollama, "/") => return refusal::plain(200, "Ollama is running"),
            (Kind::Ollama, "/api/version") => listing::ollama_version(),
            (Kind::Ollama, "/api/tags") => listing::ollama_tags(profile),
            (Kind::Ollama, "/api/ps") => listing::ollama_ps(profile, self.loaded.as_ref()),
            (Kind::Ollama, "/api/show") => {
                let name = body["model"].as_str().or(body["name"].as_str()).unwrap_or_default();
                match listing::find(profile, name) {
                    Some(model) => listing::ollama_show(profile, model),
                    None => return refusal::unknown_model(profile.kind, Protocol::Ollama, name),
                }
            }
            (Kind::Ollama, "/v1/models") => listing::models(profile, "library"),
            (Kind::LmStudio, "/api/v0/models") => listing::lmstudio_models(profile),
            (Kind::LmStudio, "/v1/models") => listing::models(profile, "organization_owner"),
            (Kind::Vllm, "/v1/models") => listing::vllm_models(profile),
            (Kind::OpenAi, "/v1/models") => listing::models(profile, "scripted"),
            _ => return refusal::not_found(profile.kind, method, path),
        };
        refusal::json(200, &value)
    }

    fn tools(&self, model: &str) -> Tools {
        if listing::has(&self.profile, model, "tools") { Tools::Rendered } else { Tools::Dropped }
    }

    fn chat(&mut self, protocol: Protocol, body: &Value) -> Answer {
        let kind = self.profile.kind;
        let name = body["model"].as_str().unwrap_or_default().to_owned();
        if kind != Kind::LlamaCpp && listing::find(&self.profile, &name).is_none() {
            return refusal::unknown_model(kind, protocol, &name);
        }
        if matches!(kind, Kind::LlamaRouter | Kind::LmStudio) && !listing::is_loaded(&self.profile, &name) {
            self.profile.loaded.push(name.clone());
        }
        if let Err(wrong) = strict::check(protocol, body) {
            return self.violation(protocol, format!("strict: {wrong}"));
        }
        if kind == Kind::Ollama
            && let Some(refused) = refusal::incapable(&self.profile, &name, body)
        {
            return refused;
        }
        if let Some(refused) = refusal::unbound(&self.profile, body) {
            return refused;
        }
        let prompt = count::prompt(body, self.tools(&name));
        let mut tokens = count::tokens(prompt.len());
        if let Some(window) = self.allocate(protocol, &name, body)
            && tokens >= window
        {
            if kind != Kind::Ollama || body["truncate"] == json!(false) {
                return refusal::too_long(kind, tokens, window);
            }
            // The head of the prompt is dropped without a word.
            tokens = window;
        }
        let Some(reply) = self.next_reply() else {
            return self.violation(protocol, "script: no reply left".to_owned());
        };
        let (slot, cached) = self.slots.take(&prompt, body["id_slot"].as_u64());
        self.busy = (reply.slot == Slot::Busy).then_some(slot);
        if reply.slot == Slot::Idle {
            self.loaded = None;
        }
        // The last token is always read again: an answer begins with what follows it.
        self.render(protocol, body, &reply, tokens, cached.min(tokens.saturating_sub(1)))
    }

    /// The window this request has; Ollama loads the model with it.
    fn allocate(&mut self, protocol: Protocol, name: &str, body: &Value) -> Option<u64> {
        if self.profile.kind != Kind::Ollama {
            return self.profile.window;
        }
        // Its OpenAI endpoint has no way to ask.
        let asked = (protocol == Protocol::Ollama).then(|| body["options"]["num_ctx"].as_u64()).flatten();
        let model = listing::find(&self.profile, name).map_or(name, |model| &model.name).to_owned();
        let kept = self.loaded.as_ref().filter(|loaded| loaded.model == model && asked.is_none());
        let wanted = kept.map(|loaded| loaded.window).or(asked).unwrap_or(OLLAMA_WINDOW_TOKENS);
        let most = self.profile.window.unwrap_or(u64::MAX).min(self.profile.train);
        let window = wanted.min(most);
        self.loaded = Some(Loaded { model, window });
        Some(window)
    }

    fn next_reply(&mut self) -> Option<Reply> {
        let reply = self.replies.get(self.at)?.clone();
        self.played = self.played.saturating_add(1);
        if let Times::Count(count) = reply.times
            && self.played >= count
        {
            self.at += 1;
            self.played = 0;
        }
        Some(reply)
    }

    fn render(
        &mut self,
        protocol: Protocol,
        body: &Value,
        reply: &Reply,
        prompt: u64,
        cached: u64,
    ) -> Answer {
        if reply.end() == Some(End::Refuse) {
            return Answer::Refuse;
        }
        if let Some(status) = &reply.status {
            return refusal::scripted(status, reply);
        }
        let output = count::tokens(reply.steps.iter().map(frame::output_bytes).sum());
        let frame = Frame {
            profile: &self.profile,
            model: body["model"].as_str().unwrap_or_else(|| self.profile.model()),
            reply,
            asked: Asked {
                stream: body["stream"].as_bool().unwrap_or(protocol == Protocol::Ollama),
                include_usage: body["stream_options"]["include_usage"] == json!(true),
                return_progress: body["return_progress"] == json!(true),
            },
            counts: counts(reply.usage, Counts { prompt, cached, output }),
            ids: call_ids(&mut self.calls, body, reply),
            number: self.requests.len(),
        };
        let mut status = 200;
        let (content_type, plays) = if frame.asked.stream && reply.form == Form::AsAsked {
            match protocol {
                Protocol::OpenAi => ("text/event-stream", openai::stream(&frame)),
                Protocol::Ollama => ("application/x-ndjson", ollama::stream(&frame)),
            }
        } else {
            let whole = match (protocol, error_step(reply)) {
                (Protocol::OpenAi, Some(said)) => Err(json!({"error": {"message": said, "code": 500}})),
                (Protocol::Ollama, Some(said)) => Err(json!({"error": said})),
                (Protocol::OpenAi, None) => Ok(openai::whole(&frame)),
                (Protocol::Ollama, None) => ollama::whole(&frame),
            };
            let value = whole.unwrap_or_else(|error| {
                status = 500;
                error
            });
            ("application/json; charset=utf-8", frame.whole(&value))
        };
        let mut headers = vec![("content-type".to_owned(), content_type.to_owned())];
        headers.extend(reply.headers.iter().cloned());
        Answer::Http { status, headers, plays }
    }

    fn violation(&mut self, protocol: Protocol, words: String) -> Answer {
        let answer = refusal::error(protocol, 500, &words);
        self.violations.push(words);
        answer
    }
}

fn counts(usage: Usage, counted: Counts) -> Counts {
    match usage {
        Usage::Counted | Usage::Absent => counted,
        Usage::Given { prompt, cached, output } => Counts {
            prompt: prompt.unwrap_or(counted.prompt),
            cached: cached.unwrap_or(counted.cached.min(prompt.unwrap_or(counted.prompt))),
            output: output.unwrap_or(counted.output),
        },
    }
}

/// Ids no call of this conversation has, whichever player gave the others.
fn call_ids(last: &mut u64, body: &Value, reply: &Reply) -> Vec<String> {
    for message in body["messages"].as_array().into_iter().flatten() {
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let number = call["id"].as_str().and_then(|id| id.strip_prefix("call_")?.parse().ok());
            *last = (*last).max(number.unwrap_or(0));
        }
    }
    reply
        .calls()
        .map(|call| {
            call.id.clone().unwrap_or_else(|| {
                *last = last.saturating_add(1);
                format!("call_{last}")
            })
        })
        .collect()
}

fn error_step(reply: &Reply) -> Option<&str> {
    reply.steps.iter().find_map(|step| match step {
        Step::Error(said) => Some(said.as_str()),
        _ => None,
    })
}
