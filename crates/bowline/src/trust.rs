//! Trust in a project's file: asked for once, shown before it is given, taken back. `bowline trust`.
//!
//! What always holds: nobody is taken to trust a file who has not seen what it wants, `--yes` or not; and it is the content
//! that is trusted, at its place: any change asks again.

use bowline_host::clock::Clock;
use bowline_host::config::{FILE_NAME, Files, Setting, Source, Trust, schema};
use bowline_host::home::Home;
use bowline_host::store::{Decision, Location, Store};

use crate::args;
use crate::exit::{Exit, Refusal};
use crate::output::{eprint_line, eprint_now, print_line};
use crate::paint::{one_line, tame};
use crate::sessions::failed;
use crate::settings::Settings;

/// The columns of a value, which is meant to be read before it is trusted.
const VALUE_COLUMNS: usize = 4096;

/// Whether somebody can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asking {
    Terminal,
    Nobody,
}

/// Whether the project's file is trusted as it is.
pub(crate) async fn of(files: &Files, home: &Home, asking: Asking) -> Result<Trust, Refusal> {
    let wants = files.in_need_of_trust();
    let Some(source) = files.project.as_ref().filter(|_| !wants.is_empty()) else { return Ok(Trust::No) };
    // Where there is no database nobody was ever asked, and asking makes none.
    let is_missing = matches!(&home.database, Location::Sqlite(path) if !path.exists());
    let known = match is_missing {
        true => None,
        false => open(home).await?.decision(&place(source), &source.hash).await.map_err(failed)?,
    };
    match (known, asking) {
        (Some(Decision::Trusted), _) => Ok(Trust::Yes),
        (Some(Decision::Refused), _) | (None, Asking::Nobody) => Ok(Trust::No),
        (None, Asking::Terminal) => ask(source, &wants, home).await,
    }
}

async fn open(home: &Home) -> Result<Store, Refusal> {
    Store::open(&home.database).await.map_err(failed)
}

/// The file without links: trust in one place is none in another.
fn place(source: &Source) -> String {
    let path = source.path.canonicalize().unwrap_or_else(|_| source.path.clone());
    path.to_string_lossy().into_owned()
}

async fn ask(source: &Source, wants: &[&Setting], home: &Home) -> Result<Trust, Refusal> {
    eprint_line(&format!("{} asks for settings you must approve:", tame(&source.path.display().to_string())));
    wants.iter().for_each(|setting| eprint_line(&line(setting)));
    eprint_now("? trust it? [y]es, [n]o: ");
    let typed = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).map(|_| line)
    });
    let typed = typed.await.map_err(failed)?.unwrap_or_default();
    let (decision, trust) = match typed.trim().to_lowercase().as_str() {
        "y" | "yes" => (Decision::Trusted, Trust::Yes),
        _ => (Decision::Refused, Trust::No),
    };
    let store = open(home).await?;
    store.decide(&place(source), &source.hash, decision, Clock::start().now_ms()).await.map_err(failed)?;
    Ok(trust)
}

fn line(setting: &Setting) -> String {
    let value = one_line(&setting.value.toml(), VALUE_COLUMNS);
    format!("  {} = {value}", one_line(&schema::dotted(&setting.path), VALUE_COLUMNS))
}

pub(crate) async fn trust(args: args::Trust) -> Exit {
    match attempt(&args).await {
        Ok(()) => Exit::Done,
        Err(refusal) => {
            eprint_line(&format!("bowline: {}", tame(&refusal.words)));
            refusal.exit
        }
    }
}

async fn attempt(args: &args::Trust) -> Result<(), Refusal> {
    let settings = Settings::load(&args.configuration, &args.folder, Asking::Nobody).await?;
    let file = settings.project.root.join(FILE_NAME);
    let Some(source) = &settings.files.project else {
        let words = format!(
            "there is no {}: nothing to trust. bowline config set --project creates one",
            file.display()
        );
        return Err(Refusal::new(Exit::Usage, words));
    };
    let shown = tame(&file.display().to_string());
    if args.is_removed {
        let is_gone = open(&settings.home).await?.forget_decision(&place(source)).await.map_err(failed)?;
        print_line(&format!("{shown} {}", if is_gone { "is no longer trusted" } else { "was not trusted" }));
        return Ok(());
    }
    let wants = settings.files.in_need_of_trust();
    if wants.is_empty() {
        print_line(&format!("{shown} has no settings that need trust"));
        return Ok(());
    }
    wants.iter().for_each(|setting| print_line(&line(setting)));
    let store = open(&settings.home).await?;
    let now_ms = Clock::start().now_ms();
    store.decide(&place(source), &source.hash, Decision::Trusted, now_ms).await.map_err(failed)?;
    print_line(&format!("{shown} is trusted as it is now; bowline trust --remove revokes this"));
    Ok(())
}
