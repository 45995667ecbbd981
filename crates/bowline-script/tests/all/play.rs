//! The player as a simulation uses it: what it records, refuses and remembers.

use bowline_script::reply::{Call, Pieces, Reply, Slot, Step, Times};
use bowline_script::{Answer, Kind, Play, Player, Profile, Scenario};
use serde_json::{Value, json};

const CHAT: &str = "/v1/chat/completions";

fn call(name: &str) -> Reply {
    let call = Call { name: name.to_owned(), arguments: Pieces::whole("{}"), quirks: Vec::new(), id: None };
    Reply { steps: vec![Step::Call(call)], ..Reply::default() }
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn ask(player: &mut Player, messages: &[Value]) -> (u16, String) {
    let body = json!({"messages": messages, "stream": true}).to_string();
    let Answer::Http { status, plays, .. } = player.answer("POST", CHAT, body.as_bytes()) else {
        return (0, String::new());
    };
    let bytes: Vec<u8> = plays
        .iter()
        .flat_map(|play| if let Play::Bytes(bytes) = play { bytes.clone() } else { Vec::new() })
        .collect();
    (status, String::from_utf8(bytes).unwrap())
}

/// The least a client does: text and calls put together from a stream of events.
fn message(stream: &str) -> Value {
    let (mut text, mut calls) = (String::new(), Vec::<Value>::new());
    for event in stream.lines().filter_map(|line| line.strip_prefix("data: {")) {
        let event: Value = serde_json::from_str(&format!("{{{event}")).unwrap();
        let delta = &event["choices"][0]["delta"];
        text.push_str(delta["content"].as_str().unwrap_or_default());
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            let index = call["index"].as_u64().unwrap() as usize;
            if index == calls.len() {
                calls.push(call.clone());
            } else {
                let before = calls[index]["function"]["arguments"].as_str().unwrap().to_owned();
                calls[index]["function"]["arguments"] =
                    json!(before + call["function"]["arguments"].as_str().unwrap());
            }
        }
    }
    match calls.is_empty() {
        true => json!({"role": "assistant", "content": text}),
        false => json!({"role": "assistant", "content": text, "tool_calls": calls}),
    }
}

#[test]
fn the_clean_scenario_plays_through_to_its_answer() {
    let text = include_str!("../../../../scenarios/clean.scenario");
    let scenario = Scenario::parse(text).unwrap();
    let mut player = Player::new(scenario.server.clone(), scenario.replies.clone());
    let mut messages = vec![json!({"role": "system", "content": "You are terse."}), user("rename it")];
    let mut names = Vec::new();
    while player.replies_left() > 0 {
        let (status, stream) = ask(&mut player, &messages);
        assert_eq!(status, 200, "{stream}");
        let message = message(&stream);
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            names.push(call["function"]["name"].as_str().unwrap().to_owned());
            let arguments = call["function"]["arguments"].as_str().unwrap();
            assert!(serde_json::from_str::<Value>(arguments).unwrap().is_object());
        }
        messages.push(message.clone());
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            messages.push(json!({"role": "tool", "tool_call_id": call["id"], "content": "done"}));
        }
    }
    assert_eq!(names, ["grep", "view_file", "view_file", "edit_file", "edit_file", "run_command"]);
    assert_eq!(player.violations(), &[] as &[String]);
    assert!(messages.last().unwrap()["content"].as_str().unwrap().contains("timeout_s"));
}

#[test]
fn a_refused_request_uses_up_no_reply() {
    let mut player = Player::new(Profile::default(), vec![Reply::text("a")]);
    let (status, body) = ask(&mut player, &[user("a"), user("b")]);
    assert_eq!((status, player.replies_left()), (500, 1));
    assert!(body.contains("strict: message 1: two user messages in a row"), "{body}");
    assert_eq!(player.violations(), ["strict: message 1: two user messages in a row"]);
    assert_eq!(ask(&mut player, &[user("a")]).0, 200);
    assert_eq!(player.replies_left(), 0);
    assert_eq!(player.requests().len(), 2);
    assert!(player.requests()[1].is_chat());
}

#[test]
fn a_body_that_is_no_json_is_a_violation() {
    let mut player = Player::new(Profile::default(), vec![Reply::text("a")]);
    let answer = player.answer("POST", CHAT, b"{\"messages\": [");
    assert!(matches!(answer, Answer::Http { status: 500, .. }));
    assert_eq!(player.violations(), ["strict: `messages` is not a list"]);
    assert_eq!(player.requests()[0].body, Value::Null);
}

#[test]
fn ids_are_new_to_the_conversation_whichever_player_gave_the_others() {
    let mut player = Player::new(Profile::default(), vec![call("f"), call("f")]);
    let before = json!({"role": "assistant", "content": "", "tool_calls": [
        {"id": "call_7", "type": "function", "function": {"name": "f", "arguments": "{}"}}]});
    let result = json!({"role": "tool", "tool_call_id": "call_7", "content": "r"});
    let (_, first) = ask(&mut player, &[user("a"), before, result]);
    assert_eq!(message(&first)["tool_calls"][0]["id"], "call_8");
    let (_, second) = ask(&mut player, &[user("a")]);
    assert_eq!(message(&second)["tool_calls"][0]["id"], "call_9");
}

#[test]
fn the_same_requests_give_the_same_bytes() {
    let replies = vec![call("f"), Reply { times: Times::Ever, ..Reply::text("a") }];
    let mut players = [(); 2].map(|()| Player::new(Profile::default(), replies.clone()));
    for _ in 0..3 {
        let [one, other] = players.each_mut().map(|player| ask(player, &[user("a")]));
        assert_eq!(one, other);
    }
}

#[test]
fn a_slot_is_busy_from_the_request_to_the_end_of_the_answer() {
    let mut player = Player::new(Profile::new(Kind::LlamaCpp), vec![Reply::text("a")]);
    let busy = |player: &mut Player| {
        let Answer::Http { plays, .. } = player.answer("GET", "/slots", b"") else { panic!() };
        let Play::Bytes(bytes) = &plays[0] else { panic!() };
        serde_json::from_slice::<Value>(bytes).unwrap()[0]["is_processing"].as_bool().unwrap()
    };
    assert!(!busy(&mut player));
    ask(&mut player, &[user("a")]);
    assert!(busy(&mut player));
    player.finished();
    assert!(!busy(&mut player));
    player.set_processing(Slot::Busy);
    assert!(busy(&mut player));
}

#[test]
fn a_key_is_asked_for_where_a_real_server_asks() {
    let let_in = |server: &str, path: &str, sent: Option<&str>| {
        let scenario = Scenario::parse(&format!("=== server {server}\n")).unwrap();
        Player::new(scenario.server, scenario.replies).refuse_key(path, sent).is_none()
    };
    for server in ["vllm key=k", "openai key=k", "llamacpp key=k"] {
        assert!(let_in(server, "/v1/chat/completions", Some("Bearer k")));
        for sent in [None, Some("Bearer x"), Some("k"), Some("")] {
            assert!(!let_in(server, "/v1/chat/completions", sent), "{server} {sent:?}");
        }
    }
    // llama.cpp shows its models to all, and nothing else.
    assert!(
        let_in("llamacpp key=k", "/v1/models", None) && !let_in("llamacpp key=k", "/props?model=a", None)
    );
    assert!(!let_in("vllm key=k", "/v1/models", None) && let_in("vllm", "/v1/models", None));
}
