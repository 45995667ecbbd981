//! A tiny model server that notes when a request to a model arrives and how long it is, then answers "ok". It speaks just
//! enough of chat completions and of OpenAI's responses for an agent to end its turn, lists one model as llama.cpp does,
//! and checks nothing. One request per connection.

use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

const BODY_BYTES_MAX: usize = 64 << 20;
const HEAD_LINES_MAX: usize = 200;
const READ_MAX: Duration = Duration::from_secs(30);
const WINDOW_TOKENS: u64 = 32_768;

/// A request to a model. The agent gets its answer when this is dropped, so that it can be looked at while it waits.
pub(crate) struct Seen {
    pub(crate) at: Instant,
    pub(crate) body_bytes: usize,
    _answer: SyncSender<()>,
}

pub(crate) struct Recorder {
    address: SocketAddr,
    pub(crate) seen: Receiver<Seen>,
}

impl Recorder {
    pub(crate) fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").context("no port on this machine")?;
        let address = listener.local_addr()?;
        let (sender, seen) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let sender = sender.clone();
                // A connection that breaks is the agent's to notice.
                std::thread::spawn(move || serve(&stream, &sender).ok());
            }
        });
        Ok(Self { address, seen })
    }

    /// The address as agents take it, with the version of the interface.
    pub(crate) fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }
}

struct Request {
    line: String,
    at: Instant,
    body: Vec<u8>,
}

fn serve(stream: &TcpStream, sender: &Sender<Seen>) -> Result<()> {
    stream.set_read_timeout(Some(READ_MAX))?;
    let request = read(&mut BufReader::new(stream))?;
    let Some(body) = answer(&request.line, &request.body) else {
        return send(stream, "404 Not Found", &Answer::Json(json!({ "error": { "message": "not here" } })));
    };
    if request.line.starts_with("POST ") {
        let (answer, looked_at) = sync_channel(0);
        sender.send(Seen { at: request.at, body_bytes: request.body.len(), _answer: answer }).ok();
        looked_at.recv().ok();
    }
    send(stream, "200 OK", &body)
}

fn read(reader: &mut impl BufRead) -> Result<Request> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let at = Instant::now();
    let mut length = 0;
    let mut chunked = false;
    for _ in 0..HEAD_LINES_MAX {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let header = header.trim().to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().context("a length that is no number")?;
        }
        chunked |= header.starts_with("transfer-encoding:") && header.contains("chunked");
    }
    let body = if chunked { read_chunks(reader)? } else { read_exactly(reader, length)? };
    Ok(Request { line, at, body })
}

fn read_chunks(reader: &mut impl BufRead) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut size = String::new();
        reader.read_line(&mut size)?;
        let size = usize::from_str_radix(size.trim(), 16).context("a chunk without its size")?;
        if size == 0 {
            return Ok(body);
        }
        anyhow::ensure!(body.len() + size <= BODY_BYTES_MAX, "the request is too long");
        body.extend(read_exactly(reader, size)?);
        read_exactly(reader, 2)?;
    }
}

fn read_exactly(reader: &mut impl BufRead, length: usize) -> Result<Vec<u8>> {
    anyhow::ensure!(length <= BODY_BYTES_MAX, "the request is too long");
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}

enum Answer {
    Json(Value),
    /// Server-sent events: each with a name where the protocol has one.
    Events(Vec<(Option<&'static str>, String)>),
}

fn answer(line: &str, body: &[u8]) -> Option<Answer> {
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?, words.next()?);
    let path = target.split('?').next()?.trim_start_matches("/v1");
    match (method, path) {
        ("GET", "/models") => Some(Answer::Json(json!({
            "object": "list",
            "data": [{ "id": "bench", "object": "model", "owned_by": "llamacpp", "meta": { "n_ctx_train": WINDOW_TOKENS } }],
        }))),
        ("GET", "/health") => Some(Answer::Json(json!({ "status": "ok" }))),
        ("GET", "/props") => Some(Answer::Json(json!({
            "default_generation_settings": { "n_ctx": WINDOW_TOKENS }, "total_slots": 1, "model_path": "bench.gguf",
        }))),
        ("POST", "/chat/completions") => Some(completion(body)),
        ("POST", "/responses") => Some(response()),
        _ => None,
    }
}

/// "ok" as chat completions say it, streamed if that was asked for.
fn completion(body: &[u8]) -> Answer {
    let request: Value = serde_json::from_slice(body).unwrap_or_default();
    // About as many tokens as the request has; an agent may stop when the server seems to have dropped some.
    let prompt_tokens = body.len() / 3;
    let usage =
        json!({ "prompt_tokens": prompt_tokens, "completion_tokens": 1, "total_tokens": prompt_tokens + 1 });
    if request.get("stream") != Some(&Value::Bool(true)) {
        let choice = json!({ "index": 0, "finish_reason": "stop", "message": { "role": "assistant", "content": "ok" } });
        return Answer::Json(json!({
            "id": "bench", "object": "chat.completion", "created": 0, "model": "bench", "choices": [choice], "usage": usage,
        }));
    }
    let chunk = |choices: Value, usage: Value| {
        let chunk = json!({
            "id": "bench", "object": "chat.completion.chunk", "created": 0, "model": "bench",
            "choices": choices, "usage": usage,
        });
        (None, chunk.to_string())
    };
    let said =
        json!([{ "index": 0, "delta": { "role": "assistant", "content": "ok" }, "finish_reason": null }]);
    let ended = json!([{ "index": 0, "delta": {}, "finish_reason": "stop" }]);
    Answer::Events(vec![
        chunk(said, Value::Null),
        chunk(ended, Value::Null),
        chunk(json!([]), usage),
        (None, "[DONE]".to_owned()),
    ])
}

/// "ok" as OpenAI's responses stream it.
fn response() -> Answer {
    let item = json!({
        "type": "message", "id": "item", "role": "assistant", "status": "completed",
        "content": [{ "type": "output_text", "text": "ok", "annotations": [] }],
    });
    let usage = json!({ "input_tokens": 1, "output_tokens": 1, "total_tokens": 2 });
    let event = |name: &'static str, mut body: Value| {
        body["type"] = json!(name);
        (Some(name), body.to_string())
    };
    Answer::Events(vec![
        event("response.created", json!({ "response": { "id": "bench" } })),
        event("response.output_item.done", json!({ "output_index": 0, "item": item })),
        event(
            "response.completed",
            json!({ "response": { "id": "bench", "output": [item], "usage": usage } }),
        ),
    ])
}

fn send(mut stream: &TcpStream, status: &str, answer: &Answer) -> Result<()> {
    let (kind, body) = match answer {
        Answer::Json(value) => ("application/json", value.to_string()),
        Answer::Events(events) => ("text/event-stream", events.iter().map(event_text).collect()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    Ok(())
}

fn event_text((name, data): &(Option<&'static str>, String)) -> String {
    let name = name.map(|name| format!("event: {name}\n")).unwrap_or_default();
    format!("{name}data: {data}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_noted_with_its_length_and_answered_once_it_was_looked_at() {
        let recorder = Recorder::start().unwrap();
        let url = recorder.base_url();
        let client = std::thread::spawn(move || super::super::floor::run(&url));
        let seen = recorder.seen.recv().unwrap();
        assert!(seen.body_bytes > 50 && !client.is_finished());
        drop(seen);
        client.join().unwrap().unwrap();
    }

    #[test]
    fn a_body_in_chunks_is_put_together() {
        let text = "POST /v1/responses HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
        let request = read(&mut BufReader::new(text.as_bytes())).unwrap();
        assert_eq!(request.body, b"abcde");
    }
}
