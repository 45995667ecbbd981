//! Every form of an answer as bytes: a scenario's replies in, what goes over the wire out.
//!
//! A case is a scenario whose `expect` holds the answers. Its options shape the requests: `stream=false`, `usage=no`,
//! `progress=yes`, `path=…`, `get=…` for a listing, `num_ctx=…`, `repeat=…` for more requests than replies.

use std::fmt::Write;
use std::path::Path;

use bowline_script::{Answer, Kind, Play, Player, Scenario, replace_section};
use serde_json::{Value, json};

fn request(scenario: &Scenario) -> Value {
    let mut body = json!({
        "model": scenario.option("model").unwrap_or(scenario.server.model()),
        "messages": [{"role": "system", "content": "You are terse."}, {"role": "user", "content": "Hello."}],
    });
    if scenario.option("tools").is_some() {
        body["tools"] =
            json!([{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]);
    }
    if scenario.server.kind == Kind::Ollama {
        if let Some(count) = scenario.option("num_ctx") {
            body["options"] = json!({"num_ctx": count.parse::<u64>().unwrap()});
        }
        body["truncate"] = json!(scenario.option("truncate") == Some("true"));
        if scenario.option("think").is_some() {
            body["think"] = json!(true);
        }
    }
    match scenario.option("stream") {
        Some("false") => body["stream"] = json!(false),
        _ => body["stream"] = json!(true),
    }
    if scenario.option("usage") != Some("no") {
        body["stream_options"] = json!({"include_usage": true});
    }
    if scenario.option("progress").is_some() {
        body["return_progress"] = json!(true);
    }
    body
}

fn shown(answer: &Answer) -> String {
    let Answer::Http { status, headers, plays } = answer else { return "refused\n".to_owned() };
    let mut out = format!("HTTP {status}\n");
    for (name, value) in headers {
        writeln!(out, "{name}: {value}").unwrap();
    }
    for play in plays {
        match play {
            Play::Wait(ms) => writeln!(out, "[wait {ms} ms]").unwrap(),
            Play::Bytes(bytes) => {
                let text = String::from_utf8_lossy(bytes).replace('\r', "\\r").replace('\n', "\\n\n");
                for line in text.split_inclusive('\n') {
                    writeln!(out, "> {}", line.trim_end_matches('\n')).unwrap();
                }
            }
            Play::Cut => out.push_str("[cut]\n"),
            Play::Reset => out.push_str("[reset]\n"),
            Play::Hang => out.push_str("[hang]\n"),
        }
    }
    out
}

fn answers(scenario: &Scenario) -> String {
    let mut player = Player::new(scenario.server.clone(), scenario.replies.clone());
    let default = if scenario.server.kind == Kind::Ollama { "/api/chat" } else { "/v1/chat/completions" };
    let path = scenario.option("path").unwrap_or(default);
    let body = request(scenario).to_string();
    let count = scenario.option("repeat").map_or(scenario.replies.len(), |count| count.parse().unwrap());
    let mut out = String::new();
    for _ in 0..count {
        out.push_str(&shown(&player.answer("POST", path, body.as_bytes())));
    }
    for (_, path) in scenario.options.iter().filter(|(key, _)| key == "get") {
        let about = json!({"model": scenario.server.model(), "content": "eight by"}).to_string();
        writeln!(out, "GET {path}").unwrap();
        out.push_str(&shown(&player.answer("GET", path, about.as_bytes())));
    }
    for violation in player.violations() {
        writeln!(out, "violation: {violation}").unwrap();
    }
    out
}

fn check_folder(folder: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder);
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let mut wrong = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let came = answers(&scenario);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, replace_section(&text, "expect", &came)).unwrap();
        } else if scenario.section("expect") != Some(came.as_str()) {
            wrong.push(format!("{}: came\n{came}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}\nUPDATE_EXPECT=1 accepts what came", wrong.join("\n"));
}

#[test]
fn every_form_of_an_answer() {
    check_folder("wire");
}

#[test]
fn every_listing() {
    check_folder("listing");
}
