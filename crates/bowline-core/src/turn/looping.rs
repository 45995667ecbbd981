//! A stream that repeats itself: cut, asked again once with a higher temperature, then the turn ends.

use super::asking::Asking;
use super::purpose::Without;
use super::{Effect, Machine, Phase};
use crate::entry::Stop;
use crate::guard::text::TextLoop;
use crate::limits::TEXT_LOOP_RETRIES_MAX;
use crate::sentinel::{LoopPattern, NoAnswer, Sentinel};
use crate::stream::Stream;

impl Machine {
    /// Looks at the answer under way.
    pub(super) fn look_for_loop(&mut self, call: u64, now: i64) {
        let Phase::Asking(asking) = &mut self.phase else { return };
        let Some((stream, found)) = asking.assembly.looping() else { return };
        self.effects.push(Effect::CloseModel { call });
        if let Without::GoesOn(go_on) = asking.purpose.record().looped {
            asking.closed(now);
            go_on(self, now);
        } else if asking.loops < TEXT_LOOP_RETRIES_MAX {
            asking.loops += 1;
            asking.hotter(now);
            self.record_loop(found, false);
            self.call_model(now);
        } else {
            self.stop_loop(stream, found, now);
        }
    }

    fn record_loop(&mut self, found: TextLoop, escalated: bool) {
        let can_continue = escalated.then_some(true);
        self.record_sentinel(Sentinel::DoomLoop {
            pattern: LoopPattern::Text,
            count: found.count,
            escalated,
            can_continue,
        });
    }

    /// What was said stays, its loop cut to where it can be seen: in full it would be an invitation to go on with it.
    fn stop_loop(&mut self, stream: Stream, found: TextLoop, now: i64) {
        let Phase::Asking(asking) = &mut self.phase else { return };
        let Asking { assembly, text, thoughts, .. } = asking.as_mut();
        assembly.cut_loop(stream, found);
        text.settle();
        thoughts.settle();
        asking.closed(now);
        self.record_loop(found, true);
        self.record_sentinel(Sentinel::NoAnswer { reason: NoAnswer::TextLoop, can_continue: true });
        let what = match stream {
            Stream::Text => "repeated the same text",
            Stream::Thoughts => "thought the same over and over",
            Stream::Arguments => "repeated the same text in a call",
        };
        let reason = format!("The model {what}, also when it was asked again.");
        let hint = "bowline run -c \"…\" with a hint, or try another model";
        self.finish(Stop::Guard, Some(reason), Some(hint.to_owned()), now);
    }
}
