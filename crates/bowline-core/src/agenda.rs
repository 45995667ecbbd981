//! The agenda of a turn that changes files by places: what the user's words and the code already decide, and what is left.
//!
//! A small model is asked as little as possible. It is neither asked whether anything is left to do (it then changes a word
//! in every file) nor whether a place has to change (it answers "no" whatever is right). The program works through a list
//! instead: what the words spell out, the places that the evidence points at, what the changes so far have left behind. Only
//! where nothing is known does the model choose a place.
//!
//! Pure, and computed anew before every step from the user's words, a fresh survey and the tries so far.

mod choice;
mod evidence;
mod leftovers;

use crate::limits::{PROPOSALS_MAX, TRIES_PER_PLACE_MAX};
use crate::place::{Change, Choice, Offered, Place, Survey};
use crate::task::Wording;

/// One try at changing a place, in the order of the turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Try {
    pub order: Order,
    pub has_landed: bool,
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
    /// The place is known, and the model writes its new text.
    Write(Order, Showing),
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
}

impl Agenda<'_> {
    pub fn next(&self) -> Next {
        // A first try that failed is followed by one of another kind, whoever chose the place.
        if let Some(order) = self.failed_once() {
            return Next::Write(order, Showing::Head);
        }
        if self.proposed < PROPOSALS_MAX {
            if let Some(order) = evidence::spelled_out(self).into_iter().find(|order| !self.is_tried(order)) {
                return Next::CarryOut(order);
            }
            if self.is_all_spelled_out() {
                return Next::Finish;
            }
            let proposals = evidence::targets(self).into_iter().chain(leftovers::orders(self));
            if let Some(order) = proposals.into_iter().find(|order| self.is_open(order)) {
                return Next::Write(order, Showing::Text);
            }
        }
        let named = choice::untouched_files(self);
        if named.is_empty() && self.tries.iter().any(|made| made.has_landed) {
            return Next::Finish;
        }
        let offered = choice::offered(self, &named);
        // A file that the user named is on the list: whether it has to change is no question for a small model.
        let is_bound = !named.is_empty() && !offered.is_empty();
        Next::Choose(offered, if is_bound { Choice::Places } else { Choice::Free })
    }

    /// The last order, where its first try failed and a second one may go another way.
    fn failed_once(&self) -> Option<Order> {
        let last =
            self.tries.last().filter(|made| !made.has_landed && made.order.change == Change::Rewrite)?;
        let count = self.tries.iter().filter(|made| made.order == last.order).count();
        (count < TRIES_PER_PLACE_MAX).then(|| last.order.clone())
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
        self.tries.iter().any(|made| made.has_landed && place.holds(&made.order.place))
    }

    /// Whether a place, or one around it, got a new text.
    fn is_rewritten(&self, place: &Place) -> bool {
        let is_it = |made: &Try| made.has_landed && made.order.change == Change::Rewrite;
        self.tries.iter().any(|made| is_it(made) && made.order.place.holds(place))
    }

    /// Whether the message asks for renames and removals alone, and all of them have landed.
    fn is_all_spelled_out(&self) -> bool {
        let orders = evidence::spelled_out(self);
        let is_landed = |order: &Order| self.tries.iter().any(|made| made.has_landed && made.order == *order);
        let has_landed = self.tries.iter().any(|made| made.has_landed);
        self.wording.sole_rename_or_removal && has_landed && orders.iter().all(is_landed)
    }
}
