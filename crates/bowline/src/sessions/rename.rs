//! `bowline sessions rename`.

use bowline_host::clock::Clock;
use bowline_host::config::CheckpointSettings;
use bowline_host::home::Home;
use bowline_host::launch::title;
use bowline_host::session;
use bowline_host::snapshots::Snapshots;

use super::{failed, find, open};
use crate::exit::{Exit, Refusal};
use crate::output::print_line;
use crate::paint::one_line;
use crate::run::short;

pub(super) async fn rename(id: &str, wanted: &str) -> Result<(), Refusal> {
    let title = title(wanted);
    if title.is_empty() {
        let words = "the title is empty: write it after the id, in quotes if it has several words";
        return Err(Refusal::new(Exit::Usage, words));
    }
    let store = open().await?;
    let found = find(&store, id).await?;
    let home = Home::find(|name| std::env::var_os(name)).map_err(failed)?;
    let snapshots = Snapshots::of(&home, &found.work_tree, &CheckpointSettings::default());
    session::rename(&store, &Clock::start(), &found, &snapshots, &title).await.map_err(failed)?;
    print_line(&format!("{}  {}", short(&found.id), one_line(&title, 100)));
    Ok(())
}
