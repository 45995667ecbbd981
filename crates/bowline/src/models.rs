//! `bowline models`: the servers that answer, their models, and which one is used here. Loads none of them.

use bowline_core::limits::WINDOW_MIN;
use bowline_core::servers::{Runs, UseFor};
use bowline_host::servers::{Choice, Listed, Listing, NoModel, Search, list};
use bowline_host::store::{ModelNote, Store};
use serde_json::json;
use unicode_width::UnicodeWidthStr as _;

use crate::args::Models;
use crate::exit::{Exit, Refusal};
use crate::output::{eprint_line, print_line};
use crate::paint::{Paint, one_line, tame};
use crate::print::json_line;
use crate::probe::probe;
use crate::sessions::{failed, open};
use crate::settings::Settings;
use crate::trust::Asking;

/// The columns of a name or an address. They are meant to be copied, so only absurdly long ones are cut.
const NAME_COLUMNS: usize = 1024;

pub(crate) async fn models(args: Models) -> Exit {
    match attempt(&args).await {
        Ok(()) => Exit::Done,
        Err(refusal) => {
            eprint_line(&format!("bowline: {}", tame(&refusal.words)));
            refusal.exit
        }
    }
}

async fn attempt(args: &Models) -> Result<(), Refusal> {
    let settings = Settings::load(&args.configuration, &args.folder, Asking::Nobody).await?;
    settings.notices().iter().for_each(|notice| eprint_line(notice));
    let store = open().await?;
    let last_used = store.last_model(&settings.root()).await.map_err(failed)?;
    let mut search = Search { last_used, ..args.server.search(None) };
    settings.fill(&mut search);
    if args.is_probe {
        return probe(&store, &search, args.is_json, args.is_plain).await;
    }
    let Listing { models, picked, notices } = list(&search).await.map_err(|none| refusal(&none))?;
    notices.iter().for_each(|notice| eprint_line(&format!("bowline: {}", tame(notice))));
    let mut rows = Vec::new();
    for listed in models {
        let note = note(&store, &listed).await?;
        let why = picked.as_ref().ok().filter(|choice| is_choice(&listed, choice)).map(|choice| choice.why);
        rows.push(Row { listed, note, why });
    }
    if args.is_json {
        rows.iter().for_each(|row| json_line(&row.json()));
    } else {
        table(&rows, Paint::new(&std::io::stdout(), args.is_plain)).iter().for_each(|line| print_line(line));
    }
    picked.map(|_| ()).map_err(|none| refusal(&none))
}

async fn note(store: &Store, listed: &Listed) -> Result<Option<ModelNote>, Refusal> {
    store.model_note(&listed.full_name, &listed.base_url).await.map_err(failed)
}

fn is_choice(listed: &Listed, choice: &Choice) -> bool {
    listed.model.name == choice.model && listed.base_url == choice.endpoint.base_url
}

fn refusal(none: &NoModel) -> Refusal {
    match none {
        // Those there are stand above.
        NoModel::Unknown { name, by, remedy, .. } => {
            let words = format!("there is no model {name:?}{by} here.\n{remedy}");
            Refusal::new(Exit::NoModel, words)
        }
        none => Refusal::new(Exit::NoModel, none),
    }
}

/// A model with what is remembered of it, and why it is the one that is used.
struct Row {
    listed: Listed,
    note: Option<ModelNote>,
    why: Option<&'static str>,
}

impl Row {
    fn mode(&self) -> Option<&str> {
        self.note.as_ref()?.mode.as_deref()
    }

    fn json(&self) -> serde_json::Value {
        let Listed { server, base_url, full_name, model, window, is_window_known, runs, .. } = &self.listed;
        json!({
            "v": 1,
            "server": server.word(),
            "base_url": base_url,
            "model": full_name,
            "window": window,
            "window_known": is_window_known,
            "loaded": model.is_loaded,
            "bytes": (model.bytes > 0).then_some(model.bytes),
            "runs": if *runs == Runs::Here { "here" } else { "elsewhere" },
            "use": if model.use_for == UseFor::Chat { "chat" } else { "embedding" },
            "mode": self.mode(),
            "picked": self.why.is_some(),
            "why": self.why,
        })
    }

    fn name(&self) -> String {
        one_line(&self.listed.full_name, NAME_COLUMNS)
    }

    /// What lies elsewhere has no size that says anything.
    fn size(&self) -> String {
        if self.listed.model.runs == Runs::Here { size(self.listed.model.bytes) } else { "–".to_owned() }
    }

    fn window(&self) -> String {
        match (self.listed.model.use_for, self.listed.is_window_known) {
            (UseFor::Embedding, _) => "–".to_owned(),
            (_, true) => self.listed.window.to_string(),
            (_, false) => format!("{}?", self.listed.window),
        }
    }

    fn is_window_guessed(&self) -> bool {
        self.listed.model.use_for == UseFor::Chat && !self.listed.is_window_known
    }

