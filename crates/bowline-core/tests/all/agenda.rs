//! What a turn does next, by what the message says, what the project has and what was tried.
//!
//! A case has the project (`file PATH LINES`, and a place a line: kind, name, first and last line, then `head=`, `uses=` and
//! `options=`), a line `message` with the user's words after it, and the tries (`landed`, `failed` or `held`, the change, the place).
//! A place of the project as it was before the run's changes stands after `before file PATH LINES`. `statement LINE TEXT` is a
//! line of the file above it, `repeat NAME LINE` below it a function that repeats it, `missing TEXT…` are wanted texts that no file contains, and what a failed command printed stands
//! after a line `output`.

use bowline_core::agenda::{Agenda, Next, Order, Reason, Showing, Tests, Try, TryResult, Writing};
use bowline_core::place::{
    self, Change, Choice, Found, Offered, Place, PlaceKind, Repeat, Statement, Survey,
};
use bowline_core::task;
use bowline_core::tools::{NOTHING_TO_ADD, UNCHANGED};

#[derive(Default)]
struct Case {
    now: Survey,
    before: Option<Survey>,
    message: String,
    tries: Vec<Try>,
    output: Option<String>,
}

fn read(input: &str) -> Case {
    let mut case = Case::default();
    let mut file = String::new();
    let mut is_before = false;
    let mut is_message = false;
    for line in input.lines() {
        let mut words = line.split_whitespace();
        if let Some(output) = &mut case.output {
            output.push_str(&format!("{line}\n"));
            continue;
        }
        match (words.next(), is_message) {
            (Some("output"), _) => case.output = Some(String::new()),
            (Some(word @ ("landed" | "failed" | "held")), _) => {
                is_message = false;
                let result = match word {
                    "landed" => TryResult::Landed,
                    "held" => TryResult::HeldBack {
                        text: "text".to_owned(),
                        refusal: "Held back: doubts.".to_owned(),
                    },
                    _ => TryResult::Refused { refusal: refusal(word, line) },
                };
                case.tries.push(Try { order: order(&line[word.len() + 1..]), result });
            }
            (_, true) => case.message.push_str(&format!("{line}\n")),
            (Some("message"), _) => is_message = true,
            (Some("missing"), _) => {
                let survey = if is_before { case.before.as_mut().unwrap() } else { &mut case.now };
                survey.missing = words.map(str::to_owned).collect();
            }
            (Some("statement"), _) => {
                let mut words = line.splitn(3, ' ').skip(1);
                let line = words.next().unwrap().parse().unwrap();
                let text = words.next().unwrap().to_owned();
                let calls = place::calls(&text);
                let repeats = Vec::new();
                let survey = if is_before { case.before.as_mut().unwrap() } else { &mut case.now };
                survey.statements.push(Statement { path: file.clone(), line, text, calls, repeats });
            }
            (Some("repeat"), _) => {
                let (name, line) = line["repeat ".len()..].split_once(' ').unwrap();
                let place = Place { path: file.clone(), name: Some(name.to_owned()) };
                let survey = if is_before { case.before.as_mut().unwrap() } else { &mut case.now };
                let statement = survey.statements.last_mut().unwrap();
                statement.repeats.push(Repeat { place, line: line.to_owned() });
            }
            (Some("file"), _) => {
                is_before = false;
                file = add_file(&mut case.now, line);
            }
            (Some("before"), _) => {
                is_before = true;
                file = add_file(case.before.get_or_insert_default(), line.strip_prefix("before ").unwrap());
            }
            (Some(_), _) => {
                let found = found(&file, line);
                let survey = if is_before { case.before.as_mut().unwrap() } else { &mut case.now };
                survey.places.push(found);
            }
            (None, _) => {}
        }
    }
    case
}

/// A text that was to be added is there already; any other is the old one.
fn refusal(word: &str, line: &str) -> String {
    let is_addition = line[word.len() + 1..].starts_with("add_after");
    format!("{}.", if is_addition { NOTHING_TO_ADD[0] } else { UNCHANGED })
}

fn add_file(survey: &mut Survey, line: &str) -> String {
    let mut words = line.split_whitespace().skip(1);
    let path = words.next().unwrap().to_owned();
    let lines = words.next().map_or("1", |lines| lines);
    survey.files.push(path.clone());
    survey.places.push(described(Place::file(&path), PlaceKind::File, &format!("1-{lines}"), ""));
    path
}

