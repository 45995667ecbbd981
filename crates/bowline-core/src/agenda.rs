//! The agenda of a turn that changes files by places: what the user's words and the code already decide, and what is left.
//!
//! A small model is asked as little as possible. It is neither asked whether anything is left to do (it then changes a word
//! in every file) nor whether a place has to change (it answers "no" whatever is right). The program works through a list
//! instead: what the words spell out, the places that the evidence points at, what the changes so far have left behind, and
//! texts that the words ask for and that are nowhere yet. Only
//! where nothing is known does the model choose a place.
//!
//! Pure, and computed anew before every step from the user's words, a fresh survey and the tries so far.

mod choice;
mod evidence;
mod failing;
mod leftovers;
mod members;
mod repeated;
mod values;
mod wanted;
mod weaker;

use std::collections::HashSet;

use crate::failure::Assertion;
use crate::limits::{COPIES_PER_PLACE_MAX, FRUITLESS_TRIES_MAX, PROPOSALS_MAX, TRIES_PER_PLACE_MAX};
use crate::place::{Change, Choice, Corrected, Offered, Place, Survey};
use crate::task::{Output, Wording};
use crate::tools;

pub use wanted::wanted;

/// How many times the temperature is raised for the first pairs of texts of one place, each shown and hidden, and for later ones.
const WARMTHS: [usize; 2] = [0, 2];
const WARMTH_MAX: usize = 3;

/// One try at changing a place, in the order of the turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Try {
    pub order: Order,
    pub result: TryResult,
}

/// What came of a try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TryResult {
    Landed,
    /// The text fits and is likely to lose something: it is applied if nothing better comes.
    HeldBack {
        text: String,
        refusal: String,
    },
    Refused {
        refusal: String,
    },
    /// It landed, and the program took it back because the check was no better with it.
    Undone,
}

impl Try {
    pub fn has_landed(&self) -> bool {
        self.result == TryResult::Landed
    }

    /// Whether the model gave the text back as it was.
    fn is_copy(&self) -> bool {
        matches!(&self.result, TryResult::Refused { refusal }
            if refusal.trim_end_matches('.').ends_with(tools::UNCHANGED))
    }
}

/// A change as it is to be carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub place: Place,
    pub change: Change,
    /// The new name of a rename.
    pub to: Option<String>,
}

/// What a request for new text shows of the place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Showing {
    /// The place as it is.
    Text,
    /// Only what stands in front of its body: what a small model sees it copies.
    Head,
}

/// Why the program proposes a place, as the model is told it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The user's words or the output of a command point at it, and nothing needs to be added.
    Task,
    /// It uses a definition whose parameters have changed.
    Caller { of: String },
    /// It names two old variants of a type and none of the new ones.
    Variants { of: String, old: Vec<String>, new: Vec<String> },
    /// The task asks for these texts, and no file contains them yet.
    Missing { texts: Vec<String> },
    /// A command failed on it: the statement, and the error with its values. Either may be empty.
    Failed { statement: String, error: String, values: Option<Assertion> },
    /// A compiler or an interpreter says what is wrong with a line of it. Either may be empty.
    Broken { line: String, error: String },
    /// The traceback of the message ends on this line of it.
    Crashed { line: String },
    /// An earlier answer was refused.
    Refused { refusal: String },
    /// An earlier answer left the code as it was.
    Unchanged,
}

/// A request for the new text of a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Writing {
    pub order: Order,
    pub showing: Showing,
    pub reason: Reason,
    /// How many times the temperature is raised, so that the answer is less likely to be an earlier one.
    pub warmth: usize,
}

impl Reason {
    /// Whether the text is to repair what fails.
    pub fn is_failure(&self) -> bool {
        matches!(self, Reason::Failed { .. } | Reason::Broken { .. } | Reason::Crashed { .. })
    }
}

impl Writing {
    pub fn new(order: Order, showing: Showing, reason: Reason) -> Writing {
        Writing { order, showing, reason, warmth: 0 }
    }

    /// Whether it follows an answer that was refused.
    pub fn is_second(&self) -> bool {
        self.showing == Showing::Head || matches!(self.reason, Reason::Refused { .. } | Reason::Unchanged)
    }
}

/// Whether the project's tests may be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tests {
    /// The message asks for it.
    Wanted,
    LeftAlone,
}

/// The next step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// The words and the code decide everything: the program carries it out.
    CarryOut(Order),
    /// No better text came than one that was held back: the program applies that.
    Spare(Order, String),
    /// A compiler says how a line has to read: the program applies that.
    Correct(Corrected),
    /// The place is known, and the model writes its new text.
    Write(Writing),
    /// The model chooses among these places, or another action where that is free.
    Choose(Vec<Offered>, Choice),
    /// What was asked for has been changed, and nothing is left.
    Finish,
}

