//! Pauses in what the scripted model says, so that a person can follow: it reads, then writes piece by piece.

use bowline_script::reply::{Pieces, Reply, Step};

/// Before each answer.
const READING_MS: u64 = 450;
/// After each piece of a text.
const PIECE_MS: u64 = 55;
/// Before each call.
const CALL_MS: u64 = 450;

/// The same replies, slower.
pub(super) fn paced(replies: Vec<Reply>) -> Vec<Reply> {
    replies.into_iter().map(slower).collect()
}

fn slower(mut reply: Reply) -> Reply {
    let mut steps = vec![Step::WaitMs(READING_MS)];
    for step in reply.steps {
        match step {
            Step::Text(pieces) => {
                for piece in pieces.split() {
                    steps.push(Step::Text(Pieces::whole(piece)));
                    steps.push(Step::WaitMs(PIECE_MS));
                }
            }
            Step::Reasoning { pieces, field } => {
                for piece in pieces.split() {
                    steps.push(Step::Reasoning { pieces: Pieces::whole(piece), field });
                    steps.push(Step::WaitMs(PIECE_MS));
                }
            }
            Step::Call(call) => steps.extend([Step::WaitMs(CALL_MS), Step::Call(call)]),
            step => steps.push(step),
        }
    }
    reply.steps = steps;
    reply
}

#[cfg(test)]
mod tests {
    use bowline_script::Scenario;

    use super::*;

    /// Long enough to be followed, short enough to be watched to its end.
    #[test]
    fn the_demonstration_takes_ten_to_twenty_seconds() {
        let scenario = Scenario::parse(super::super::SCENARIO).unwrap_or_else(|error| panic!("{error}"));
        let words = |replies: &[Reply]| -> String {
            let steps = replies.iter().flat_map(|reply| &reply.steps);
            steps
                .filter_map(|step| if let Step::Text(pieces) = step { Some(&*pieces.text) } else { None })
                .collect()
        };
        let said = words(&scenario.replies);
        let replies = paced(scenario.replies);
        assert_eq!(words(&replies), said);
        let waits = replies.iter().flat_map(|reply| &reply.steps);
        let ms: u64 = waits.map(|step| if let Step::WaitMs(ms) = step { *ms } else { 0 }).sum();
        assert!((10_000..20_000).contains(&ms), "{ms} ms");
    }
}
