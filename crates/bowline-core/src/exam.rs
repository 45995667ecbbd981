//! The exam: what a model on its server can really do, found out in two minutes.
//!
//! Small models differ more in *how* they call tools than in what they know, and servers tell less than the truth about
//! windows. So each mode gets the same three questions (a call, an edit, stopping when done), and a code word at the head
//! of a long prompt tells whether it is read at all. It decides what is asked next and what comes of it; asking is the
//! host's.
//!
//! What always holds: it ends within its time, whatever the server does; what was not asked for lack of time is not
//! counted as failed.

mod card;
mod mark;
mod question;

use crate::entry::Usage;
use crate::mode::Mode;
use crate::retry::Failure;
use crate::stream::Assembly;
use crate::thinking::Thinking;
use crate::window::Meter;
use crate::wire::Dialect;

pub use card::Card;
pub use mark::{Mark, Marked};
pub use question::{Question, Subject};

/// For all questions together, once the model is loaded.
pub const EXAM_MS_MAX: i64 = 120_000;
/// The part of the exam's time that is kept for the needle.
const NEEDLE_MS: i64 = 35_000;
/// One question gets at least this, if the exam has as much left.
const QUESTION_MS_MIN: i64 = 8_000;
/// Loading the model, which is not the model's fault.
pub const LOAD_MS_MAX: i64 = 300_000;

/// How a question was answered.
#[derive(Debug)]
pub struct Reply {
    pub assembly: Assembly,
    pub ending: Ending,
    pub took_ms: i64,
    /// Until the first token.
    pub first_ms: i64,
}

/// How an answer came to its end.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    Whole,
    /// The time for it was over first.
    Late,
    /// It repeated itself.
    Looping,
    Failed(Failure),
}

/// An exam under way.
#[derive(Debug)]
pub struct Exam {
    dialect: Dialect,
    meter: Meter,
    marked: Vec<Marked>,
    /// When the model was loaded and the time began to count.
    started_ms: Option<i64>,
    speed: Speed,
    window: Option<i64>,
    is_thinking: bool,
}

/// Tokens a second, as far as they are known.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Speed {
    pub reading: Option<f64>,
    pub writing: Option<f64>,
}

impl Exam {
    pub fn new(dialect: Dialect) -> Exam {
        Exam {
            dialect,
            meter: Meter::default(),
            marked: Vec::new(),
            started_ms: None,
            speed: Speed::default(),
            window: None,
            is_thinking: false,
        }
    }

    /// The next question; none when all were asked or the time is up.
    pub fn next(&self, now: i64) -> Option<Question> {
        let Some(started_ms) = self.started_ms else {
            let is_first = self.marked.is_empty();
            return is_first.then(|| self.question(Subject::Warm, Mode::Native, LOAD_MS_MAX));
        };
        let left = started_ms + EXAM_MS_MAX - now;
        let in_modes =
            Mode::ALL.into_iter().flat_map(|mode| Subject::IN_MODES.map(|subject| (subject, mode)));
        let open: Vec<(Subject, Mode)> =
            in_modes.filter(|(subject, mode)| self.is_open(*subject, *mode)).collect();
        let for_modes = left - NEEDLE_MS;
        if let Some((subject, mode)) = open.first()
            && for_modes >= QUESTION_MS_MIN
        {
            return Some(self.question_within(*subject, *mode, for_modes, open.len()));
        }
        let is_needle_due = match self.marked.iter().rfind(|marked| marked.subject == Subject::Needle) {
            None => true,
            Some(last) => matches!(last.mark, Mark::Wrong { .. }) && self.needles() < question::NEEDLES_MAX,
        };
        let is_time = is_needle_due && left >= QUESTION_MS_MIN;
        is_time.then(|| self.question(Subject::Needle, Mode::Native, left))
    }

    /// A share of the time for all that are open, and what reading its prompt takes. What others leave over may be used.
    fn question_within(&self, subject: Subject, mode: Mode, left: i64, open: usize) -> Question {
        let question = self.question(subject, mode, left);
        let share = (left / i64::try_from(open).unwrap_or(1)).max(QUESTION_MS_MIN);
        let is_first = subject == Subject::IN_MODES[0];
        let reading = self.speed.reading.filter(|_| is_first);
        let reading_ms = reading.map_or(0, |speed| (question.tokens as f64 / speed * 1000.0) as i64);
        Question { ms_max: (share * 3 / 2 + reading_ms).min(left), ..question }
    }

    fn needles(&self) -> usize {
        self.marked.iter().filter(|marked| marked.subject == Subject::Needle).count()
    }

    /// Not asked yet, and not known to be in vain.
    fn is_open(&self, subject: Subject, mode: Mode) -> bool {
        let of_mode =
            || self.marked.iter().filter(|marked| marked.mode == mode && marked.subject.is_of_mode());
        let is_asked = of_mode().any(|marked| marked.subject == subject);
        let is_refused = of_mode().any(|marked| matches!(marked.mark, Mark::Refused { .. }));
        // A mode in which nothing can be called will not be picked, however well it ends.
        let is_hopeless =
            subject == Subject::Stop && of_mode().filter(|marked| !marked.is_right()).count() >= 2;
        !is_asked && !is_refused && !is_hopeless
    }

    /// Takes the answer and marks it.
    pub fn take(&mut self, question: &Question, reply: Reply, now: i64) -> Marked {
        let usage = learnt(&reply);
        let is_whole = reply.ending == Ending::Whole;
        if question.subject == Subject::Warm && is_whole {
            self.started_ms = Some(now);
        }
        if is_whole {
            self.meter.learn(question.request.prompt_bytes(), usage);
            self.learn_speed(usage);
        }
        let marked = mark::mark(question, reply);
        if marked.is_thought_only {
            // It thinks and does not come to an end: what follows is asked without.
            self.dialect.thinking = Thinking::Off;
        }
        self.is_thinking |= marked.is_thinking;
        self.learn_window(question, &marked, usage);
        self.marked.push(marked.clone());
        marked
    }

    /// A short prompt or answer says little about the speed.
    fn learn_speed(&mut self, usage: Usage) {
        const TOKENS_MIN: i64 = 16;
        let speed = |tokens: i64, ms: i64| {
            (tokens >= TOKENS_MIN && ms > 0).then(|| tokens as f64 * 1000.0 / ms as f64)
        };
        self.speed.reading = speed(usage.prompt_new, usage.prefill_ms).or(self.speed.reading);
        self.speed.writing = speed(usage.output, usage.decode_ms).or(self.speed.writing);
    }

    /// A needle that was seen shows how much is read; one that was not, that less is.
    fn learn_window(&mut self, question: &Question, marked: &Marked, usage: Usage) {
        if question.subject != Subject::Needle {
            return;
        }
        match marked.mark {
            Mark::Right if self.needles() > 0 => self.window = Some(question.tokens),
            // What the server says it read, where it says that it read less than it got.
            Mark::Wrong { .. } if usage.prompt() > 0 && usage.prompt() < question.tokens * 6 / 10 => {
                self.window = Some(usage.prompt());
            }
            _ => {}
        }
    }

    /// The results so far, as a card.
    pub fn card(&self) -> Card {
        Card::of(self)
    }
}

/// The server's figures, with ours where it gave no times.
fn learnt(reply: &Reply) -> Usage {
    let mut usage = reply.assembly.usage();
    if usage.prefill_ms == 0 && usage.decode_ms == 0 {
        usage.prefill_ms = reply.first_ms;
        usage.decode_ms = reply.took_ms - reply.first_ms;
    }
    usage
}
