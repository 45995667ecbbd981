//! Sessions opened, taken over and swept, on a real database.

use std::process::{Command, Stdio};
use std::sync::Arc;

use bowline_core::entry::{
    Access, Body, Input, Message, ModelRef, Role, RunStarted, SessionStarted, Status, TurnStarted,
};
use bowline_core::item::{Call, CallResult, ChangeState, Item, ItemKind, ItemStatus};
use bowline_core::outcome::Outcome;
use bowline_core::restore_entry::{Restoring, RestoringState};
use bowline_core::review::Review;
use bowline_core::rewind_entry::{OpenRewinding, Rewinding};
use bowline_core::timeline::open_restoring;
use bowline_core::typed::Typed;
use bowline_core::view::View;
use bowline_host::clock::Clock;
use bowline_host::session::{AttachError, Attached};
use bowline_host::session_input::SessionInput;
use bowline_host::snapshots::Snapshots;
use bowline_host::store::{Append, AppendError, Holder, Location, NewSession, Scope, Store, Taken, Writer};
use bowline_host::sweep::{STALE_MS, sweep};
use bowline_host::tools::file_edit;

/// A work tree nobody looks at.
fn tree() -> Snapshots {
    Snapshots::new("/nowhere".into(), "/p", Default::default())
}

struct Home {
    _folder: tempfile::TempDir,
    store: Store,
    clock: Clock,
}

async fn home() -> Home {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&Location::Sqlite(folder.path().join("b.db"))).await.unwrap();
    Home { _folder: folder, store, clock: Clock::start() }
}

fn first() -> Body {
    Body::SessionStarted(SessionStarted {
        project: "/p".to_owned(),
        work_tree: "/p".to_owned(),
        title: "t".to_owned(),
        agent: "default".to_owned(),
        access: Access::Write,
        model: ModelRef {
            model: "m".to_owned(),
            base_url: "u".to_owned(),
            window: 8192,
            mode: bowline_core::mode::Mode::Native,
        },
        prompt: "p".to_owned(),
        tools: Vec::new(),
        instructions: Vec::new(),
        shown: None,
    })
}

impl Home {
    async fn session(&self, id: &str) {
        let new = NewSession { id, project_root: "/p", work_tree: "/p", title: "t", model: "m" };
        self.store.create_session(&new, &first(), self.clock.now_ms()).await.unwrap();
    }

    /// A turn in the middle of a call, run by `holder`.
    async fn turn_under_way(&self, id: &str, holder: &Holder, at_ms: i64) {
        let scope = Scope::Session(id.to_owned());
        let Taken::Yes(lease) = self.store.take_lease(&scope, id, holder, at_ms).await.unwrap() else {
            panic!("the lease is not free")
        };
        let message = Message::new("m2", Role::Assistant, Status::Streaming);
        let turn = TurnStarted {
            text: "go".to_owned(),
            typed: Typed::nothing(),
            message: "m1".to_owned(),
            access: Access::Write,
            queued: None,
            check: None,
        };
        let run = RunStarted {
            run: 1,
            message: "m2".to_owned(),
            access: Access::Write,
            edits: Default::default(),
            hint: None,
            check: None,
        };
        let call = Call {
            tool: "run_command".to_owned(),
            arguments: serde_json::json!({}),
            raw: None,
            repairs: Vec::new(),
        };
        let item = Item {
            id: "i00000001".to_owned(),
            message: "m2".to_owned(),
            kind: ItemKind::Command,
            status: ItemStatus::Running,
            title: "sleep".to_owned(),
            text: String::new(),
            field: None,
            call: Some(call),
            result: None,
        };
        let bodies = [
            Body::TurnStarted(turn),
            Body::RunStarted(run),
            Body::MessageStarted { message },
            Body::ItemStarted { item },
        ];
        let append =
            Append { session: id, writer: Writer::Holder(&lease), at_ms, turn: Some("t1"), bodies: &bodies };
        self.store.append(&append).await.unwrap();
    }

    async fn view(&self, id: &str) -> View {
        View::of(&self.store.log(id).await.unwrap())
    }
}

