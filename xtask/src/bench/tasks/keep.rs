//! Keeps what a run left, for reading: `project/`, `home/`, the copy with the hidden files (`judged/`), the events, stderr, the
//! output of the check, the session for people and the change as a diff. It copies; the run is over and not influenced.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::ground::{Ground, git, program};
use super::report::Run;

/// Left out of the copies: large, and built again in seconds.
const LEFT_OUT: [&str; 2] = ["target", "__pycache__"];

/// An error if something is there already: nothing is overwritten, and nothing is deleted.
pub(crate) fn check_empty(place: &Path) -> Result<()> {
    let is_used = std::fs::read_dir(place).is_ok_and(|mut entries| entries.next().is_some());
    ensure!(!is_used, "{} is not empty; name a new folder to keep the runs in", place.display());
    Ok(())
}

pub(crate) fn keep(place: &Path, bowline: &Path, ground: &Ground, run: &Run) -> Result<()> {
    let folder = place.join(format!("{}.{}", run.task, run.round));
    if let Some(session) = &run.figures.session {
        let mut export = program(bowline, &ground.project());
        export.args(["sessions", "export", session, "-o"]).arg(ground.printed("session.md"));
        // Without the session the rest is still worth keeping.
        let _ = export.env("BOWLINE_HOME", ground.home()).output();
    }
    let project = ground.project();
    git(&project, &["add", "--all", "--intent-to-add"])?;
    let change = git(&project, &["diff", "HEAD"])?;
    std::fs::write(ground.printed("change.diff"), change)?;
    std::fs::write(ground.printed("verdict.txt"), format!("{}\n", run.line()))?;
    copy(ground.folder(), &folder).with_context(|| folder.display().to_string())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let target = to.join(entry.file_name());
        if kind.is_dir() {
            if !LEFT_OUT.iter().any(|name| entry.file_name() == *name) {
                copy(&entry.path(), &target)?;
            }
        } else if kind.is_file() {
            std::fs::copy(entry.path(), &target)?;
        } else if kind.is_symlink() {
            std::os::unix::fs::symlink(std::fs::read_link(entry.path())?, &target)?;
        }
    }
    Ok(())
}
