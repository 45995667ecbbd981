//! `bowline models --probe`: the exam of the model that is used here, shown as it goes; its card on stdout.

use bowline_core::exam::{Card, EXAM_MS_MAX, Mark, Marked, Question, Subject};
use bowline_core::mode::{Binding, Mode};
use bowline_host::clock::Clock;
use bowline_host::exam::{Progress, run_exam};
use bowline_host::model::Client;
use bowline_host::servers::{Choice, NoModel, Search, choose};
use bowline_host::store::{ExamNote, Store};

use crate::exit::{Exit, Refusal};
use crate::output::{eprint_line, eprint_now, print_line};
use crate::paint::{Paint, tame};
use crate::print::json_line;
use crate::sessions::failed;

pub(crate) async fn probe(
    store: &Store,
    search: &Search,
    is_json: bool,
    is_plain: bool,
) -> Result<(), Refusal> {
    let choice = choose(search).await.map_err(|none: NoModel| Refusal::new(Exit::NoModel, none))?;
    let client = Client::new(choice.endpoint.clone()).map_err(failed)?;
    let paint = Paint::new(&std::io::stderr(), is_plain);
    let minutes = EXAM_MS_MAX / 60_000;
    eprint_line(&format!(
        "{} · window {} · at most {minutes} minutes once it is loaded",
        paint.bold(&tame(&choice.full_name)),
        choice.window
    ));
    let clock = Clock::start();
    let card = run_exam(&client, choice.dialect(), clock, |progress| match progress {
        Progress::Asking(question) => eprint_now(&asking(question)),
        Progress::Marked(marked) => eprint_line(&line(marked, paint)),
    })
    .await;
    if let [Marked { mark: Mark::Unanswered { why }, subject: Subject::Warm, .. }] = card.marked.as_slice() {
        return Err(Refusal::new(Exit::Failed, format!("the exam could not begin. {why}")));
    }
    keep(store, &choice, &card, clock.now_ms()).await?;
    if is_json {
        json_line(&card.to_json());
    } else {
        print_line(&format!("{} · bowline {}", tame(&choice.full_name), env!("CARGO_PKG_VERSION")));
        card.lines().iter().for_each(|line| print_line(line));
    }
    if card.mode.is_none() {
        let words = "this model made no readable call in any mode: choose another with --model";
        return Err(Refusal::new(Exit::NoModel, words));
    }
    Ok(())
}

/// Remembered for the next session of this model.
async fn keep(store: &Store, choice: &Choice, card: &Card, now_ms: i64) -> Result<(), Refusal> {
    let json = card.to_json().to_string();
    let note = ExamNote {
        mode: card.mode.map(Mode::word),
        thinking: Some(card.thinking.word()),
        window: card.window_seen,
        reported_window: card.window,
        card: &json,
        is_unbound: card.binding() == Binding::Refused,
    };
    store.note_exam(&choice.full_name, &choice.endpoint.base_url, &note, now_ms).await.map_err(failed)
}

fn what(subject: Subject, mode: Mode, tokens: i64) -> String {
    match subject {
        Subject::Warm => "load".to_owned(),
        Subject::Needle => format!("a word at the start of {tokens} tokens"),
        subject => format!("{} {}", mode.word(), subject.word()),
    }
}

fn asking(question: &Question) -> String {
    format!("  {:<40} ", what(question.subject, question.mode, question.tokens))
}

fn line(marked: &Marked, paint: Paint) -> String {
    let seconds = marked.took_ms as f64 / 1000.0;
    let mark = match &marked.mark {
        Mark::Right => paint.green("yes"),
        Mark::Mended { how } => format!("{} ({})", paint.green("yes"), tame(how)),
        Mark::Wrong { why } | Mark::Unanswered { why } => paint.yellow(&format!("no: {}", tame(why))),
        Mark::Refused { why } => paint.yellow(&format!("refused: {}", tame(why))),
    };
    format!("{mark} {}", paint.dim(&format!("{seconds:.1} s")))
}
