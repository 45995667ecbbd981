//! `bowline config show|path|set|forget`.

use std::path::{Path, PathBuf};

use bowline_host::config::{Counts, FILE_NAME, Owner, SetError, schema, set, shown};
use bowline_host::home::Home;
use bowline_host::project::Project;
use bowline_host::store::{AllowRule, Location, Store};
use serde_json::{Value, json};

use crate::args::{Config, ConfigCommand, Configuration};
use crate::exit::{Exit, Refusal};
use crate::output::{eprint_line, print_line};
use crate::paint::{Paint, one_line, tame};
use crate::print::json_line;
use crate::sessions::{failed, open};
use crate::settings::Settings;
use crate::trust::Asking;

/// The columns of a line, which is meant to be copied.
const LINE_COLUMNS: usize = 4096;

pub(crate) async fn config(args: Config) -> Exit {
    let done = match &args.command {
        ConfigCommand::Show { is_json, configuration, folder, is_plain } => {
            show(configuration, folder, *is_json, *is_plain).await
        }
        ConfigCommand::Path { is_project, folder, configuration } => {
            file(*is_project, configuration, folder).map(|path| print_line(&path.display().to_string()))
        }
        ConfigCommand::Set { key, value, is_project, folder, configuration } => {
            change(key, value, *is_project, configuration, folder)
        }
        ConfigCommand::Forget { pattern, folder } => forget(pattern, folder).await,
    };
    match done {
        Ok(()) => Exit::Done,
        Err(refusal) => {
            eprint_line(&format!("bowline: {}", tame(&refusal.words)));
            refusal.exit
        }
    }
}

/// The user's file, or the project's.
fn file(is_project: bool, configuration: &Configuration, folder: &Path) -> Result<PathBuf, Refusal> {
    if is_project {
        let project = Project::find(folder).map_err(|error| Refusal::new(Exit::Usage, error))?;
        return Ok(project.root.join(FILE_NAME));
    }
    if let Some(file) = &configuration.file {
        return Ok(file.clone());
    }
    let home =
        Home::find(|name| std::env::var_os(name)).map_err(|error| Refusal::new(Exit::Failed, error))?;
    Ok(home.config.join(FILE_NAME))
}

fn change(
    key: &str,
    value: &str,
    is_project: bool,
    configuration: &Configuration,
    folder: &Path,
) -> Result<(), Refusal> {
    let file = file(is_project, configuration, folder)?;
    let owner = if is_project { Owner::Project } else { Owner::User };
    let key = set(&file, owner, key, value).map_err(|error| match error {
        SetError::Unwritten { .. } => Refusal::new(Exit::Failed, error),
        error => Refusal::new(Exit::Usage, error),
    })?;
    eprint_line(&format!("{} is set in {}", tame(&key), tame(&file.display().to_string())));
    Ok(())
}

/// A value, where it comes from, and whether it counts.
struct Row {
    key: String,
    toml: String,
    json: Value,
    from: &'static str,
    place: Option<String>,
    /// Why it does not count.
    idle: Option<Idle>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Idle {
    Untrusted,
    Beaten,
}

impl Row {
    fn environment(key: &str, variable: &str) -> Option<Row> {
        let value = std::env::var(variable).ok().filter(|value| !value.is_empty())?;
        // What may be a key is not for the screen, and an address may hold a password.
        let value = match variable {
            "BOWLINE_API_KEY" => "(set)".to_owned(),
            "BOWLINE_DATABASE" => Location::parse(&value).to_string(),
            _ => value,
        };
        Some(Row {
            key: key.to_owned(),
            toml: Value::from(value.as_str()).to_string(),
            json: value.into(),
            from: "environment",
            place: Some(variable.to_owned()),
            idle: None,
        })
    }

    fn default(key: &str, value: &str) -> Row {
        Row {
            key: key.to_owned(),
            toml: Value::from(value).to_string(),
            json: value.into(),
            from: "default",
            place: None,
            idle: None,
        }
    }

    fn json(&self) -> Value {
        json!({
            "v": 1, "key": self.key, "value": self.json, "from": self.from, "place": self.place,
            "counts": self.idle.is_none(),
            "why": self.idle.map(|idle| if idle == Idle::Untrusted { "untrusted" } else { "overridden" }),
        })
    }

