//! One HTTP request read off a connection, its size bounded before anything is kept.
//!
//! Bodies come with `content-length`; a client that sends chunks is told that a length is due. What was read beyond
//! the request stays in the buffer: it is the next one.

use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const HEAD_BYTES_MAX: usize = 64 * 1024;
const HEADERS_MAX: usize = 64;
const BODY_BYTES_MAX: usize = 32 * 1024 * 1024;

pub(super) struct Request {
    pub method: String,
    pub path: String,
    /// The header `authorization`.
    pub authorization: Option<String>,
    pub body: Vec<u8>,
    pub after: After,
}

/// What becomes of the connection when the answer is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    KeepOpen,
    Close,
}

/// A request that is not answered by the script.
#[derive(Debug)]
pub(super) enum Broken {
    /// The client closed, or sent half a request and closed.
    Gone,
    /// Answered with this status and words.
    Refused(u16, &'static str),
}

impl From<io::Error> for Broken {
    fn from(_: io::Error) -> Self {
        Self::Gone
    }
}

struct Head {
    request: Request,
    head_bytes: usize,
    body_bytes: usize,
    expects_continue: bool,
}

/// Reads the next request; `buffer` holds what was read already.
pub(super) async fn read(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Result<Request, Broken> {
    let head = loop {
        if let Some(head) = parse(buffer)? {
            break head;
        }
        if buffer.len() >= HEAD_BYTES_MAX {
            return Err(Broken::Refused(431, "the request's head is too long"));
        }
        if stream.read_buf(buffer).await? == 0 {
            return Err(Broken::Gone);
        }
    };
    let whole = head.head_bytes + head.body_bytes;
    if head.expects_continue && buffer.len() < whole {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").await?;
    }
    while buffer.len() < whole {
        if stream.read_buf(buffer).await? == 0 {
            return Err(Broken::Gone);
        }
    }
    let mut request = head.request;
    request.body = buffer[head.head_bytes..whole].to_vec();
    buffer.drain(..whole);
    Ok(request)
}

fn parse(buffer: &[u8]) -> Result<Option<Head>, Broken> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut parsed = httparse::Request::new(&mut headers);
    let head_bytes = match parsed.parse(buffer) {
        Ok(httparse::Status::Complete(bytes)) => bytes,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(_) => return Err(Broken::Refused(400, "this is no HTTP/1.1 request")),
    };
    let mut head = Head {
        request: Request {
            method: parsed.method.unwrap_or_default().to_owned(),
            path: parsed.path.unwrap_or_default().to_owned(),
            authorization: None,
            body: Vec::new(),
            after: if parsed.version == Some(0) { After::Close } else { After::KeepOpen },
        },
        head_bytes,
        body_bytes: 0,
        expects_continue: false,
    };
    for header in parsed.headers {
        let value = std::str::from_utf8(header.value).unwrap_or_default().trim();
        if header.name.eq_ignore_ascii_case("content-length") {
            head.body_bytes =
                value.parse().map_err(|_| Broken::Refused(400, "content-length is no number"))?;
        } else if header.name.eq_ignore_ascii_case("transfer-encoding") {
            return Err(Broken::Refused(411, "a body with content-length is due"));
        } else if header.name.eq_ignore_ascii_case("connection") {
            let closes = value.eq_ignore_ascii_case("close");
            head.request.after = if closes { After::Close } else { After::KeepOpen };
        } else if header.name.eq_ignore_ascii_case("authorization") {
            head.request.authorization = Some(value.to_owned());
        } else if header.name.eq_ignore_ascii_case("expect") {
            head.expects_continue = value.eq_ignore_ascii_case("100-continue");
        }
    }
    if head.body_bytes > BODY_BYTES_MAX {
        return Err(Broken::Refused(413, "the request's body is too long"));
    }
    Ok(Some(head))
}
