//! What a server does to an answer: refuses, loads, breaks off, hangs, reports errors, and all the quirks of the wire.

use bowline_script::Reply;
use bowline_script::reply::{Done, End, Finish, Form, Status, Step, Usage, Wire};

use super::words;
use crate::sim::random::Random;

/// Bytes that no server should send, and some do.
const RAW: [&[u8]; 10] = [
    b"data: {oops\n\n",
    b": ping\n\n",
    b"\xff\xfe\xfd\n",
    b"event: error\ndata: {\"error\": \"inside\"}\n\n",
    b"data: {\"usage\":{\"prompt_tokens\":1e300,\"completion_tokens\":-5},\"timings\":{\"prompt_ms\":1e308}}\n\n",
    b"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":\"}\"}}]}}]}\n\n",
    b"{\"message\":{\"content\":[{\"text\":\"in parts\"}]},\"done\":false}\n",
    b"data: {\"choices\":[{\"delta\":{\"content\":null,\"tool_calls\":{}},\"finish_reason\":7}]}\n\n",
    b"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":-1,\"id\":7,\"function\":null}]}}]}\n\n",
    b"data: [DONE]\n\n",
];
const BODIES: [(u16, &str); 16] = [
    (429, "{\"error\":{\"message\":\"slow down\"}}"),
    (500, "{\"error\":{\"message\":\"out of memory\"}}"),
    (500, "not even JSON"),
    (502, "<html>bad gateway</html>"),
    (503, "{\"error\":{\"message\":\"Loading model\",\"code\":503}}"),
    (503, "{\"error\":\"llm server loading model\"}"),
    (500, "{\"error\":{\"message\":\"Jinja Exception: roles must alternate\"}}"),
    (400, "{\"error\":\"the input length exceeds the context length\"}"),
    (404, "404 page not found"),
    (500, "{\"error\":\"error parsing tool call: raw='{\\\"path\\\": \\\"src/a.rs' err=unexpected end\"}"),
    (500, "{\"error\":\"error parsing tool call: raw='{'command': 'make test',}', err=invalid character\"}"),
    (
        500,
        "{\"error\":\"Failed to parse input at pos 0: <tool_call>{\\\"name\\\": \\\"list_dir\\\", \\\"arguments\\\": {}}\"}",
    ),
    (500, "{\"error\":{\"message\":\"Failed to parse input at pos 9: \"}}"),
    (500, "{\"error\":{\"message\":\"tools param requires --jinja flag\"}}"),
    (400, "{\"error\":\"it does not support thinking\"}"),
    (400, "{\"message\":\"auto tool choice requires --enable-auto-tool-choice\"}"),
];

/// The same answer, as a troubled server gives it.
pub(super) fn troubled(random: &mut Random, mut reply: Reply) -> Reply {
    match random.below(12) {
        0..4 => {
            let (code, body) =
                *random.weighted(&BODIES.each_ref().map(|body| (if body.0 == 404 { 1 } else { 3 }, body)));
            reply.status = Some(Status { code, body: body.to_owned() });
            if random.chance(30) {
                let seconds = *random.pick(&["0", "3", "86400", "-1", "soon"]);
                reply.headers.push(("retry-after".to_owned(), seconds.to_owned()));
            }
        }
        4 => reply.steps = vec![Step::End(End::Refuse)],
        5..8 => {
            let end = *random.pick(&[End::Cut, End::Reset]);
            put(random, &mut reply, Step::End(end));
        }
        8 => put(random, &mut reply, Step::End(End::Hang)),
        9 => {
            let words = words::soup(random, 5);
            put(random, &mut reply, Step::Error(format!("it broke: {words}")));
        }
        10 => {
            let ms = *random.pick(&[100, 95_000, 1_000_000]);
            put(random, &mut reply, Step::WaitMs(ms));
        }
        _ => {
            let bytes = random_raw(random);
            put(random, &mut reply, Step::Raw(bytes));
        }
    }
    reply
}

fn random_raw(random: &mut Random) -> Vec<u8> {
    if random.chance(80) {
        return random.pick(&RAW).to_vec();
    }
    (0..random.below(60)).map(|_| random.next() as u8).collect()
}

/// At any place of the answer.
fn put(random: &mut Random, reply: &mut Reply, step: Step) {
    let at = random.below(reply.steps.len() + 1);
    reply.steps.insert(at, step);
}

/// How no two servers send the same: harmless by itself.
pub(super) fn dressed(random: &mut Random, mut reply: Reply) -> Reply {
    if random.chance(8) {
        let reasons = ["length", "stop", "content_filter", "tool_calls", ""];
        reply.finish = Finish::Named((*random.pick(&reasons)).to_owned());
    }
    if random.chance(3) {
        reply.finish = Finish::Absent;
    }
    if random.chance(3) {
        reply.done = Done::Absent;
    }
    if random.chance(4) {
        reply.form = Form::Whole;
    }
    reply.usage = match random.below(12) {
        0 => Usage::Absent,
        1 => Usage::Given { prompt: Some(1_000_000_000), cached: Some(2_000_000_000), output: Some(0) },
        2 => Usage::Given { prompt: Some(0), cached: None, output: Some(1_000_000_000) },
        _ => Usage::Counted,
    };
    reply.wire = Wire {
        crlf: random.chance(10),
        no_space: random.chance(10),
        minimal: random.chance(15),
        usage_each: random.chance(5),
        usage_null: random.chance(5),
        split_bytes: random.chance(4).then(|| 1 + random.below(40)),
    };
    for _ in 0..random.weighted(&[(8, 0), (2, 1), (1, 3)]) {
        let step = match random.below(3) {
            0 => Step::Ping,
            1 => Step::ProgressPercent(random.below(101) as u8),
            _ => Step::WaitMs(random.below(400) as u64),
        };
        put(random, &mut reply, step);
    }
    reply
}
