//! `cargo xtask bench-floor URL`: a program that only starts, sends one request to a model's server and reads the answer.
//! No agent can be quicker; what it takes is the machine's share of everybody's figure.

use anyhow::{Context, Result};
use std::io::{Read, Write};
use std::net::TcpStream;

const BODY: &str = r#"{"model":"bench","stream":true,"messages":[{"role":"user","content":"Say ok."}]}"#;

pub(crate) fn run(url: &str) -> Result<()> {
    let rest = url.strip_prefix("http://").context("the address has to begin with http://")?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let mut stream = TcpStream::connect(host).with_context(|| format!("{host} does not answer"))?;
    let head = format!(
        "POST /{path}/chat/completions HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        BODY.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(BODY.as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(())
}
