//! Talking to a model's server: one request, its answer as events, and the question whether it still works on it.
//!
//! What a failure means is decided in the core; here it is only told apart. Nothing is retried here. Dropping the task
//! closes the connection, which frees the server's slot.

use std::time::Duration;

use crate::server_slots::ServerSlots;
use bowline_core::retry::Failure;
use bowline_core::servers::{ServerKind, ollama_allocated};
use bowline_core::turn::{Allocated, Event, Life};
use bowline_core::wire::{Decoder, Delta, Request};
use futures_util::StreamExt as _;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use serde_json::Value;
use tokio::sync::mpsc::Sender;

/// Time to make a connection.
const CONNECT_MS_MAX: u64 = 2_000;
/// Time for the body of an error, and for a question about life.
const SIDE_ANSWER_MS_MAX: u64 = 2_000;
/// The most bytes that are read of an error's body.
const ERROR_BYTES_MAX: usize = 64 * 1024;
/// The most bytes that are read of a listing: another program on a usual port might send without end.
const LISTING_BYTES_MAX: usize = 8 * 1024 * 1024;

/// A model on a server, ready to be asked.
#[derive(Debug, Clone)]
pub struct Endpoint {
    pub kind: ServerKind,
    pub base_url: String,
    pub key: Option<String>,
}

/// The client for one server.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    endpoint: Endpoint,
    slots: Option<ServerSlots>,
}

/// A client could not be made.
#[derive(Debug, thiserror::Error)]
#[error("no HTTP client could be made: {0}")]
pub struct NoClient(#[source] reqwest::Error);

/// An HTTP client. A proxy of the environment is not for this machine or its network: local traffic stays local.
pub(crate) fn http(base_url: &str) -> Result<reqwest::Client, NoClient> {
    // Fails only where a provider is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        .connect_timeout(Duration::from_millis(CONNECT_MS_MAX))
        .redirect(reqwest::redirect::Policy::none());
    if !base_url.starts_with("https:") {
        // Plain HTTP needs no certificates, and reading them takes longer than the whole start.
        builder = builder.tls_certs_only([]);
    }
    if is_near(base_url) {
        builder = builder.no_proxy();
    }
    builder.build().map_err(NoClient)
}

/// Whether an address is on this machine or a private network.
pub(crate) fn is_near(url: &str) -> bool {
    let Ok(url) = reqwest::Url::parse(url) else { return false };
    let Some(host) = url.host_str() else { return false };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    match host.parse::<std::net::IpAddr>() {
        Ok(std::net::IpAddr::V4(ip)) => {
            ip.is_loopback() || ip.is_private() || ip.is_link_local() || ip.is_unspecified()
        }
        Ok(std::net::IpAddr::V6(ip)) => {
            ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local()
        }
        Err(_) => host == "localhost" || host.ends_with(".localhost") || host.ends_with(".local"),
    }
}

impl Client {
    pub fn new(endpoint: Endpoint) -> Result<Client, NoClient> {
        Ok(Client { http: http(&endpoint.base_url)?, endpoint, slots: None })
    }

    /// The same, letting others who use the server finish first.
    #[must_use]
    pub fn through(self, slots: ServerSlots) -> Client {
        Client { slots: Some(slots), ..self }
    }

    /// Plays one model call into `events`, up to its end or failure.
    pub async fn call(self, call: u64, mut request: Box<Request>, events: Sender<Event>) {
        // The pass is held until the answer is whole, or nobody listens any more.
        let mut has_waited = false;
        let waiting = || {
            has_waited = true;
            send(&events, call, vec![Delta::Queued])
        };
        let pass = match &self.slots {
            Some(slots) => Some(slots.enter(waiting).await),
            None => None,
        };
        if has_waited {
            // From here on it is the server that is waited for.
            send(&events, call, vec![Delta::Alive]).await;
        }
        request.dialect.slot = pass.as_ref().and_then(|pass| pass.slot);
        let last = match self.stream(call, &request, &events).await {
            Ok(()) => Event::Ended { call },
            Err(failure) => Event::Failed { call, failure },
        };
        // Whoever hears of the end may ask again at once, and must not wait for itself.
        drop(pass);
        // Nobody listens any more when the turn is over.
        let _ = events.send(last).await;
    }

    async fn stream(&self, call: u64, request: &Request, events: &Sender<Event>) -> Result<(), Failure> {
        let url = format!("{}{}", self.endpoint.base_url, request.dialect.protocol.chat_path());
        let mut post = self.http.post(url).header(CONTENT_TYPE, "application/json").body(request.body());
        if let Some(key) = &self.endpoint.key {
            post = post.header(AUTHORIZATION, format!("Bearer {key}"));
        }
        let response = post.send().await.map_err(|error| unsent(&error))?;
        if !response.status().is_success() {
            return Err(refused(response).await);
        }
        let content_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        if content_type.is_some_and(|value| value.starts_with("text/html")) {
            return Err(Failure::Foreign { what: "it answers with a web page".to_owned() });
        }
        let mut decoder = Decoder::new();
        let mut body = response.bytes_stream();
        while let Some(bytes) = body.next().await {
            match bytes {
                Ok(bytes) => send(events, call, decoder.push(&bytes)).await,
                Err(_) if decoder.has_ended() => break,
                Err(error) => return Err(Failure::Cut { why: causes(&error) }),
            }
        }
        send(events, call, decoder.finish()).await;
        if decoder.has_ended() { Ok(()) } else { Err(Failure::Cut { why: "it ended too soon".to_owned() }) }
    }

    /// How Ollama has the model in its memory; nothing where it does not say.
    pub async fn allocated(&self, model: &str) -> Allocated {
        let url = format!("{}/api/ps", root(&self.endpoint.base_url));
        let running = get_json(&self.http, &url, self.endpoint.key.as_deref(), SIDE_ANSWER_MS_MAX).await;
        running.map_or_else(|_| Allocated::default(), |running| ollama_allocated(&running, model))
    }

    /// Whether the server still works for us.
    pub async fn life(&self) -> Life {
        let url = format!("{}{}", root(&self.endpoint.base_url), self.endpoint.kind.life_path());
        match get_json(&self.http, &url, self.endpoint.key.as_deref(), SIDE_ANSWER_MS_MAX).await {
            Ok(answer) => self.endpoint.kind.life(&answer),
            Err(_) => Life::Gone,
        }
    }
}

/// The server's root: the base without `/v1`.
pub(crate) fn root(base_url: &str) -> &str {
    let base = base_url.trim_end_matches('/');
    base.strip_suffix("/v1").unwrap_or(base)
}

/// Why a listing could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoListing {
    /// The variable with its key is not set, so it was not asked.
    NoKey,
    Silent,
    Status(u16),
    NotJson,
}

