//! The chat on a terminal: typed into, stopped, asked, resized, left.

use crate::harness::World;
use crate::screen::{CTRL_D, ENTER, Screen};

const CLEAN: &str = include_str!("../../../../scenarios/clean.scenario");

#[tokio::test]
async fn a_task_is_done_and_told() {
    let world = World::play(CLEAN).await;
    let mut screen = Screen::chat(&world, &[], 100, 40);
    screen.until("Ctrl-D leaves").await;
    screen.press(&world.task);
    screen.press(ENTER);
    screen.until("% of the prompt cached").await;
    screen.until("app.sh +1").await;
    screen.check("clean").await;
    screen.press(CTRL_D);
    assert_eq!(screen.end().await.code(), Some(0));
    assert!(screen.shown().contains("bowline -c resumes session "), "{}", screen.shown());
    world.check_played();
}
