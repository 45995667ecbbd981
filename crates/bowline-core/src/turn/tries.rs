//! What a turn that changes files by places was asked for, what it has tried, and what fails: a fold over the log, and what is in
//! the air.

use super::checks::Checks;
use super::compacting::Pending;
use crate::agenda::{self, Order, Try, TryResult, Writing};
use crate::check::Checked;
use crate::entry::{Body, RunStarted};
use crate::failure;
use crate::item::Item;
use crate::limits::{OUTPUT_LINES_MAX, TASK_CHARS_MAX};
use crate::outcome::Outcome;
use crate::place::{Corrected, Found, PlaceKind, Query, Survey};
use crate::rewriting::{AddedDefinition, Done};
use crate::task::{self, Frame, Output};
use crate::tools::{self, ChangeCall};
use crate::truncate;

/// Added functions that a request for new text mentions.
const ADDED_MAX: usize = 5;
/// The tool that runs commands.
const COMMAND: &str = "run_command";
/// How a message begins that agrees to what was said before, and words that such a message does not have.
const GO_AHEAD: [&str; 15] = [
    "yes", "yep", "yeah", "ok", "okay", "sure", "go", "do", "please", "proceed", "continue", "apply", "make",
    "now", "right",
];
const NO_GO_AHEAD: [&str; 11] =
    ["no", "not", "don't", "leave", "stop", "thanks", "thank", "explain", "tell", "why", "wait"];
/// A longer message says itself what is to be done.
const GO_AHEAD_WORDS_MAX: usize = 6;
/// What the turn has asked for and tried, folded from the log, and what is in the air.
#[derive(Debug, Default)]
pub(super) struct Changing {
    /// What the user has said in this turn.
    pub(super) said: Vec<String>,
    pub(super) tries: Vec<Try>,
    /// The calls that the tries were, and what had failed before each.
    pub(super) tried_calls: Vec<(String, Option<Output>)>,
    /// Whether the text that was asked for last is to repair what fails.
    pub(super) is_repair: bool,
    /// Texts that a compiler suggested and the program applied in this run, and whether the last change was one.
    pub(super) corrected: Vec<Corrected>,
    pub(super) is_correction: bool,
    /// Changes that the program proposed in this run.
    pub(super) proposed: usize,
    /// The project before the first change of the run.
    pub(super) before: Option<Survey>,
    /// The step of work that the survey is made for.
    pub(super) pending: Option<Pending>,
    /// What the model is writing, and the text of the place as it is now.
    pub(super) writing: Option<Writing>,
    pub(super) place_text: String,
    /// What the last command printed, if it failed and nothing was changed since.
    pub(super) failed_output: Option<Output>,
    /// Functions that were added in this run.
    pub(super) added: Vec<AddedDefinition>,
    /// What a guard says to the model. It waits for the next step that sends the conversation.
    pub(super) guards_note: Option<String>,
}

impl Changing {
    /// `checks` has the same entries, this one too.
    pub(super) fn apply(&mut self, body: &Body, checks: &Checks) {
        match body {
            Body::TurnStarted(turn) => {
                let mut said =
                    if is_go_ahead(&turn.text) { std::mem::take(&mut self.said) } else { Vec::new() };
                said.push(turn.text.clone());
                *self = Changing { said, ..Changing::default() };
            }
            Body::RunStarted(RunStarted { hint, .. }) => {
                self.said.extend(hint.clone());
                self.forget_failed_tries();
                (self.proposed, self.before, self.guards_note) = (0, None, None);
            }
            Body::ItemCompleted { item } => self.completed(item),
            Body::Checked(checked) => self.checked(checked, checks),
            Body::Change(decided) if decided.is_programs_rewind() => self.undone(&decided.calls),
            Body::Compacted(compacted) if compacted.is_fresh_start() => {
                self.forget_failed_tries();
                self.proposed = 0;
            }
            Body::Input(_) => {
                self.said.extend(body.steering().map(str::to_owned));
                // What failed before the user spoke of it is evidence from now on.
                if let Some(checked) = checks.standing_failure().filter(|_| self.failed_output.is_none()) {
                    self.checked(checked, checks);
                }
            }
            _ => {}
        }
    }

    fn completed(&mut self, item: &Item) {
        if let Some(made) = tried(item) {
            self.tried_calls.push((item.id.clone(), self.failed_output.clone()));
            // What has landed is the answer to what the guard had to say, and what failed before may work now.
            if made.has_landed() {
                (self.failed_output, self.guards_note) = (None, None);
            }
            self.tries.push(made);
        }
        let is_command = item.call.as_ref().is_some_and(|call| call.tool == COMMAND);
        if let Some(result) = item.result.as_ref().filter(|_| is_command) {
            let command = item.call.as_ref().and_then(|call| call.arguments.get("command")?.as_str());
            let code = result.exit_code.filter(|code| *code != 0);
            self.failed_output = code.map(|code| evidence(command.unwrap_or_default(), code, &result.text));
        }
    }

    /// A new run and a fresh start have fresh tries; what has landed stays done.
    pub(super) fn forget_failed_tries(&mut self) {
        let calls = std::mem::take(&mut self.tried_calls);
        let tries = std::mem::take(&mut self.tries).into_iter().zip(calls);
        (self.tries, self.tried_calls) = tries.filter(|(made, _)| made.has_landed()).unzip();
    }

    /// The program has taken back what these calls had changed: what failed before them fails again.
    fn undone(&mut self, calls: &[String]) {
        for (made, (call, failed_before)) in self.tries.iter_mut().zip(&self.tried_calls).rev() {
            if calls.contains(call) {
                made.result = TryResult::Undone;
                self.failed_output.clone_from(failed_before);
            }
        }
    }