/// A process that has ended, as a holder.
fn dead() -> Holder {
    let mut child = Command::new("sleep").arg("600").stdout(Stdio::null()).spawn().unwrap();
    let holder = Holder::of_process(i32::try_from(child.id()).unwrap()).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    holder
}

/// A process that lives until it is dropped.
struct Alive(std::process::Child);

impl Alive {
    fn start() -> (Alive, Holder) {
        let child = Command::new("sleep").arg("600").stdout(Stdio::null()).spawn().unwrap();
        let holder = Holder::of_process(i32::try_from(child.id()).unwrap()).unwrap();
        (Alive(child), holder)
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn who_takes_over_ends_what_was_left_open() {
    let home = home().await;
    home.session("s").await;
    home.turn_under_way("s", &dead(), home.clock.now_ms()).await;
    let attached = Attached::attach(&home.store, &home.clock, "s", &tree(), Access::Write).await.unwrap();
    let view = View::of(&attached.entries);
    assert_eq!(view, home.view("s").await);
    assert_eq!((view.streaming().count(), view.running().count()), (0, 0));
    let result = view.messages.last().unwrap().items[0].result.clone().unwrap();
    assert_eq!(result.outcome, Outcome::Interrupted);
    assert!(view.end.unwrap().reason.unwrap().contains("ended before the turn did"));
}

/// A restore that was announced and never said to be done: the files tell how far it came.
#[tokio::test(flavor = "multi_thread")]
async fn who_takes_over_ends_a_restore_that_was_cut_short() {
    let home = home().await;
    let project = tempfile::tempdir().unwrap();
    let root = project.path().canonicalize().unwrap();
    let keep = home._folder.path().join("checkpoints");
    let file = root.join("a.txt");
    std::fs::write(&file, "before").unwrap();
    let kept = bowline_checkpoint::Store::open(&keep, &root, Default::default()).unwrap();
    let target = kept.take("k1").unwrap().commit;
    std::fs::write(&file, "after").unwrap();
    let user_changes = bowline_checkpoint::UserChanges::Restore;
    let wish = bowline_checkpoint::PlanRequest { target: &target, taken_back: None, user_changes };
    let plan = kept.plan("u1", &wish).unwrap();
    kept.restore("r-done", &plan).unwrap();
    for (id, kinds) in [("done", vec!["restoring", "restored"]), ("begun", vec!["restoring", "restoring"])] {
        home.session(id).await;
        let scope = Scope::Session(id.to_owned());
        let taken = home.store.take_lease(&scope, id, &dead(), home.clock.now_ms()).await.unwrap();
        let Taken::Yes(lease) = taken else { panic!("the lease is not free") };
        let mut restored = crate::store::restored("k1", "m2");
        restored.id = format!("r-{id}");
        let restoring = Restoring { state: RestoringState::Begun, restored };
        let bodies = [Body::Restoring(Box::new(restoring))];
        let writer = Writer::Holder(&lease);
        let append = Append { session: id, writer, at_ms: 1, turn: None, bodies: &bodies };
        home.store.append(&append).await.unwrap();
        let snapshots = Snapshots::new(keep.clone(), &root, Default::default());
        let attached =
            Attached::attach(&home.store, &home.clock, id, &snapshots, Access::ReadOnly).await.unwrap();
        let found: Vec<&str> = attached.entries.iter().skip(1).map(|entry| entry.body.kind()).collect();
        assert_eq!(found, kinds, "{id}");
        assert_eq!(open_restoring(&attached.entries), None, "{id}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "before");
    }
}

/// A rewind that the program announced and never said to be done: it is finished, or it is said that the change stays.
#[tokio::test(flavor = "multi_thread")]
async fn who_takes_over_ends_a_rewind_that_was_cut_short() {
    let home = home().await;
    let cases =
        [("after", "change", "before"), ("before", "change", "before"), ("another", "rewinding", "another")];
    for (is, kind, then) in cases {
        let project = tempfile::tempdir().unwrap();
        let root = project.path().canonicalize().unwrap();
        let file = root.join("a.txt");
        std::fs::write(&file, is).unwrap();
        home.session(is).await;
        let scope = Scope::Session(is.to_owned());
        let taken = home.store.take_lease(&scope, is, &dead(), home.clock.now_ms()).await.unwrap();
        let Taken::Yes(lease) = taken else { panic!("the lease is not free") };
        let Body::ItemCompleted { mut item } = crate::store::item_completed("item00001", "") else {
            panic!("no item")
        };
        let edit = file_edit("a.txt", Some(b"before"), b"after", "test");
        item.result = Some(CallResult {
            outcome: Outcome::Success,
            text: String::new(),
            duration_ms: 1,
            edits: vec![edit],
            output: None,
            exit_code: None,
        });
        let begun = Rewinding::begun(vec!["c1".to_owned()], vec!["item00001".to_owned()]);
        let bodies = [Body::ItemCompleted { item }, Body::Rewinding(begun)];
        let writer = Writer::Holder(&lease);
        let append = Append { session: is, writer, at_ms: 1, turn: None, bodies: &bodies };
        home.store.append(&append).await.unwrap();
        let snapshots = Snapshots::new("/nowhere".into(), &root, Default::default());
        let attached =
            Attached::attach(&home.store, &home.clock, is, &snapshots, Access::Write).await.unwrap();
        assert_eq!(attached.entries.last().unwrap().body.kind(), kind, "{is}");
        assert_eq!(OpenRewinding::of(&attached.entries), None, "{is}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), then);
        let state = Review::of(&attached.entries).changes[0].state();
        assert_eq!(state, if kind == "change" { ChangeState::Rewound } else { ChangeState::Applied }, "{is}");
    }
}

#[tokio::test]
async fn a_session_or_a_tree_that_is_at_work_is_named() {
    let home = home().await;
    home.session("one").await;
    home.session("two").await;
    let one = Attached::attach(&home.store, &home.clock, "one", &tree(), Access::Write).await.unwrap();
    let again = Attached::attach(&home.store, &home.clock, "one", &tree(), Access::Write).await.unwrap_err();
    assert!(matches!(again, AttachError::SessionBusy { .. }), "{again}");
    let two = Attached::attach(&home.store, &home.clock, "two", &tree(), Access::Write).await.unwrap_err();
    let words = two.to_string();
    assert!(
        words.contains("session one is working in /p") && words.contains(&std::process::id().to_string())
    );
    // Reading needs no tree, and a refused attempt keeps nothing.
    Attached::attach(&home.store, &home.clock, "two", &tree(), Access::ReadOnly).await.unwrap();
    drop(one);
}

#[tokio::test]
async fn the_sweeper_ends_what_nobody_runs_any_more() {
    let home = home().await;
    let now = home.clock.now_ms();
    let (_alive, alive) = Alive::start();
    for (id, holder, at_ms) in [
        ("dead-and-old", &dead(), now - STALE_MS - 1),
        ("dead-and-new", &dead(), now - STALE_MS + 30_000),
        ("alive-and-old", &alive, now - STALE_MS - 1),
    ] {
        home.session(id).await;
        home.turn_under_way(id, holder, at_ms).await;
    }
    assert_eq!(sweep(&home.store, &home.clock).await.unwrap(), 1);
    assert_eq!(home.view("dead-and-old").await.messages.last().unwrap().message.status, Status::Failed);
    assert_eq!(home.view("dead-and-new").await.streaming().count(), 1);
    assert_eq!(home.view("alive-and-old").await.streaming().count(), 1);
    assert_eq!(sweep(&home.store, &home.clock).await.unwrap(), 0);
}

#[tokio::test]
async fn a_voice_from_outside_says_only_what_it_may() {
    let home = home().await;
    home.session("s").await;
    let store = Arc::new(home.store);
    let input = SessionInput::new(store.clone(), home.clock, "s");
    let stop = Body::Input(Input::stop("test"));
    input.say(None, stop).await.unwrap();
    assert_eq!(store.input_after("s", 0).await.unwrap().len(), 1);
    let refused = input.say(None, first()).await.unwrap_err();
    assert!(matches!(refused, AppendError::NotInput { .. }), "{refused}");
}
