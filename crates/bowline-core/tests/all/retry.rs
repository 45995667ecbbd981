//! Failures of the model's server and what is made of them.

use bowline_core::retry::{Failure, Sent, Tries, judge};

const SENT: Sent = Sent { has_tools: true, has_thinking: true, has_schema: true };

fn failure(line: &str) -> Failure {
    let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
    match kind {
        "unreachable" => Failure::Unreachable { why: rest.to_owned() },
        "cut" => Failure::Cut { why: rest.to_owned() },
        "said" => Failure::Message { message: rest.to_owned() },
        "silent" => Failure::Silent { waited_ms: rest.parse().unwrap() },
        "foreign" => Failure::Foreign { what: rest.to_owned() },
        code => {
            let (after, body) = match rest.strip_prefix("retry-after=") {
                Some(rest) => {
                    let (after, body) = rest.split_once(' ').unwrap();
                    (after.parse().ok(), body)
                }
                None => (None, rest),
            };
            Failure::Status { code: code.parse().unwrap(), body: body.to_owned(), retry_after_ms: after }
        }
    }
}

#[test]
fn verdicts() {
    crate::cases::check("retry.cases", |input| {
        let mut text = String::new();
        for line in input.lines() {
            let (failed, rest) = line.split_once(' ').unwrap();
            let tries =
                Tries { failed: failed.parse().unwrap(), loading: failed.parse().unwrap(), since_ms: 0 };
            text.push_str(&format!("{:?}\n", judge(&failure(rest), tries, SENT)));
        }
        text
    });
}

#[test]
fn a_server_that_loads_is_given_as_long_as_a_first_token() {
    let loading = failure("503 {\"error\":{\"message\":\"Loading model\",\"code\":503}}");
    let verdict =
        |since_ms| format!("{:?}", judge(&loading, Tries { failed: 0, loading: 40, since_ms }, SENT));
    assert!(verdict(14 * 60_000).starts_with("Again { after_ms: 30000"), "{}", verdict(14 * 60_000));
    assert!(verdict(15 * 60_000).starts_with("GiveUp"), "{}", verdict(15 * 60_000));
}
