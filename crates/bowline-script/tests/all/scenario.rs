//! The scenario's text: what it gives, and what is said when it is wrong.

use bowline_script::reply::{Step, Times};
use bowline_script::scenario::{ProjectFile, Timed};
use bowline_script::{ActKind, Input, Kind, Scenario, Verdict};

use crate::blocks;

#[test]
fn mistakes_are_named_with_their_line_and_what_is_due() {
    blocks::check("scenario-errors.cases", |text| match Scenario::parse(text) {
        Ok(_) => "accepted".to_owned(),
        Err(error) => error.to_string(),
    });
}

const WHOLE: &str = r#"A title.
More words.
=== server ollama window=8192 models=a:7b,b:1b sizes=4.7G,270M caps=tools+thinking,embedding vram=60%
=== options max-steps=50 access=read_only note="two words"   # a comment
base_url = http://x/?a=b
=== file src/a.txt crlf mode=755
one
two
=== file bytes.bin base64
AAECAw==
=== file last no-newline
\=== not a section
=== task
rename it
please
=== at 1500ms
steer "faster"
=== at 2s
answer no "not now"
stop
=== continue
=== continue
look again
=== slow run_command 30s
=== reply
# a comment
text/5 "hello world"
call view_file {"path": "a b"}
=== reply repeat=2
text "again"
=== reply repeat
text "for ever"
=== expect
exit 0
=== transcript
\=== kept
"#;

#[test]
fn a_whole_scenario() {
    let scenario = Scenario::parse(WHOLE).unwrap();
    assert_eq!(scenario.title, "A title.");
    assert_eq!(scenario.server.kind, Kind::Ollama);
    assert_eq!(scenario.server.vram_percent, 60);
    let models: Vec<_> =
        scenario.server.models.iter().map(|model| (&*model.name, model.size_bytes)).collect();
    assert_eq!(models, [("a:7b", 4_700_000_000), ("b:1b", 270_000_000)]);
    assert_eq!(scenario.server.models[1].capabilities, ["embedding"]);
    assert_eq!(scenario.option("note"), Some("two words"));
    assert_eq!(scenario.option("base_url"), Some("http://x/?a=b"));
    let file =
        |path: &str, bytes: &[u8], mode| ProjectFile { path: path.to_owned(), bytes: bytes.to_vec(), mode };
    assert_eq!(
        scenario.files,
        [
            file("src/a.txt", b"one\r\ntwo\r\n", Some(0o755)),
            file("bytes.bin", &[0, 1, 2, 3], None),
            file("last", b"=== not a section", None),
        ]
    );
    let kinds: Vec<_> = scenario.acts.iter().map(|act| act.kind.clone()).collect();
    assert_eq!(
        kinds,
        [
            ActKind::Task("rename it\nplease".to_owned()),
            ActKind::Continue(None),
            ActKind::Continue(Some("look again".to_owned())),
        ]
    );
    assert_eq!(
        scenario.acts[0].inputs,
        [
            Timed { at_ms: 1_500, input: Input::Steer("faster".to_owned()) },
            Timed { at_ms: 2_000, input: Input::Answer(Verdict::No, Some("not now".to_owned())) },
            Timed { at_ms: 2_000, input: Input::Stop },
        ]
    );
    assert_eq!(scenario.slow, [("run_command".to_owned(), 30_000)]);
    let times: Vec<_> = scenario.replies.iter().map(|reply| reply.times).collect();
    assert_eq!(times, [Times::Count(1), Times::Count(2), Times::Ever]);
    assert!(
        matches!(&scenario.replies[0].steps[1], Step::Call(call) if call.arguments.text == r#"{"path": "a b"}"#)
    );
    assert_eq!(scenario.section("expect"), Some("exit 0\n"));
    assert_eq!(scenario.section("transcript"), Some("=== kept\n"));
    assert_eq!(scenario.section("files"), None);
}

#[test]
fn arguments_stand_as_they_are_written() {
    let text = "=== reply\ncall f {\"a\": 1,}\ncall f `  x`\ncall f `\"a\\nb\"`\ncall f\n";
    let scenario = Scenario::parse(text).unwrap();
    let arguments: Vec<_> = scenario.replies[0].calls().map(|call| &*call.arguments.text).collect();
    assert_eq!(arguments, ["{\"a\": 1,}", "  x", "a\nb", ""]);
}

#[test]
fn every_shipped_scenario_parses() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ext| ext == "scenario") {
            let text = std::fs::read_to_string(&path).unwrap();
            let scenario =
                Scenario::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(!scenario.title.is_empty(), "{}: no title", path.display());
            count += 1;
        }
    }
    assert!(count > 0);
}