    fn line(&self, paint: Paint) -> String {
        let value = one_line(&format!("{} = {}", self.key, self.toml), LINE_COLUMNS);
        let place = one_line(self.place.as_deref().unwrap_or(self.from), LINE_COLUMNS);
        let why = match self.idle {
            None => "",
            Some(Idle::Untrusted) => ": ignored, because it is not trusted (bowline trust)",
            Some(Idle::Beaten) => ": overridden by another value",
        };
        format!("{value}  {}", paint.dim(&format!("# {place}{why}")))
    }
}

async fn show(
    configuration: &Configuration,
    folder: &Path,
    is_json: bool,
    is_plain: bool,
) -> Result<(), Refusal> {
    let settings = Settings::load(configuration, folder, Asking::Nobody).await?;
    let mut rows = rows(&settings);
    rows.extend(answered(&settings).await?);
    if is_json {
        rows.iter().for_each(|row| json_line(&row.json()));
    } else {
        let paint = Paint::new(&std::io::stdout(), is_plain);
        rows.iter().for_each(|row| print_line(&row.line(paint)));
    }
    Ok(())
}

/// What the user answered with *always* for this project. A database that is not there yet is not made for it.
async fn answered(settings: &Settings) -> Result<Vec<Row>, Refusal> {
    if let Location::Sqlite(path) = &settings.home.database
        && !path.exists()
    {
        return Ok(Vec::new());
    }
    let store = Store::open(&settings.home.database).await.map_err(failed)?;
    let row = |allowed: AllowRule| Row {
        key: "permissions.allow".to_owned(),
        toml: json!([allowed.pattern]).to_string(),
        json: json!([allowed.pattern]),
        from: "answered",
        place: Some(format!("answered for this project: bowline config forget '{}'", allowed.pattern)),
        idle: None,
    };
    Ok(store.allowed(&settings.root()).await.map_err(failed)?.into_iter().map(row).collect())
}

/// Takes an answer back.
async fn forget(pattern: &str, folder: &Path) -> Result<(), Refusal> {
    let root = Project::find(folder).map_err(|error| Refusal::new(Exit::Usage, error))?.root;
    let root = root.to_string_lossy();
    let store = open().await?;
    let allowed = store.allowed(&root).await.map_err(failed)?;
    if !allowed.iter().any(|allowed| allowed.pattern == pattern) {
        let words = format!("{pattern} was not allowed for this project: bowline config show lists what was");
        return Err(Refusal::new(Exit::Usage, words));
    }
    store.disallow(&root, pattern).await.map_err(failed)?;
    eprint_line(&format!("{} needs approval again", tame(pattern)));
    Ok(())
}

/// All values, those that come first before the others.
fn rows(settings: &Settings) -> Vec<Row> {
    let variables = [
        ("model", "BOWLINE_MODEL"),
        ("base_url", "BOWLINE_BASE_URL"),
        ("api_key", "BOWLINE_API_KEY"),
        ("database", "BOWLINE_DATABASE"),
        ("ollama_host", "OLLAMA_HOST"),
    ];
    let mut rows: Vec<Row> =
        variables.iter().filter_map(|(key, variable)| Row::environment(key, variable)).collect();
    let is_named = rows.iter().any(|row| row.key == "model");
    for value in shown(&settings.files, settings.trust) {
        let key = schema::dotted(&value.setting.path);
        let idle = match value.counts {
            Counts::Untrusted => Some(Idle::Untrusted),
            Counts::Beaten => Some(Idle::Beaten),
            Counts::Yes => (is_named && key == "model").then_some(Idle::Beaten),
        };
        rows.push(Row {
            key,
            toml: value.setting.value.toml(),
            json: value.setting.value.json(),
            from: value.from.word(),
            place: Some(value.setting.place.to_string()),
            idle,
        });
    }
    let counts = |rows: &[Row], key: &str| rows.iter().any(|row| row.key == key && row.idle.is_none());
    if !counts(&rows, "database") {
        rows.push(Row::default("database", &settings.home.database.to_string()));
    }
    if !counts(&rows, "edit.mode") {
        rows.push(Row::default("edit.mode", "careful"));
    }
    rows
}
