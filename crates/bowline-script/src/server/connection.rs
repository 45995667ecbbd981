//! One connection: requests in turn, each answer played in real time.
//!
//! While an answer is played the client is watched: one that closes ends the play at once and is counted. Status and
//! headers are written with the first bytes, so that silence before them is silence on the wire.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{ReadHalf, WriteHalf};

use super::Shared;
use super::request::{self, After, Broken, Request};
use crate::player::{self, Answer, Play};

/// What a client may send ahead while it is being answered; a longer request is read when its turn comes.
const AHEAD_BYTES_MAX: usize = 64 * 1024;

/// How long a client that was refused may go on sending.
const DRAIN_MAX: Duration = Duration::from_secs(2);

pub(super) async fn serve(mut stream: TcpStream, shared: Arc<Shared>) {
    // A chunk should leave when it is played, not when the next one comes.
    let _ = stream.set_nodelay(true);
    let mut buffer = Vec::new();
    loop {
        let request = match request::read(&mut stream, &mut buffer).await {
            Ok(request) => request,
            Err(Broken::Gone) => return,
            Err(Broken::Refused(status, words)) => {
                let head = head(status, &[], Length::Bytes(words.len()), After::Close);
                if stream.write_all(&[head.as_slice(), words.as_bytes()].concat()).await.is_ok() {
                    drain(&mut stream).await;
                }
                return;
            }
        };
        let answer = {
            let mut player = shared.player();
            player
                .refuse_key(&request.path, request.authorization.as_deref())
                .unwrap_or_else(|| player.answer(&request.method, &request.path, &request.body))
        };
        shared.bell.notify_waiters();
        let Answer::Http { status, headers, plays } = answer else {
            finished(&shared, &request);
            return;
        };
        let response = Response { length: length(&headers, &plays), status, headers, after: request.after };
        let end = watched(&mut stream, &mut buffer, &response, &plays).await;
        if end == End::ClientGone {
            shared.aborted.fetch_add(1, Ordering::SeqCst);
        }
        finished(&shared, &request);
        match end {
            End::Complete if request.after == After::KeepOpen => {}
            End::Reset => {
                // With nothing to linger for, closing sends RST.
                let _ = rustix::net::sockopt::set_socket_linger(&stream, Some(Duration::ZERO));
                return;
            }
            End::Complete | End::Cut | End::ClientGone => return,
        }
    }
}

/// Reads away what the client still sends: closing on unread bytes would reset the connection and take the answer
/// with it.
async fn drain(stream: &mut TcpStream) {
    let _ = stream.shutdown().await;
    let mut rest = vec![0; AHEAD_BYTES_MAX];
    let until_closed = async { while stream.read(&mut rest).await.is_ok_and(|bytes| bytes > 0) {} };
    let _ = tokio::time::timeout(DRAIN_MAX, until_closed).await;
}

/// The end of a listing says nothing of the model: only an answer of the model's frees its slot.
fn finished(shared: &Shared, request: &Request) {
    if player::is_chat(&request.path) {
        shared.player().finished();
    }
    shared.bell.notify_waiters();
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Complete,
    Cut,
    Reset,
    ClientGone,
}

struct Response {
    status: u16,
    headers: Vec<(String, String)>,
    length: Length,
    after: After,
}

/// How the client knows where the body ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Length {
    Bytes(usize),
    Chunked,
}

/// Streams are chunked; other bodies tell their length, also when they will be cut before it.
fn length(headers: &[(String, String)], plays: &[Play]) -> Length {
    let streams = headers.iter().any(|(name, value)| {
        name == "content-type" && (value.starts_with("text/event-stream") || value.ends_with("ndjson"))
    });
    if streams {
        return Length::Chunked;
    }
    let bytes: usize =
        plays.iter().map(|play| if let Play::Bytes(bytes) = play { bytes.len() } else { 0 }).sum();
    let broken = plays.iter().any(|play| matches!(play, Play::Cut | Play::Reset | Play::Hang));
    Length::Bytes(if broken { bytes + 1 } else { bytes })
}

async fn watched(stream: &mut TcpStream, buffer: &mut Vec<u8>, response: &Response, plays: &[Play]) -> End {
    let (mut reading, mut writing) = stream.split();
    tokio::select! {
        // An answer that is complete was not aborted, even if the client closes in the same moment.
        biased;
        end = play(&mut writing, response, plays) => end,
        () = client_gone(&mut reading, buffer) => End::ClientGone,
    }
}

/// Ends when the client closes; keeps what it sends ahead.
async fn client_gone(reading: &mut ReadHalf<'_>, buffer: &mut Vec<u8>) {
    while buffer.len() < AHEAD_BYTES_MAX {
        match reading.read_buf(buffer).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
    }
    std::future::pending::<()>().await;
}

async fn play(writing: &mut WriteHalf<'_>, response: &Response, plays: &[Play]) -> End {
    let mut unsent = head(response.status, &response.headers, response.length, response.after);
    for play in plays {
        match play {
            Play::Wait(ms) => tokio::time::sleep(Duration::from_millis(*ms)).await,
            Play::Bytes(bytes) => {
                push_body(&mut unsent, bytes, response.length);
                if writing.write_all(&unsent).await.is_err() {
                    return End::ClientGone;
                }
                unsent.clear();
            }
            Play::Cut => return End::Cut,
            Play::Reset => return End::Reset,
            Play::Hang => std::future::pending().await,
        }
    }
    if response.length == Length::Chunked {
        unsent.extend_from_slice(b"0\r\n\r\n");
    }
    if writing.write_all(&unsent).await.is_err() { End::ClientGone } else { End::Complete }
}

fn push_body(out: &mut Vec<u8>, bytes: &[u8], length: Length) {
    match length {
        Length::Bytes(_) => out.extend_from_slice(bytes),
        // A chunk of no bytes would end the body.
        Length::Chunked if bytes.is_empty() => {}
        Length::Chunked => {
            out.extend_from_slice(format!("{:x}\r\n", bytes.len()).as_bytes());
            out.extend_from_slice(bytes);
            out.extend_from_slice(b"\r\n");
        }
    }
}

fn head(status: u16, headers: &[(String, String)], length: Length, after: After) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} {}\r\n", reason(status));
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    match length {
        Length::Bytes(bytes) => head.push_str(&format!("content-length: {bytes}\r\n")),
        Length::Chunked => head.push_str("transfer-encoding: chunked\r\n"),
    }
    let connection = if after == After::Close { "close" } else { "keep-alive" };
    head.push_str(&format!("connection: {connection}\r\n\r\n"));
    head.into_bytes()
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        404 => "Not Found",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "Scripted",
    }
}
