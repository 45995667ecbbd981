//! Long results cut for the model.

use bowline_core::truncate::{Keep, truncate};
use bowline_core::window::{Meter, reserve, result_chars_max};
use proptest::prelude::*;

#[test]
fn a_command_keeps_head_and_tail() {
    let text: String = (1..=1000).map(|n| format!("line {n}\n")).collect();
    let shown = truncate(&text, 1000, Keep::HeadAndTail, "i00000007").unwrap();
    assert!(shown.starts_with("line 1\n") && shown.ends_with("line 1000\n"), "{shown}");
    assert!(
        shown.contains("all 1000 lines: view_file path \"output:i00000007\", from start_line 52"),
        "{shown}"
    );
    let (head, tail) = shown.split_once('[').unwrap();
    assert!(head.len() < 410 && tail.len() > 500, "{} : {}", head.len(), tail.len());
}

#[test]
fn what_fits_is_left_alone() {
    assert_eq!(truncate("short", 5, Keep::Head, "x"), None);
    assert_eq!(truncate("ein Fuß", 7, Keep::HeadAndTail, "x"), None);
}

#[test]
fn shares_of_the_window() {
    assert_eq!((reserve(4096), reserve(16_384), reserve(200_000)), (1024, 4096, 8192));
    assert_eq!((result_chars_max(8192), result_chars_max(1_000_000)), (4777, 32_000));
}

#[test]
fn the_meter_learns_from_the_server() {
    let mut meter = Meter::default();
    assert_eq!(meter.tokens(3500), 1000);
    let usage = |prompt_new| bowline_core::entry::Usage { prompt_new, ..Default::default() };
    meter.learn(4000, usage(1000));
    assert_eq!(meter.tokens(4000), 1000);
    // A server that leaves the cached part out of its count is not believed.
    meter.learn(4000, usage(10));
    assert_eq!(meter.tokens(4000), 1000);
}

proptest! {
    #[test]
    fn never_longer_and_never_broken(text in "(?s).{0,400}", max in 0usize..200) {
        for keep in [Keep::Head, Keep::HeadAndTail] {
            if let Some(shown) = truncate(&text, max, keep, "i") {
                prop_assert!(text.chars().count() > max);
                prop_assert!(shown.chars().count() <= max + 130);
            } else {
                prop_assert!(text.chars().count() <= max);
            }
        }
    }
}