pub(crate) async fn get_json(
    http: &reqwest::Client,
    url: &str,
    key: Option<&str>,
    ms_max: u64,
) -> Result<Value, NoListing> {
    read_json(with_key(http.get(url).timeout(Duration::from_millis(ms_max)), key).send().await).await
}

pub(crate) async fn post_json(
    http: &reqwest::Client,
    url: &str,
    key: Option<&str>,
    body: &Value,
    ms_max: u64,
) -> Result<Value, NoListing> {
    let post = http.post(url).body(body.to_string()).timeout(Duration::from_millis(ms_max));
    read_json(with_key(post, key).send().await).await
}

fn with_key(request: reqwest::RequestBuilder, key: Option<&str>) -> reqwest::RequestBuilder {
    match key {
        Some(key) => request.header(AUTHORIZATION, format!("Bearer {key}")),
        None => request,
    }
}

/// The answer to a request for a listing, within its time and size.
async fn read_json(sent: reqwest::Result<reqwest::Response>) -> Result<Value, NoListing> {
    let response = sent.map_err(|_| NoListing::Silent)?;
    if !response.status().is_success() {
        return Err(NoListing::Status(response.status().as_u16()));
    }
    let mut body = Vec::new();
    let mut bytes = response.bytes_stream();
    while let Some(next) = bytes.next().await {
        body.extend_from_slice(&next.map_err(|_| NoListing::Silent)?);
        if body.len() > LISTING_BYTES_MAX {
            return Err(NoListing::NotJson);
        }
    }
    serde_json::from_slice(&body).map_err(|_| NoListing::NotJson)
}

async fn send(events: &Sender<Event>, call: u64, deltas: Vec<Delta>) {
    if !deltas.is_empty() {
        let _ = events.send(Event::Deltas { call, deltas }).await;
    }
}

fn unsent(error: &reqwest::Error) -> Failure {
    if error.is_connect() || error.is_timeout() {
        Failure::Unreachable { why: causes(error) }
    } else {
        Failure::Cut { why: causes(error) }
    }
}

async fn refused(response: reqwest::Response) -> Failure {
    let code = response.status().as_u16();
    let header = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    let retry_after_ms =
        header.and_then(|value| value.trim().parse::<i64>().ok()).map(|s| s.saturating_mul(1000));
    let mut body = Vec::new();
    let mut bytes = response.bytes_stream();
    let deadline = tokio::time::Instant::now() + Duration::from_millis(SIDE_ANSWER_MS_MAX);
    while let Ok(Some(Ok(next))) = tokio::time::timeout_at(deadline, bytes.next()).await {
        body.extend_from_slice(&next);
        if body.len() > ERROR_BYTES_MAX {
            break;
        }
    }
    Failure::Status { code, body: String::from_utf8_lossy(&body).into_owned(), retry_after_ms }
}

/// The innermost cause says what happened; the outer ones say that something did.
fn causes(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::is_near;

    #[test]
    fn what_is_on_this_machine_or_its_network() {
        for url in [
            "http://127.0.0.1:8080/v1",
            "http://[::1]:11434",
            "http://localhost",
            "http://192.168.1.7",
            "http://box.local",
        ] {
            assert!(is_near(url), "{url}");
        }
        for url in [
            "https://ollama.com",
            "http://8.8.8.8:11434",
            "http://localhost.example.com",
            "http://[2606:4700::1]",
            "no address",
        ] {
            assert!(!is_near(url), "{url}");
        }
    }
}
