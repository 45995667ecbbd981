//! What shells and manuals get.

use crate::harness::{HELLO, World};

const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "elvish", "powershell"];

/// What bash offers for a line that was begun, with the script loaded as a user loads it.
fn offered(world: &World, script: &str, words: &[&str]) -> Vec<String> {
    let file = world.path().join("completions.bash");
    std::fs::write(&file, script).unwrap();
    let last = words.len() - 1;
    let program = format!(
        "set -eu -o pipefail\n. {}\ncomplete -p bowline\nCOMP_WORDS=({}); COMP_CWORD={last}\n\
         _bowline bowline {:?} {:?} || true\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
        file.display(),
        words.join(" "),
        words[last],
        words[last - 1]
    );
    let bash = |args: &[&str]| {
        let done = std::process::Command::new("bash").args(args).output().expect("bash is there");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    };
    bash(&["-n", file.to_str().unwrap()]);
    let said = bash(&["--norc", "--noprofile", "-c", &program]);
    let (complete, offered) = said.split_once('\n').unwrap();
    assert!(complete.contains("-F _bowline") && complete.ends_with(" bowline"), "{complete}");
    offered.lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn bash_completes() {
    let world = World::play(HELLO).await;
    let script = world.bowline(&["completions", "bash"]).end().await.expect(0).stdout;
    assert_eq!(offered(&world, &script, &["bowline", "se"]), ["sessions"]);
    assert_eq!(offered(&world, &script, &["bowline", "sessions", "ex"]), ["export"]);
    assert_eq!(offered(&world, &script, &["bowline", "run", "--max-s"]), ["--max-steps"]);
    let modes = offered(&world, &script, &["bowline", "run", "--mode", ""]);
    assert_eq!(modes, ["native", "text", "constrained"]);
}

#[tokio::test]
async fn every_shell_has_its_script() {
    let world = World::play(HELLO).await;
    for shell in SHELLS {
        let script = world.bowline(&["completions", shell]).end().await.expect(0).stdout;
        assert!(script.contains("sessions") && script.contains("max-steps"), "{shell}:\n{script}");
    }
    world.bowline(&["completions", "tcsh"]).end().await.expect(2).says(&["possible values: bash"]);
}

#[tokio::test]
async fn the_manual_has_every_command() {
    let world = World::play(HELLO).await;
    let page = world.bowline(&["man"]).end().await.expect(0).stdout;
    for words in [".TH bowline 1", ".SH \"BOWLINE RUN\"", ".SH \"BOWLINE SESSIONS EXPORT\"", "max\\-steps"] {
        assert!(page.contains(words), "{words}\n{page}");
    }
    assert!(!page.contains("BOWLINE MAN"), "a hidden command is shown");
}