pub struct Agenda<'a> {
    pub wording: &'a Wording,
    /// The whole message.
    pub message: &'a str,
    /// The words of the message that may be part of a name.
    pub words: &'a [String],
    pub tests: Tests,
    /// The project as it is now.
    pub now: &'a Survey,
    /// The project as it was before the first change of the run.
    pub before: &'a Survey,
    pub tries: &'a [Try],
    /// Changes that the program has proposed in this turn.
    pub proposed: usize,
    /// Further texts of one place that may be asked for while the check is red.
    pub samples: usize,
    /// What the last command printed, if it failed and nothing was changed since.
    pub failed_output: Option<&'a Output>,
    /// Whether the check passed before the first change of the run.
    pub began_green: bool,
    /// Texts that a compiler suggested and that were applied already.
    pub corrected: &'a [Corrected],
}

impl Agenda<'_> {
    pub fn next(&self) -> Next {
        if self.tries.iter().rev().take_while(|made| !made.has_landed()).count() >= FRUITLESS_TRIES_MAX {
            return Next::Finish;
        }
        let proposals = self.proposals();
        // A first try that failed is followed by one of another kind, whoever chose the place. What a model sees it copies, so
        // that the text is hidden after a copy of it; after another refusal, the text and the reason are shown.
        if let Some(order) = self.failed_once() {
            if order.change == Change::AddAfter && self.is_there_already() {
                // What was to be added is a part of the place: the place itself has to change.
                let order = Order { change: Change::Rewrite, ..order.clone() };
                if self.is_open(&order) {
                    return Next::Write(Writing::new(order, Showing::Text, Reason::Task));
                }
            }
            let refusal = self.refusal(&order);
            let known = proposals.into_iter().find(|(known, _)| *known == order);
            // Of a place that only the model chose, nobody knows that it has to change at all.
            let is_known = known.is_some() && !repeated::is_repeat(self, &order);
            let is_hidden = refusal.is_none() && is_known;
            let showing = if is_hidden { Showing::Head } else { Showing::Text };
            let reason = refusal.unwrap_or_else(|| known.map_or(Reason::Unchanged, |(_, reason)| reason));
            return Next::Write(Writing::new(order, showing, reason));
        }
        if let Some((order, text)) = self.spare() {
            return Next::Spare(order, text);
        }
        if self.proposed < PROPOSALS_MAX {
            if let Some(order) = evidence::spelled_out(self).into_iter().find(|order| !self.is_tried(order)) {
                return Next::CarryOut(order);
            }
            if self.is_all_spelled_out() {
                return Next::Finish;
            }
            if let Some(corrected) = self.now.corrected.iter().find(|one| !self.corrected.contains(one)) {
                return Next::Correct(corrected.clone());
            }
            if let Some((order, text)) = values::replacement(self) {
                return Next::Spare(order, text);
            }
            if let Some((order, reason)) =
                proposals.into_iter().find(|(order, reason)| self.is_due(order, reason))
            {
                // A text that still fails is followed by one of another kind: shown, hidden, and both again with a higher temperature.
                let count = self.tries.iter().filter(|made| made.order == order).count();
                // With an error in sight a model can mend the text, unless it has copied it.
                let last = self.tries.iter().rev().find(|made| made.order == order);
                let is_copied = last.is_some_and(Try::is_copy);
                let is_broken = matches!(reason, Reason::Broken { .. });
                let is_shown = if is_broken { !is_copied } else { count % 2 == 0 };
                let showing = if is_shown { Showing::Text } else { Showing::Head };
                let warmth = WARMTHS.get(count / 2).copied().unwrap_or(WARMTH_MAX);
                return Next::Write(Writing { warmth, ..Writing::new(order, showing, reason) });
            }
        }
        let named = choice::untouched_files(self);
        if named.is_empty() && self.tries.iter().any(Try::has_landed) {
            return wanted::still_missing(self).map_or(Next::Finish, Next::Write);
        }
        let offered = choice::offered(self, &named);
        // A file that the user named is on the list: whether it has to change is no question for a small model.
        let is_bound = !named.is_empty() && !offered.is_empty();
        Next::Choose(offered, if is_bound { Choice::Places } else { Choice::Free })
    }

    /// The files that the message names.
    fn named_files(&self) -> HashSet<&str> {
        self.wording.paths.iter().filter_map(|path| self.now.file(path)).collect()
    }

    /// The places that the program proposes, strongest evidence first.
    fn proposals(&self) -> Vec<(Order, Reason)> {
        if values::is_replaced(self) {
            return leftovers::proposals(self);
        }
        let named = evidence::targets(self)
            .into_iter()
            .map(|(order, reason)| failing::with_error(self, order, reason));
        let left = leftovers::proposals(self);
        let failing = failing::proposals(self).into_iter().map(|(order, reason)| {
            // A compiler says that a variant is missing, and the change that added it says which one to write here.
            let is_it =
                |(known, why): &&(Order, Reason)| *known == order && matches!(why, Reason::Variants { .. });
            let known = left.iter().find(is_it).map(|(_, why)| why.clone());
            (order, known.unwrap_or(reason))
        });
        // What the words ask for belongs where the crash was seen.
        let is_complete = wanted::still_missing(self).is_none();
        let repeated = if is_complete { repeated::proposals(self) } else { Vec::new() };
        failing.chain(named).chain(left.iter().cloned()).chain(repeated).collect()
    }

    /// The last order, where its first try failed and a second one may go another way. A place that has a good text by now
    /// is not written again without sight of it.
    fn failed_once(&self) -> Option<Order> {
        let is_failed = |made: &&Try| !made.has_landed() && made.result != TryResult::Undone;
        let last = self.tries.last().filter(is_failed).filter(|made| made.order.change.needs_text())?;
        let same = || self.tries.iter().filter(|made| made.order == last.order);
        let is_first = same().count() < TRIES_PER_PLACE_MAX && !same().any(Try::has_landed);
        is_first.then(|| last.order.clone())
    }

    /// The text of the last order that was held back, once its tries are used up.
    fn spare(&self) -> Option<(Order, String)> {
        let last = self.tries.last().filter(|made| !made.has_landed())?;
        let same = || self.tries.iter().filter(|made| made.order == last.order);
        let text = same().find_map(|made| match &made.result {
            TryResult::HeldBack { text, .. } => Some(text.clone()),
            _ => None,
        })?;
        (same().count() == TRIES_PER_PLACE_MAX).then(|| (last.order.clone(), text))
    }

    /// What the model is told about an answer that was refused for another reason than that it changed nothing.
    fn refusal(&self, order: &Order) -> Option<Reason> {
        let last = self.tries.last().filter(|made| made.order == *order)?;
        match &last.result {
            TryResult::HeldBack { refusal, .. } | TryResult::Refused { refusal }
                if !refusal.trim_end_matches('.').ends_with(tools::UNCHANGED) =>
            {
                Some(Reason::Refused { refusal: refusal.clone() })
            }
            _ => None,
        }
    }

    /// Whether the last text was to be added and defines nothing that is not there.
    fn is_there_already(&self) -> bool {
        let Some(TryResult::Refused { refusal }) = self.tries.last().map(|made| &made.result) else {
            return false;
        };
        tools::NOTHING_TO_ADD.iter().any(|end| refusal.trim_end_matches('.').ends_with(end))
    }

    /// Whether a proposal is to be carried out now: its place is open, or a command failed on what was written there.
    fn is_due(&self, order: &Order, reason: &Reason) -> bool {
        let tries = || self.tries.iter().filter(|made| made.order == *order);
        let is_checked = |made: &&Try| made.has_landed() || made.result == TryResult::Undone;
        let copies = tries().filter(|made| made.is_copy()).count();
        let (count, refused) =
            (tries().count() - copies, tries().filter(|made| !is_checked(made)).count() - copies);
        let tries_max = TRIES_PER_PLACE_MAX.max(1 + self.samples);
        let is_red = self.failed_output.is_some();
        // A copy is no text that could be judged: another kind of request may still bring one.
        let is_within = count < tries_max && refused < TRIES_PER_PLACE_MAX && copies < COPIES_PER_PLACE_MAX;
        self.is_open(order) || is_red && reason.is_failure() && is_within
    }

    fn is_tried(&self, order: &Order) -> bool {
        self.tries.iter().any(|made| made.order == *order)
    }

    /// Whether a place was neither changed nor tried in vain.
    fn is_open(&self, order: &Order) -> bool {
        let is_it = |made: &&Try| made.order.place == order.place && made.order.change == order.change;
        self.tries.iter().find(is_it).is_none()
    }

    /// Whether a place, or one inside it, has been changed.
    fn is_changed(&self, place: &Place) -> bool {
        self.tries.iter().any(|made| made.has_landed() && place.holds(&made.order.place))
    }

    /// Whether a place, or one around it, got a new text.
    fn is_rewritten(&self, place: &Place) -> bool {
        let is_it = |made: &Try| made.has_landed() && made.order.change == Change::Rewrite;
        self.tries.iter().any(|made| is_it(made) && made.order.place.holds(place))
    }

    /// Whether a rename of this run gave something this name.
    fn is_new_name(&self, name: &str) -> bool {
        let is_it = |made: &Try| made.has_landed() && made.order.to.as_deref() == Some(name);
        self.tries.iter().any(is_it)
    }

    /// Whether the message asks for renames and removals alone, and all of them have landed.
    fn is_all_spelled_out(&self) -> bool {
        let orders = evidence::spelled_out(self);
        let is_landed =
            |order: &Order| self.tries.iter().any(|made| made.has_landed() && made.order == *order);
        let has_landed = self.tries.iter().any(Try::has_landed);
        self.wording.sole_rename_or_removal && has_landed && orders.iter().all(is_landed)
    }
}
