//! Drawn sequences of turns, the user's own edits, undo, redo and restores: at each stand what the turns wrote is as it was
//! when that stand was first reached, the conversation too, and what the user alone wrote is never touched.
//!
//! `BOWLINE_RESTORE_SEED` begins elsewhere, `BOWLINE_RESTORE_RUNS` draws more.

use std::collections::BTreeMap;

use bowline_core::restore_entry::RestoreWhat;
use bowline_core::view::View;
use bowline_host::restore::{RestoreError, RestoreRequest};

use super::scene::{Files, Scene};
use crate::store::Fixture;

const RUNS: u64 = 3;
const STEPS: u64 = 14;

/// A small generator, so that a number draws the same everywhere.
struct Draw(u64);

impl Draw {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// What the turns wrote, and what was said.
#[derive(Clone, PartialEq, Debug)]
struct Stand {
    files: Files,
    said: Vec<String>,
}

async fn stand(scene: &Scene) -> Stand {
    let mut files = scene.files();
    files.retain(|name, _| !name.starts_with("user"));
    let view = View::of(&scene.log().await);
    let said = view.messages.into_iter().filter(|view| !view.is_taken_back);
    Stand { files, said: said.map(|view| view.message.id).collect() }
}

fn users(scene: &Scene) -> Files {
    let mut files = scene.files();
    files.retain(|name, _| name.starts_with("user"));
    files
}

async fn play(seed: u64) {
    let fixture = Fixture::sqlite();
    let mut scene = Scene::new(&fixture).await;
    let mut draw = Draw(seed);
    // By checkpoint: the stand a restore of it leads to.
    let mut stands: BTreeMap<String, Stand> = BTreeMap::new();
    for step in 0..STEPS {
        let before = stand(&scene).await;
        let mine = users(&scene);
        let what = match draw.next(8) {
            0..=2 => {
                let path = format!("f{}.txt", draw.next(3));
                let id = scene.turn(&path, &format!("step {step}\n")).await;
                stands.insert(id, before.clone());
                "turn"
            }
            3 => {
                scene.write(&format!("user{}.txt", draw.next(2)), &format!("mine {step}\n"));
                continue;
            }
            4 | 5 => taken_back(&mut scene, &RestoreRequest::Undo, &mut stands, &before).await,
            6 => taken_back(&mut scene, &RestoreRequest::Redo, &mut stands, &before).await,
            _ => {
                let listed = scene.listed().await;
                if listed.is_empty() {
                    continue;
                }
                let at = usize::try_from(draw.next(listed.len() as u64)).unwrap();
                let (id, what) = (listed[at].clone(), RestoreWhat::Both);
                taken_back(
                    &mut scene,
                    &RestoreRequest::Restore { checkpoint: id, what },
                    &mut stands,
                    &before,
                )
                .await
            }
        };
        assert_eq!(users(&scene), mine, "seed {seed}, step {step}: {what} touched the user's files");
    }
}

/// Does it, and compares where it led to with when it was there before.
async fn taken_back(
    scene: &mut Scene,
    wanted: &RestoreRequest,
    stands: &mut BTreeMap<String, Stand>,
    before: &Stand,
) -> &'static str {
    let done = match scene.carry_out(wanted).await {
        Ok(done) => done,
        Err(RestoreError::Refused { .. }) => {
            assert_eq!(stand(scene).await, *before, "what is refused touches nothing");
            return "a refusal";
        }
        Err(error) => panic!("{wanted:?}: {error}"),
    };
    let led_to = &stands[done.answer.checkpoint_id.as_ref().unwrap()];
    assert_eq!(stand(scene).await, *led_to, "{wanted:?}");
    stands.insert(done.answer.undo_checkpoint_id.unwrap(), before.clone());
    "a restore"
}

#[tokio::test(flavor = "multi_thread")]
async fn every_stand_is_reached_again_as_it_was() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let first = number("BOWLINE_RESTORE_SEED").unwrap_or(1);
    for seed in first..first + number("BOWLINE_RESTORE_RUNS").unwrap_or(RUNS) {
        play(seed).await;
    }
}
