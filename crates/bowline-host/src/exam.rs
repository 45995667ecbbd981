//! The exam carried out: asks a model's server what the core wants to know, one question after the other.
//!
//! Nothing is decided here but when a question's time is over.

use std::time::Duration;

use bowline_core::exam::{Card, Ending, Exam, Marked, Question, Reply};
use bowline_core::retry::{Sent, Tries, Verdict, judge};
use bowline_core::stream::Assembly;
use bowline_core::turn::Event;
use bowline_core::wire::Dialect;
use tokio::sync::mpsc::channel;
use tokio::time::{Instant, sleep, timeout_at};

use crate::clock::Clock;
use crate::model::Client;

/// Pieces of an answer on their way.
const EVENTS_MAX: usize = 256;

/// What happens, as it happens.
#[derive(Debug)]
pub enum Progress<'a> {
    Asking(&'a Question),
    Marked(&'a Marked),
}

/// Asks all there is time for.
pub async fn run_exam(
    client: &Client,
    dialect: Dialect,
    clock: Clock,
    mut tell: impl FnMut(Progress<'_>),
) -> Card {
    let mut exam = Exam::new(dialect);
    while let Some(question) = exam.next(clock.now_ms()) {
        tell(Progress::Asking(&question));
        let reply = answer(client, &question).await;
        let marked = exam.take(&question, reply, clock.now_ms());
        tell(Progress::Marked(&marked));
    }
    exam.card()
}

/// A server that is loading is waited for, and a connection that broke is made anew; everything else is what it is.
async fn answer(client: &Client, question: &Question) -> Reply {
    let started = Instant::now();
    let mut tries = Tries { failed: 0, loading: 0, since_ms: 0 };
    loop {
        let reply = ask(client, question, started + time(question.ms_max)).await;
        let Ending::Failed(failure) = &reply.ending else { return reply };
        tries.since_ms = ms(started.elapsed());
        let sent = Sent { has_tools: true, has_thinking: true, has_schema: true };
        match judge(failure, tries, sent) {
            Verdict::Again { after_ms, .. } if tries.since_ms + after_ms < question.ms_max => {
                tries.loading += 1;
                tries.failed += 1;
                sleep(time(after_ms)).await;
            }
            _ => return reply,
        }
    }
}

async fn ask(client: &Client, question: &Question, deadline: Instant) -> Reply {
    let started = Instant::now();
    let (sender, mut events) = channel(EVENTS_MAX);
    let request = Box::new(question.request.clone());
    // Dropping the task closes the stream, which frees the server's slot.
    let asking = tokio::spawn(client.clone().call(1, request, sender));
    let mut assembly = Assembly::new(question.mode);
    let mut first_ms = None;
    let ending = loop {
        match timeout_at(deadline, events.recv()).await {
            Err(_) => break Ending::Late,
            Ok(Some(Event::Deltas { deltas, .. })) => {
                for delta in deltas {
                    if assembly.push(delta) {
                        first_ms.get_or_insert(ms(started.elapsed()));
                    }
                }
                if let Some(message) = assembly.error().map(str::to_owned) {
                    break Ending::Failed(bowline_core::retry::Failure::Message { message });
                }
                if assembly.looping().is_some() {
                    break Ending::Looping;
                }
            }
            Ok(Some(Event::Failed { failure, .. })) => break Ending::Failed(failure),
            Ok(_) => break Ending::Whole,
        }
    };
    asking.abort();
    let took_ms = ms(started.elapsed());
    Reply { assembly, ending, took_ms, first_ms: first_ms.unwrap_or(took_ms) }
}

fn time(ms: i64) -> Duration {
    Duration::from_millis(u64::try_from(ms).unwrap_or(0))
}

fn ms(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