    /// Whether the last change was a compiler's own suggestion.
    pub(super) fn is_correction(&self) -> bool {
        self.is_correction
    }

    /// Whether the last text that landed replaced an earlier one of the same place.
    pub(super) fn is_written_again(&self) -> bool {
        let mut landed = self.tries.iter().rev().filter(|made| made.has_landed());
        landed.next().is_some_and(|last| landed.any(|made| made.order == last.order))
    }

    /// Whether the text that was asked for last is to repair what fails.
    pub(super) fn is_repair(&self) -> bool {
        self.is_repair
    }

    /// What fails and concerns the turn leads to the places that have to change.
    fn checked(&mut self, checked: &Checked, checks: &Checks) {
        let is_evidence = checked.is_red() && checks.concerns_turn(checked);
        let code = checked.exit_code.unwrap_or(1);
        self.failed_output = is_evidence.then(|| evidence(&checked.command, code, &checked.excerpt));
    }

    /// The task as a request for new text shows it: a traceback is evidence for the program, and only its error is shown.
    pub(super) fn task(&self) -> String {
        let said: Vec<String> = self.said.iter().map(|text| task::as_request(text)).collect();
        truncate::shortened(&said.join("\n\n"), TASK_CHARS_MAX)
    }

    /// What the next survey of the project is to find.
    pub(super) fn query(&self) -> Query {
        let all = self.said.join("\n\n");
        let wording = task::read(&all);
        let of_output = self.failed_output.iter().flat_map(|output| &output.frames);
        // Of the message's frames the innermost count.
        let frames = of_output.chain(wording.frames.iter().rev());
        let lines = frames.map(|frame| (frame.path.clone(), i64::from(frame.line)));
        Query {
            values: if task::asks_for_change(&all) { wording.values.clone() } else { Vec::new() },
            corrections: self.failed_output.iter().flat_map(|output| output.corrections.clone()).collect(),
            texts: agenda::wanted(&wording),
            lines: lines.take(OUTPUT_LINES_MAX).collect(),
            marked: task::marked(&all),
            tests: self.failed_output.iter().flat_map(|output| output.tests.clone()).collect(),
            task: truncate::shortened(&all, TASK_CHARS_MAX),
        }
    }

    /// What this turn has done so far.
    pub(super) fn done(&self) -> Done {
        let landed = self.tries.iter().filter(|made| made.has_landed());
        let changed = landed.filter_map(|made| made.order.place.own_name().map(str::to_owned)).collect();
        Done { changed, added: self.added.clone() }
    }

    /// The functions that the project has now and did not have before the run.
    pub(super) fn note_added(&mut self, now: &Survey) {
        let Some(before) = &self.before else { return };
        let is_new = |found: &&Found| {
            found.kind == PlaceKind::Function && !found.is_test && before.find(&found.place).is_none()
        };
        let added = now.places.iter().filter(is_new).take(ADDED_MAX);
        let added = added.map(|found| AddedDefinition {
            path: found.place.path.clone(),
            head: found.head.trim().to_owned(),
        });
        self.added = added.collect();
    }

    /// Whether the user asks for files to be changed.
    pub(super) fn asks_for_change(&self) -> bool {
        let is_forbidden = self.said.last().is_some_and(|text| task::forbids_change(text));
        !is_forbidden && self.said.iter().any(|text| task::asks_for_change(text))
    }
}

/// What the output of a failed command points at. Where it shows no frames, the line that the failure is named by counts as one.
fn evidence(command: &str, code: i64, text: &str) -> Output {
    let mut output = task::read_output(text);
    let end = failure::End::Exit(i32::try_from(code).unwrap_or(1));
    let run = failure::Run { command, end, stdout: text, stderr: "" };
    let failure::Outcome::Failed(failure) = failure::read(&run) else { return output };
    (output.tests, output.values) = (failure.tests, failure.assertion);
    if let Some(place) = failure.place.filter(|_| output.frames.is_empty()) {
        output.frames.push(Frame { path: place.path, line: place.line, function: None, owner: None });
    }
    output
}

/// Whether a message is about what was said before: "Do it.", "yes, please".
pub(super) fn is_go_ahead(text: &str) -> bool {
    let wording = task::read(text);
    let plain = |word: &str| word.trim_matches(|sign: char| !sign.is_alphanumeric()).to_lowercase();
    let words: Vec<String> = text.split_whitespace().take(GO_AHEAD_WORDS_MAX + 1).map(plain).collect();
    let is_yes = words.first().is_some_and(|word| GO_AHEAD.contains(&word.as_str()));
    let is_other = words.iter().any(|word| NO_GO_AHEAD.contains(&word.as_str()));
    let is_short = words.len() <= GO_AHEAD_WORDS_MAX;
    is_short
        && is_yes
        && !is_other
        && !text.contains('?')
        && wording.names.is_empty()
        && wording.paths.is_empty()
        && wording.renames.is_empty()
}

/// The try that a completed call was.
fn tried(item: &Item) -> Option<Try> {
    let (call, result) = (item.call.as_ref()?, item.result.as_ref()?);
    let ChangeCall { place, change, to, text, .. } =
        ChangeCall::of(&call.arguments).filter(|_| call.tool == tools::CHANGE)?;
    let order = Order { place, change, to };
    let refusal = result.text.lines().next().unwrap_or_default().to_owned();
    let result = match result.outcome {
        Outcome::Interrupted => return None,
        Outcome::Success => TryResult::Landed,
        _ if refusal.starts_with(tools::HELD_BACK) => TryResult::HeldBack { text: text?, refusal },
        _ => TryResult::Refused { refusal },
    };
    Some(Try { order, result })
}
