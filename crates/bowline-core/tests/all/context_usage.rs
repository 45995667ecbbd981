//! The account of a window, for a log said line by line. Numbers are bytes, but for what the server counts: tokens.
//!
//! `start prompt=700 instructions=70 shown=35 mode=text`, `task 35`, `step 0` (its note), `text 70`, `call 14 700` (arguments
//! and result), `steer 35`, `counts new=900 cached=100` (of a request of `bytes=3000`; older logs do not say), `folded 3 700`, `model other`.

use bowline_core::context_usage::ContextUsage;
use bowline_core::entry::{
    Access, Body, Compacted, CompactedBy, Entry, Input, ModelRef, RunStarted, SessionStarted, SessionUpdated,
    StepCompleted, StepPurpose, StepStarted, TurnStarted, Usage,
};
use bowline_core::item::{Call, CallResult, Item, ItemKind, ItemStatus};
use bowline_core::mode::Mode;
use bowline_core::outcome::Outcome;
use bowline_core::prompts::INSTRUCTIONS_HEADING;
use bowline_core::tools::ToolSpec;
use bowline_core::typed::Typed;
use bowline_core::window::reserve;
use serde_json::json;

const WINDOW: i64 = 8_192;

#[derive(Default)]
struct Log {
    entries: Vec<Entry>,
    items: usize,
}

impl Log {
    fn push(&mut self, body: Body) {
        let seq = i64::try_from(self.entries.len()).unwrap() + 1;
        self.entries.push(Entry { session: "s".to_owned(), seq, at_ms: 0, turn: None, body });
    }

    fn line(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let bytes = |at: usize| words[at].parse::<usize>().unwrap();
        let value = |key: &str| words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
        let number = |key: &str| value(key).map_or(0, |value| value.parse::<usize>().unwrap());
        match words[0] {
            "start" => self.push(start(
                number("prompt"),
                number("instructions"),
                number("shown"),
                value("mode").map_or(Mode::Native, |word| Mode::of(word).unwrap()),
            )),
            "task" => {
                let (text, message) = ("u".repeat(bytes(1)), "m1".to_owned());
                let access = Access::Write;
                self.push(Body::TurnStarted(TurnStarted {
                    text,
                    typed: Typed::nothing(),
                    message: message.clone(),
                    access,
                    queued: None,
                    check: None,
                }));
                self.push(Body::RunStarted(RunStarted {
                    run: 1,
                    message,
                    access,
                    edits: Default::default(),
                    hint: None,
                    check: None,
                }));
            }
            "steer" => {
                let text = "s".repeat(bytes(1));
                self.push(Body::Input(Input::steer(text, Typed::nothing(), "web")));
            }
            "step" => self.step("n".repeat(bytes(1))),
            "text" => self.item(ItemKind::Text, "t".repeat(bytes(1)), None),
            "call" => self.item(ItemKind::Read, String::new(), Some((bytes(1), bytes(2)))),
            "counts" => {
                let count = |key: &str| i64::try_from(number(key)).unwrap();
                let usage =
                    Usage { prompt_new: count("new"), prompt_cached: count("cached"), ..Usage::default() };
                let completed = StepCompleted {
                    message: "m2".to_owned(),
                    step: 1,
                    usage,
                    request_bytes: value("bytes").map(|bytes| bytes.parse().unwrap()),
                };
                self.push(Body::StepCompleted(completed));
            }
            "folded" => self.push(Body::Compacted(Compacted {
                summary: "f".repeat(bytes(2)),
                messages: i64::try_from(bytes(1)).unwrap(),
                task: None,
                tokens_before: 0,
                tokens_after: 0,
                by: CompactedBy::Model,
                kept: 0,
            })),
            "model" => {
                let model = Some(model(words[1], Mode::Native));
                self.push(Body::SessionUpdated(SessionUpdated { model, ..SessionUpdated::default() }));
            }
            other => panic!("unknown line {other}"),
        }
    }

    fn step(&mut self, note: String) {
        let inputs_through = self.entries.last().map_or(0, |entry| entry.seq);
        self.push(Body::StepStarted(StepStarted {
            note: (!note.is_empty()).then_some(note),
            inputs_through,
            ..StepStarted::new("m2", 1, StepPurpose::Work)
        }));
    }

    fn item(&mut self, kind: ItemKind, text: String, call: Option<(usize, usize)>) {
        self.items += 1;
        let started = Item {
            id: format!("i{}", self.items),
            message: "m2".to_owned(),
            kind,
            status: ItemStatus::Running,
            title: String::new(),
            text: String::new(),
            field: None,
            call: call.map(|(bytes, _)| Call {
                tool: "look".to_owned(),
                // `{"a":"…"}`
                arguments: json!({ "a": "a".repeat(bytes - 8) }),
                raw: None,
                repairs: Vec::new(),
            }),
            result: None,
        };
        self.push(Body::ItemStarted { item: started.clone() });
        let result = call.map(|(_, bytes)| CallResult {
            outcome: Outcome::Success,
            text: "r".repeat(bytes),
            duration_ms: 1,
            edits: Vec::new(),
            output: None,
            exit_code: None,
        });
        self.push(Body::ItemCompleted {
            item: Item { status: ItemStatus::Complete, text, result, ..started },
        });
    }
}

fn model(name: &str, mode: Mode) -> ModelRef {
    ModelRef { model: name.to_owned(), base_url: "http://127.0.0.1".to_owned(), window: WINDOW, mode }
}

pub(crate) fn start(prompt: usize, instructions: usize, shown: usize, mode: Mode) -> Body {
    let mut text = "p".repeat(prompt);
    if instructions > 0 {
        let head = format!("\n\n{INSTRUCTIONS_HEADING}");
        text.push_str(&head);
        text.push_str(&"i".repeat(instructions - head.len()));
    }
    let tool = ToolSpec {
        name: "look".to_owned(),
        description: "Looks.".to_owned(),
        parameters: json!({ "type": "object", "properties": { "a": { "type": "string" } } }),
    };
    Body::SessionStarted(SessionStarted {
        project: "/project".to_owned(),
        work_tree: "/project".to_owned(),
        title: "counted".to_owned(),
        agent: "default".to_owned(),
        access: Access::Write,
        model: model("scripted", mode),
        prompt: text,
        tools: vec![tool],
        instructions: Vec::new(),
        shown: (shown > 0).then(|| "g".repeat(shown)),
    })
}

#[test]
fn accounts() {
    crate::cases::check("context_usage.cases", |input| {
        let mut log = Log::default();
        input.lines().for_each(|line| log.line(line));
        let account = ContextUsage::of(&log.entries, WINDOW, reserve(WINDOW));
        let parts: i64 = account.parts.iter().map(|(_, tokens)| tokens).sum();
        assert_eq!(parts, account.total, "the parts do not add up");
        let mut lines: Vec<String> = account
            .parts
            .iter()
            .filter(|(_, tokens)| *tokens > 0)
            .map(|(part, tokens)| format!("{} {tokens}", part.word()))
            .collect();
        lines.push(format!(
            "total {} of {} less {}, folded above {}, {} free",
            account.total,
            account.window,
            account.reserve,
            account.compacts_above,
            account.free()
        ));
        if let (Some(last), Some(percent)) = (account.last, account.cached_percent) {
            lines.push(format!(
                "last {} new, {} cached; {percent} % cached in all",
                last.prompt_new, last.prompt_cached
            ));
        }
        lines.join("\n")
    });
}
