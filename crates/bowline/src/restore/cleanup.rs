//! `bowline checkpoint tidy`, and the background process that runs it after a turn.

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use bowline_host::checkpoint_cleanup::{CheckpointCleanup, is_due};
use bowline_host::clock::Clock;
use bowline_host::home::Home;

use super::checkpoint::FolderCheckpoints;
use crate::args::Configuration;
use crate::exit::Refusal;
use crate::output::print_line;
use crate::sessions::failed;

pub(super) async fn tidy(
    is_quiet: bool,
    configuration: &Configuration,
    folder: &Path,
) -> Result<(), Refusal> {
    let checkpoints = FolderCheckpoints::open(configuration, folder).await?;
    let upkeep = CheckpointCleanup {
        store: &checkpoints.store,
        clock: Clock::start(),
        home: checkpoints.settings.home.checkpoints(),
        root: checkpoints.settings.project.root.clone(),
        settings: checkpoints.settings.config.checkpoints,
    };
    let tidied = upkeep.tidy().await.map_err(failed)?;
    if !is_quiet {
        let size = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
        let (before, after) = (size(tidied.bytes_before), size(tidied.bytes_after));
        print_line(&format!("{} checkpoints deleted · {before} → {after}", tidied.forgotten));
    }
    Ok(())
}

/// Starts the background process if the last cleanup was more than a day ago. It outlives this process.
pub(crate) fn begin_if_due(home: &Home, root: &Path) {
    if !is_due(&home.checkpoints(), root) {
        return;
    }
    let Ok(program) = std::env::current_exe() else { return };
    let mut command = Command::new(program);
    command.args(["checkpoint", "tidy", "--quiet", "-C"]).arg(root);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    // What can't be begun now is begun another day.
    if let Ok(mut begun) = command.spawn() {
        // Where this process goes on, somebody has to see it end.
        std::thread::spawn(move || begun.wait());
    }
}
