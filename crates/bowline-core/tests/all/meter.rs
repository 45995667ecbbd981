//! The meter that is learned from a log, line by line: `model NAME`, `work`, `write` and `compaction` (a step of that kind
//! begins), `read 900 of 3150` (the server has counted 900 tokens in a prompt of 3,150 bytes), `cached 800 of 3150 new 100`,
//! `uncounted`, `old 900` (a log of an older version). After each prompt: bytes a token, and whether part of it was dropped.

use std::fmt::Write as _;

use bowline_core::entry::{Body, ModelRef, SessionUpdated, StepCompleted, StepPurpose, StepStarted, Usage};
use bowline_core::mode::Mode;
use bowline_core::window::LearnedMeter;

fn completed(new: i64, cached: i64, request_bytes: Option<i64>) -> Body {
    let usage = Usage { prompt_new: new, prompt_cached: cached, ..Usage::default() };
    Body::StepCompleted(StepCompleted { message: "m2".to_owned(), step: 1, usage, request_bytes })
}

fn body(line: &str) -> Body {
    let words: Vec<&str> = line.split_whitespace().collect();
    let number = |at: usize| words[at].parse::<i64>().unwrap();
    let begins = |purpose| Body::StepStarted(StepStarted::new("m2", 1, purpose));
    match words[0] {
        "model" => {
            let (model, base_url) = (words[1].to_owned(), "http://127.0.0.1".to_owned());
            let model = ModelRef { model, base_url, window: 8_192, mode: Mode::Native };
            Body::SessionUpdated(SessionUpdated { model: Some(model), ..SessionUpdated::default() })
        }
        "work" => begins(StepPurpose::Work),
        "write" => begins(StepPurpose::Write),
        "compaction" => begins(StepPurpose::Compaction),
        "read" => completed(number(1), 0, Some(number(3))),
        "cached" => completed(number(5), number(1), Some(number(3))),
        "uncounted" => completed(0, 0, None),
        "old" => completed(number(1), 0, None),
        other => panic!("unknown line {other}"),
    }
}

fn play(input: &str) -> String {
    let mut meter = LearnedMeter::default();
    let mut purpose = StepPurpose::Work;
    let mut text = String::new();
    for line in input.lines() {
        let body = body(line);
        let mut told = String::new();
        if let Body::StepStarted(step) = &body {
            purpose = step.purpose;
        }
        if let Body::StepCompleted(StepCompleted { usage, request_bytes: Some(bytes), .. }) = &body {
            let is_dropped = meter.is_dropped(usize::try_from(*bytes).unwrap(), *usage, purpose);
            told = if is_dropped { ", dropped".to_owned() } else { String::new() };
        }
        meter.apply(&body);
        if matches!(body, Body::StepCompleted(_) | Body::SessionUpdated(_)) {
            let bytes_per_token = 10_000.0 / meter.tokens(10_000) as f64;
            let _ = writeln!(text, "{line}: {bytes_per_token:.1} bytes a token{told}");
        }
    }
    text
}

#[test]
fn learned() {
    crate::cases::check("meter.cases", play);
}
