//! The exam with scripted students. A case says how each question is answered: `MODE SUBJECT ANSWER [in S]`, with ANSWER one of
//! `text "…"`, `call NAME {…}`, `think "…"`, `fail CODE BODY`, `loop`, `late`; the first line that fits counts, `*` fits any.
//! `speed READING WRITING` is what the server reports, `window N` what it has, `sees N` how much of a prompt it reads.

use bowline_core::entry::Usage;
use bowline_core::exam::{Ending, Exam, Question, Reply, Subject};
use bowline_core::item::ReasoningField;
use bowline_core::retry::Failure;
use bowline_core::servers::ServerKind;
use bowline_core::stream::Assembly;
use bowline_core::wire::{CallPiece, Delta, Finish};

struct Student {
    lines: Vec<(String, String, String, i64)>,
    reading: f64,
    writing: f64,
    window: i64,
    sees: i64,
}

impl Student {
    fn parse(input: &str) -> Student {
        let mut student =
            Student { lines: Vec::new(), reading: 400.0, writing: 40.0, window: 16_384, sees: i64::MAX };
        for line in input.lines() {
            let words: Vec<&str> = line.splitn(3, ' ').collect();
            match words[0] {
                "speed" => {
                    (student.reading, student.writing) =
                        (words[1].parse().unwrap(), words[2].parse().unwrap());
                }
                "window" => student.window = words[1].parse().unwrap(),
                "sees" => student.sees = words[1].parse().unwrap(),
                mode => {
                    let (answer, seconds) = match words[2].rsplit_once(" in ") {
                        Some((answer, seconds)) => (answer, seconds.parse::<i64>().unwrap()),
                        None => (words[2], 2),
                    };
                    student.lines.push((
                        mode.to_owned(),
                        words[1].to_owned(),
                        answer.to_owned(),
                        seconds * 1000,
                    ));
                }
            }
        }
        student
    }

    fn answer(&self, question: &Question) -> (Reply, i64) {
        let fits = |said: &str, word: &str| said == "*" || said == word;
        let line = self.lines.iter().find(|(mode, subject, ..)| {
            fits(mode, question.mode.word()) && fits(subject, question.subject.word())
        });
        let (kind, rest, took_ms) = match (line, question.subject) {
            (Some((_, _, answer, ms)), _) => {
                let (kind, rest) = answer.split_once(' ').unwrap_or((answer, ""));
                (kind.to_owned(), rest.to_owned(), *ms)
            }
            (None, Subject::Needle) if question.tokens <= self.sees => (
                "text".to_owned(),
                "\"KESTREL-4711\"".to_owned(),
                question.tokens * 1000 / self.reading as i64,
            ),
            (None, _) => ("text".to_owned(), "\"Hm.\"".to_owned(), 2000),
        };
        let mut assembly = Assembly::new(question.mode);
        let mut ending = Ending::Whole;
        let string = |json: &str| serde_json::from_str::<String>(json).unwrap();
        match kind.as_str() {
            "text" => {
                assembly.push(Delta::Text(string(&rest)));
            }
            "think" => {
                assembly.push(Delta::Reasoning { field: ReasoningField::Thinking, text: string(&rest) });
            }
            "call" => {
                let (name, arguments) = rest.split_once(' ').unwrap();
                let (name, arguments) = (Some(name.to_owned()), arguments.to_owned());
                assembly.push(Delta::Call(CallPiece { name, arguments, ..CallPiece::default() }));
            }
            "fail" => {
                let (code, body) = rest.split_once(' ').unwrap();
                let (code, body) = (code.parse().unwrap(), body.to_owned());
                ending = Ending::Failed(Failure::Status { code, body, retry_after_ms: None });
            }
            "loop" => ending = Ending::Looping,
            "late" => ending = Ending::Late,
            other => panic!("unknown answer {other}"),
        }
        let took_ms = if took_ms > question.ms_max {
            ending = Ending::Late;
            question.ms_max
        } else {
            took_ms
        };
        let prompt = question.tokens.min(self.sees);
        let usage = Usage {
            prompt_new: prompt,
            output: 40,
            prefill_ms: (prompt as f64 / self.reading * 1000.0) as i64,
            decode_ms: (40.0 / self.writing * 1000.0) as i64,
            ..Usage::default()
        };
        assembly.push(Delta::Usage(usage));
        assembly.push(Delta::Finish(Finish::Ended));
        (Reply { assembly, ending, took_ms, first_ms: took_ms / 2 }, took_ms)
    }
}

#[test]
fn students() {
    crate::cases::check("exam.cases", |input| {
        let student = Student::parse(input);
        let mut exam = Exam::new(ServerKind::LlamaCpp.dialect("student", student.window));
        let (mut now, mut asked, mut text) = (0, 0, String::new());
        while let Some(question) = exam.next(now) {
            asked += 1;
            assert!(asked < 20, "it does not end");
            let (reply, took_ms) = student.answer(&question);
            now += took_ms;
            let marked = exam.take(&question, reply, now);
            if !marked.is_right() {
                text.push_str(&format!(
                    "{} {}: {:?}\n",
                    marked.mode.word(),
                    marked.subject.word(),
                    marked.mark
                ));
            }
        }
        let card = exam.card();
        assert!(card.to_json()["answers"].as_array().unwrap().len() == asked);
        assert!(now <= 125_000 + 300_000, "{now} ms");
        format!("{text}{}\n{asked} questions in {} s\n", card.lines().join("\n"), now / 1000)
    });
}