    fn notes(&self) -> String {
        let is_chat = self.listed.model.use_for == UseFor::Chat;
        let is_small = is_chat && self.listed.is_window_known && self.listed.window < WINDOW_MIN;
        let notes = [
            (!is_chat).then(|| "embedding, not usable".to_owned()),
            is_small.then(|| "window too small".to_owned()),
            (self.listed.runs == Runs::Elsewhere).then(|| "leaves this machine".to_owned()),
            self.listed.model.is_loaded.then(|| "loaded".to_owned()),
            self.mode().map(|mode| format!("{mode} mode")),
        ];
        notes.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// One block per server, aligned over all of them.
fn table(rows: &[Row], paint: Paint) -> Vec<String> {
    let widest = |cell: fn(&Row) -> String| rows.iter().map(|row| cell(row).width()).max().unwrap_or(0);
    let (names, sizes, windows) = (widest(Row::name), widest(Row::size), widest(Row::window));
    let mut lines = Vec::new();
    let mut server = None;
    for row in rows {
        if server != Some(&row.listed.base_url) {
            server = Some(&row.listed.base_url);
            let address = one_line(&row.listed.base_url, NAME_COLUMNS);
            let kind = row.listed.server.word();
            let name = match &row.listed.server_name {
                Some(name) if name != kind => format!("{} ({kind})", one_line(name, NAME_COLUMNS)),
                _ => kind.to_owned(),
            };
            lines.push(paint.dim(&format!("{name} at {address}")));
        }
        // Padded before it is painted: colour has no width.
        let name = format!("{}{}", row.name(), " ".repeat(names - row.name().width()));
        let (mark, name) = if row.why.is_some() { ("*", paint.bold(&name)) } else { (" ", name) };
        let (size, window) = (row.size(), row.window());
        let line = format!("{mark} {name}  {size:>sizes$}  {window:>windows$}  {}", row.notes());
        lines.push(line.trim_end().to_owned());
    }
    if let Some((row, why)) = rows.iter().find_map(|row| Some((row, row.why?))) {
        lines.push(format!("\n* used here: {} · {why} · window {}", row.name(), row.listed.window));
    }
    if rows.iter().any(Row::is_window_guessed) {
        lines.push("? not reported by the server; bowline run --window N sets it".to_owned());
    }
    lines
}

/// As the servers count: a thousand bytes are one more step.
fn size(bytes: i64) -> String {
    const MEGA: i64 = 1_000_000;
    match bytes {
        ..1 => "–".to_owned(),
        1..MEGA => "<1 MB".to_owned(),
        MEGA..1_000_000_000 => format!("{} MB", bytes / MEGA),
        _ => {
            let tenths = bytes / (100 * MEGA);
            format!("{}.{} GB", tenths / 10, tenths % 10)
        }
    }
}

#[cfg(test)]
mod tests {
    use bowline_core::servers::{Model, ServerKind};

    use super::*;

    #[test]
    fn sizes_in_few_columns() {
        let sizes = [0, 384, 274_290_656, 5_225_388_164, 18_556_685_856, 999_999_999].map(size);
        assert_eq!(sizes, ["–", "<1 MB", "274 MB", "5.2 GB", "18.5 GB", "999 MB"]);
    }

    fn row(server: ServerKind, base_url: &str, model: Model, window: Option<i64>) -> Row {
        let full_name = format!("{}/{}", server.word(), model.name);
        let listed = Listed {
            server,
            server_name: None,
            base_url: base_url.to_owned(),
            full_name,
            runs: model.runs,
            model,
            window: window.unwrap_or(8_192),
            is_window_known: window.is_some(),
        };
        Row { listed, note: None, why: None }
    }

    #[test]
    fn two_servers_in_one_table() {
        let big = Model { bytes: 18_556_685_856, is_loaded: true, ..Model::unlisted("qwen3-coder:30b") };
        let wide = Model { bytes: 5_200_000_000, ..Model::unlisted("日本語:7b") };
        let (ollama, studio) = ("http://127.0.0.1:11434", "http://127.0.0.1:1234/v1");
        let mut rows = [
            row(ServerKind::Ollama, ollama, big, Some(32_768)),
            row(ServerKind::Ollama, ollama, wide, Some(4_096)),
            row(ServerKind::LmStudio, studio, Model::unlisted("x"), None),
        ];
        rows[0].why = Some("loaded now");
        let paint = Paint::new(&std::io::stdout(), true);
        let due = "ollama at http://127.0.0.1:11434
* ollama/qwen3-coder:30b  18.5 GB  32768  loaded
  ollama/日本語:7b         5.2 GB   4096  window too small
lmstudio at http://127.0.0.1:1234/v1
  lmstudio/x                    –  8192?

* used here: ollama/qwen3-coder:30b · loaded now · window 32768
? not reported by the server; bowline run --window N sets it";
        assert_eq!(table(&rows, paint).join("\n"), due);
        assert_eq!(table(&[], paint), Vec::<String>::new());
    }
}