fn found(file: &str, line: &str) -> Found {
    let mut words = line.trim().splitn(4, ' ');
    let kind = match words.next().unwrap() {
        "function" => PlaceKind::Function,
        "type" => PlaceKind::Type,
        "constant" => PlaceKind::Constant,
        "member" => PlaceKind::Member,
        "text" => PlaceKind::Text,
        other => panic!("{other} is no kind of place"),
    };
    let place = Place { path: file.to_owned(), name: words.next().map(str::to_owned) };
    described(place, kind, words.next().unwrap(), words.next().unwrap_or_default())
}

fn described(place: Place, kind: PlaceKind, lines: &str, rest: &str) -> Found {
    let (first, last) = lines.split_once('-').unwrap();
    let list = |name: &str| -> Vec<String> {
        let values = rest.split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
        values.map(|values| values.split(',').map(str::to_owned).collect()).unwrap_or_default()
    };
    Found {
        kind,
        first_line: first.parse().unwrap(),
        last_line: last.parse().unwrap(),
        head: list("head").join(","),
        uses: list("uses"),
        calls: list("calls"),
        options: list("options"),
        numbers: list("numbers"),
        is_test: place::is_test_place(&place),
        place,
    }
}

/// `rewrite cart.py: Cart.total`, `rename shop.py: load > load_rows`
fn order(text: &str) -> Order {
    let (change, rest) = text.split_once(' ').unwrap();
    let (label, to) = rest.split_once(" > ").map_or((rest, None), |(label, to)| (label, Some(to.to_owned())));
    let place = match label.split_once(": ") {
        Some((path, name)) => Place { path: path.to_owned(), name: Some(name.to_owned()) },
        None => Place::file(label),
    };
    Order { place, change: Change::of(change).unwrap(), to }
}

/// What can't be undone by writing the place once more.
fn risky(offered: &Offered) -> String {
    let is_risky = |change: &&Change| matches!(change, Change::Remove | Change::Rename);
    offered.changes.iter().filter(is_risky).map(|change| format!(", {}", change.word())).collect()
}

fn words(order: &Order) -> String {
    let to = order.to.as_ref().map_or(String::new(), |to| format!(" > {to}"));
    format!("{} {}{to}", order.change.word(), order.place.label())
}

/// Why a place is proposed, where the task does not say it.
fn because(reason: &Reason) -> String {
    match reason {
        Reason::Task => String::new(),
        Reason::Caller { of } => format!(", it calls {of}"),
        Reason::Variants { of, new, .. } => format!(", {of} now has {}", new.join(", ")),
        Reason::Missing { texts } => format!(", {} is missing", texts.join(", ")),
        Reason::Refused { refusal } => format!(", refused: {refusal}"),
        Reason::Unchanged => ", an earlier answer was a copy".to_owned(),
        Reason::Crashed { line } => format!(", it crashes in: {line}"),
        Reason::Broken { line, error } => format!(", it is broken: {line} / {error}"),
        Reason::Failed { statement, error, .. } => format!(", this fails: {statement} / {error}"),
    }
}

#[test]
fn what_comes_next() {
    crate::cases::check("agenda.cases", |input| {
        let case = read(input);
        let before = case.before.as_ref().unwrap_or(&case.now);
        let tests = if task::asks_for_tests(&case.message) { Tests::Wanted } else { Tests::LeftAlone };
        let output = case.output.as_deref().map(task::read_output);
        let next = Agenda {
            wording: &task::read(&case.message),
            message: &case.message,
            words: &task::words(&case.message),
            tests,
            now: &case.now,
            before,
            tries: &case.tries,
            proposed: 0,
            samples: 3,
            failed_output: output.as_ref(),
            began_green: false,
            corrected: &[],
        }
        .next();
        match next {
            Next::Correct(corrected) => format!("correct {}", corrected.place.label()),
            Next::Spare(order, _) => format!("apply the spare of {}", words(&order)),
            Next::CarryOut(order) => format!("carry out {}", words(&order)),
            Next::Write(Writing { order, showing, reason, .. }) => {
                let again = if showing == Showing::Head { " again" } else { "" };
                format!("write{again} {}{}", words(&order), because(&reason))
            }
            Next::Finish => "finish".to_owned(),
            Next::Choose(offered, choice) => {
                let lines: Vec<String> = offered
                    .iter()
                    .map(|offered| format!("  {}{}", offered.place.label(), risky(offered)))
                    .collect();
                let only = if choice == Choice::Places { " only" } else { "" };
                format!("choose{only}\n{}", lines.join("\n"))
            }
        }
    });
}
