//! The engine with everything real around it: a store in a file, a scripted server behind a socket, files in a folder.

use std::path::Path;
use std::time::Duration;

use bowline_core::entry::{Access, Body, ModelRef, Queued, SessionStarted, Stop};
use bowline_core::mode::Mode;
use bowline_core::policy::{Lists, Rules};
use bowline_core::tool_output::Grant;
use bowline_core::tools::ToolCall;
use bowline_core::turn::Permission;
use bowline_core::typed::Typed;
use bowline_core::view::View;
use bowline_core::{prompts, tools};
use bowline_host::clock::Clock;
use bowline_host::engine::News;
use bowline_host::home::Home;
use bowline_host::launch::{Ask, LaunchError, Order, SessionChoice, launch};
use bowline_host::process::Processes;
use bowline_host::servers::{NoModel, Search};
use bowline_host::store::{Append, Location, NewSession, Scope, Store, Writer};
use bowline_host::toolbox::Toolbox;
use bowline_host::workspace::Workspace;
use bowline_script::{Scenario, Server};

/// Longer than any of these takes on the slowest machine.
const LIMIT: Duration = Duration::from_secs(60);

async fn serve(scenario: &str) -> Server {
    let scenario = Scenario::parse(scenario).unwrap();
    Server::start(scenario.server, scenario.replies).await.unwrap()
}

fn home(folder: &Path) -> Home {
    let database = Location::Sqlite(folder.join("bowline.db"));
    Home { data: folder.to_owned(), config: folder.to_owned(), runtime: folder.join("runtime"), database }
}

fn order(project: &Path, server: &Server, task: Option<&str>) -> Order {
    Order {
        folder: project.to_owned(),
        which: if task.is_some() { SessionChoice::New } else { SessionChoice::Last },
        is_fork: false,
        is_ephemeral: false,
        is_worktree: false,
        ask: task.map_or(Ask::Next, Ask::task),
        access: Access::Write,
        is_plan: false,
        edits: Default::default(),
        permission: Permission::Nobody,
        rules: Lists::default(),
        steps_max: 100,
        time_ms_max: None,
        mode: None,
        thinking: None,
        check: Default::default(),
        sandbox: None,
        search: Search { base_url: Some(server.base_url()), ..Search::default() },
    }
}

/// Others append while the turn appends and answers its own questions: every number goes out once, in order.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn news_goes_out_in_the_order_of_the_log() {
    let (data, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let look = |n: usize| format!("=== reply\ncall view_file {{\"path\":\"/etc/hosts-{n}\"}}\n");
    let looks: String = (0..20).map(look).collect();
    let server = serve(&format!("=== server llamacpp\n{looks}=== reply\ntext \"Done.\"\n")).await;
    let home = home(data.path());
    let mut ready = launch(order(project.path(), &server, Some("Look.")), &home).await.unwrap();
    let (store, session) = (Store::open(&home.database).await.unwrap(), ready.session.clone());
    // The turn starts once somebody has spoken: on a busy machine it could be over before.
    let (spoke, first_word) = tokio::sync::oneshot::channel();
    let mut spoke = Some(spoke);
    let voices = tokio::spawn(async move {
        for n in 0.. {
            let body = Body::Queued(Queued {
                id: format!("q{n}"),
                text: "later".to_owned(),
                typed: Typed::all("later"),
                by: "web".to_owned(),
                withdrawn: false,
            });
            let append =
                Append { session: &session, writer: Writer::Outside, at_ms: 1, turn: None, bodies: &[body] };
            store.append(&append).await.unwrap();
            if let Some(spoke) = spoke.take() {
                spoke.send(()).unwrap();
            }
        }
    });
    first_word.await.unwrap();
    let running = tokio::spawn(ready.engine.run(ready.machine, ready.opening));
    let mut told = Vec::new();
    while let Some(news) = tokio::time::timeout(LIMIT, ready.news.recv()).await.unwrap() {
        if let News::Entry(entry) = news {
            told.push(entry);
        }
    }
    voices.abort();
    assert_eq!(running.await.unwrap().unwrap().stop, Stop::Done);
    let seqs: Vec<i64> = told.iter().map(|entry| entry.seq).collect();
    let first = *seqs.first().unwrap();
    let expected: Vec<i64> = (first..).take(seqs.len()).collect();
    assert_eq!(seqs, expected);
    assert!(told.iter().any(|entry| matches!(entry.body, Body::Queued(_))), "nobody spoke in between");
    let is_held = |info: bowline_host::store::LeaseInfo| info.is_held(Clock::start().now_ms());
    let scope = Scope::Session(ready.session);
    assert!(!ready.store.lease(&scope).await.unwrap().is_some_and(is_held));
}

