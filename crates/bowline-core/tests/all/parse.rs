//! Arguments that fit, and what is said of those that don't.

use bowline_core::tools::parse;

#[test]
fn arguments() {
    crate::cases::check("parse.cases", |input| {
        let mut text = String::new();
        for line in input.lines() {
            let (tool, arguments) = line.split_once(' ').unwrap();
            let arguments = serde_json::from_str(arguments).unwrap();
            text.push_str(&match parse(tool, &arguments) {
                None => "no such tool\n".to_owned(),
                Some(Ok(call)) => format!("{call:?}\n  title {:?}\n", call.title()),
                Some(Err(rejected)) => format!("rejected: {}\n", rejected.0),
            });
        }
        text
    });
}
