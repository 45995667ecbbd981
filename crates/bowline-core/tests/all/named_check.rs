//! Which check a message names: the message, then `= ` and the command.

use bowline_core::task::named_check;

#[test]
fn a_message_names_a_check_or_none() {
    let cases = include_str!("../cases/named_check.cases");
    let (mut message, mut count, mut wrong) = (Vec::new(), 0, Vec::new());
    for line in cases.lines() {
        let Some(expected) = line.strip_prefix("= ") else {
            message.push(line);
            continue;
        };
        let text = std::mem::take(&mut message).join("\n");
        let found = named_check(&text).unwrap_or_else(|| "none".to_owned());
        count += 1;
        if found != expected {
            wrong.push(format!("{text}\n  expected {expected}, found {found}"));
        }
    }
    assert!(wrong.is_empty() && count > 30, "{}", wrong.join("\n"));
}
