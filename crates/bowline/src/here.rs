//! Whether bowline works in a folder that is likely to be no project: a home folder, a file system, a folder of repositories.
//!
//! What always holds: without `--here` or a yes, no turn begins there.

use std::path::PathBuf;

use bowline_host::project::{Doubt, Project};

use crate::exit::{Exit, Refusal};
use crate::output::{eprint_line, eprint_now};
use crate::paint::tame;
use crate::sessions::failed;
use crate::trust::Asking;

/// Refuses such a folder, or asks about it.
pub(crate) async fn check(project: &Project, is_here: bool, asking: Asking) -> Result<(), Refusal> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let Some(doubt) = project.doubt(home.as_deref()).filter(|_| !is_here) else { return Ok(()) };
    match asking {
        Asking::Nobody => Err(refusal(project, doubt)),
        Asking::Terminal => ask(project, doubt).await,
    }
}

fn about(project: &Project, doubt: Doubt) -> String {
    format!("{} {}", tame(&project.root.display().to_string()), doubt.words())
}

fn refusal(project: &Project, doubt: Doubt) -> Refusal {
    let words = format!(
        "{}: name a project's folder with -C, or add --here to work in all of it",
        about(project, doubt)
    );
    Refusal::new(Exit::Usage, words)
}

async fn ask(project: &Project, doubt: Doubt) -> Result<(), Refusal> {
    eprint_line(&format!("{}: a turn could read and change everything in it.", about(project, doubt)));
    eprint_now("? work here? [y]es, [n]o: ");
    let typed = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).map(|_| line)
    });
    let typed = typed.await.map_err(failed)?.unwrap_or_default();
    match typed.trim().to_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(refusal(project, doubt)),
    }
}