/// A process that died between making a session and storing its turn left nothing to go on with.
#[tokio::test]
async fn a_session_without_a_turn_is_not_continued() {
    let (data, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = serve("=== server llamacpp\n=== reply\ntext \"Hello.\"\n").await;
    let home = home(data.path());
    let store = Store::open(&home.database).await.unwrap();
    let root = project.path().canonicalize().unwrap().to_string_lossy().into_owned();
    let first = Body::SessionStarted(SessionStarted {
        project: root.clone(),
        work_tree: root.clone(),
        title: String::new(),
        agent: "default".to_owned(),
        access: Access::Write,
        model: ModelRef {
            model: "llamacpp/scripted".to_owned(),
            base_url: server.base_url(),
            window: 8192,
            mode: Mode::Native,
        },
        prompt: prompts::DEFAULT.to_owned(),
        tools: tools::specs(Access::Write),
        instructions: Vec::new(),
        shown: None,
    });
    let new = NewSession { id: "s1", project_root: &root, work_tree: &root, title: "", model: "m" };
    store.create_session(&new, &first, Clock::start().now_ms()).await.unwrap();
    let refused = launch(order(project.path(), &server, None), &home).await.err().unwrap();
    assert!(
        matches!(&refused, LaunchError::NoSession(words) if words.contains("bowline run -c")),
        "{refused}"
    );
    for scope in [Scope::Session("s1".to_owned()), Scope::Tree(root)] {
        let lease = store.lease(&scope).await.unwrap();
        assert!(!lease.is_some_and(|info| info.is_held(Clock::start().now_ms())), "{scope:?} is still held");
    }
    assert!(server.requests().iter().all(|request| !request.path.contains("chat")));
}

/// A window nobody can work in starts no turn and leaves no session.
#[tokio::test]
async fn a_window_too_small_is_refused() {
    let (data, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = serve("=== server llamacpp window=4096\n=== reply\ntext \"Hello.\"\n").await;
    let home = home(data.path());
    let refused = launch(order(project.path(), &server, Some("Look.")), &home).await.err().unwrap();
    assert!(matches!(&refused, LaunchError::Model(NoModel::Small { window: 4096, .. })), "{refused}");
    assert!(refused.to_string().contains("llama-server -c"), "{refused}");
    let store = Store::open(&home.database).await.unwrap();
    assert!(store.sessions_of(None, 10).await.unwrap().is_empty());
}

/// A read-only session stays one: going on with it claims no work tree.
#[tokio::test]
async fn a_read_only_session_never_takes_the_work_tree() {
    let (data, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = serve("=== server llamacpp\n=== reply repeat=2\ntext \"Hello.\"\n").await;
    let home = home(data.path());
    let began = Order { access: Access::ReadOnly, ..order(project.path(), &server, Some("Look.")) };
    for order in [began, order(project.path(), &server, None)] {
        let ready = launch(order, &home).await.unwrap();
        let tree = Scope::Tree(project.path().canonicalize().unwrap().to_string_lossy().into_owned());
        assert_eq!(ready.store.lease(&tree).await.unwrap(), None);
        drop(ready.news);
        assert_eq!(ready.engine.run(ready.machine, ready.opening).await.unwrap().stop, Stop::Done);
    }
}

/// A session that begins with a plan has all its tools, claims no work tree for it, and the next turn writes.
#[tokio::test]
async fn a_plan_is_a_turn_of_a_session_that_can_write() {
    let (data, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let call = "call write_file {\"path\":\"a.txt\",\"content\":\"alpha\"}";
    let server = serve(&format!(
        "=== server llamacpp\n=== reply\n{call}\n=== reply\ntext \"A plan.\"\n=== reply\n{call}\n=== reply\ntext \"Done.\"\n"
    ))
    .await;
    let home = home(data.path());
    let plan = Order { is_plan: true, ..order(project.path(), &server, Some("Write.")) };
    let work = Order { ask: Ask::hint("Now do it."), ..order(project.path(), &server, None) };
    let tree = Scope::Tree(project.path().canonicalize().unwrap().to_string_lossy().into_owned());
    for (order, is_written) in [(plan, false), (work, true)] {
        let ready = launch(order, &home).await.unwrap();
        assert_eq!(ready.store.lease(&tree).await.unwrap().is_some(), is_written);
        drop(ready.news);
        assert_eq!(ready.engine.run(ready.machine, ready.opening).await.unwrap().stop, Stop::Done);
        assert_eq!(project.path().join("a.txt").exists(), is_written);
    }
    let bodies: Vec<String> = server
        .requests()
        .iter()
        .filter(|asked| asked.is_chat())
        .map(|asked| asked.body.to_string())
        .collect();
    assert!(bodies.iter().all(|body| body.contains("write_file")), "a tool is missing");
    assert!(bodies.last().unwrap().contains("Now do it."));
}

/// Only a task begins a session; nothing is left behind by what does not.
#[tokio::test]
async fn a_new_session_needs_a_task() {
    let (data, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = serve("=== server llamacpp\n").await;
    let home = home(data.path());
    let order = Order { which: SessionChoice::New, ..order(project.path(), &server, None) };
    let error = launch(order, &home).await.err().unwrap().to_string();
    assert!(error.contains("begins with a task"), "{error}");
}

/// Folding on demand claims no work tree, and leaves the last turn as it ended.
#[tokio::test]
async fn a_compaction_on_demand_is_no_turn() {
    let (data, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(project.path().join("a.txt"), "A line that is long enough.\n".repeat(100)).unwrap();
    let server = serve(
        "=== server llamacpp\n=== reply\ncall view_file {\"path\":\"a.txt\"}\n=== reply\ntext \"Read.\"\n\
         === reply\ntext \"It was read.\"\n",
    )
    .await;
    let home = home(data.path());
    let task = order(project.path(), &server, Some("Read a.txt."));
    let compaction = || Order { ask: Ask::Compact, ..order(project.path(), &server, None) };
    let tree = Scope::Tree(project.path().canonicalize().unwrap().to_string_lossy().into_owned());
    let mut reasons = Vec::new();
    let mut kinds = Vec::new();
    for order in [task, compaction(), compaction()] {
        let is_compaction = order.ask == Ask::Compact;
        let ready = launch(order, &home).await.unwrap();
        let lease = ready.store.lease(&tree).await.unwrap();
        assert_eq!(lease.is_some_and(|by| by.is_held(ready.clock.now_ms())), !is_compaction);
        drop(ready.news);
        let end = ready.engine.run(ready.machine, ready.opening).await.unwrap();
        assert_eq!(end.stop, Stop::Done);
        reasons.push(end.reason.unwrap_or_default());
        let log = ready.store.log(&ready.session).await.unwrap();
        assert_eq!(View::of(&log).end.unwrap().text, "Read.");
        kinds = log.iter().map(|entry| entry.body.kind()).collect();
    }
    assert_eq!(kinds[kinds.len() - 4..], ["turn.completed", "step.started", "step.completed", "compacted"]);
    assert_eq!(reasons[..2], ["", ""]);
    assert!(reasons[2].contains("nothing to compact"), "{reasons:?}");
}

/// A write that is under way when the turn is stopped has ended, or never begins, once the tools are ended.
#[test]
fn no_file_is_written_after_the_tools_have_ended() {
    for round in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("large.txt");
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let content = "line\n".repeat(400_000);
        let is_written = runtime.block_on(async {
            let data = folder.path().join("data");
            let store = Store::open(&Location::Sqlite(data.join("bowline.db"))).await.unwrap();
            let workspace = Workspace::open(folder.path(), vec![data]).unwrap();
            let mut toolbox = Toolbox::new(
                workspace,
                Rules::default(),
                Processes::new(),
                store.into(),
                Clock::start(),
                "s",
                8192,
            );
            let (events, _heard) = tokio::sync::mpsc::channel(4);
            let call = ToolCall::WriteFile { path: "large.txt".to_owned(), content };
            toolbox.run("i00000001".to_owned(), call, (Grant::Inside, Mode::Native), events);
            for _ in 0..round {
                tokio::task::yield_now().await;
            }
            toolbox.end().await;
            target.exists()
        });
        // Waits for every thread of the runtime.
        drop(runtime);
        assert_eq!(target.exists(), is_written, "round {round}: a file was written after the end");
    }
}
