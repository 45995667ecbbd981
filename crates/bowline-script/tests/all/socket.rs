//! The server over a real socket, met by a client that sends and reads plain bytes.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use bowline_script::{Kind, Profile, Reply, Scenario, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// A bound on what should take milliseconds, so that a mistake ends the test and not the patience.
const PATIENCE: Duration = Duration::from_secs(20);

const BODY: &str = r#"{"messages":[{"role":"user","content":"Hello."}],"stream":true}"#;

fn replies(directives: &str) -> Vec<Reply> {
    let text: String = directives.split("\n\n").map(|reply| format!("=== reply\n{reply}\n")).collect();
    Scenario::parse(&text).unwrap().replies
}

async fn start(directives: &str) -> Server {
    Server::start(Profile::default(), replies(directives)).await.unwrap()
}

async fn connect(server: &Server) -> TcpStream {
    TcpStream::connect(server.address()).await.unwrap()
}

fn post(body: &str) -> String {
    format!("POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

async fn send(client: &mut TcpStream, text: &str) {
    client.write_all(text.as_bytes()).await.unwrap();
}

async fn read_until(client: &mut TcpStream, end: &str) -> String {
    let mut bytes = Vec::new();
    let read = async {
        while !bytes.ends_with(end.as_bytes()) {
            assert!(client.read_buf(&mut bytes).await.unwrap() > 0, "closed before {end:?}");
        }
    };
    timeout(PATIENCE, read).await.expect("no end");
    String::from_utf8(bytes).unwrap()
}

/// All there is, and how it ended.
async fn read_all(client: &mut TcpStream) -> (String, Result<(), ErrorKind>) {
    let mut bytes = Vec::new();
    let end = timeout(PATIENCE, async {
        loop {
            match client.read_buf(&mut bytes).await {
                Ok(0) => return Ok(()),
                Ok(_) => {}
                Err(error) => return Err(error.kind()),
            }
        }
    });
    let end = end.await.expect("neither bytes nor an end");
    (String::from_utf8(bytes).unwrap(), end)
}

#[tokio::test]
async fn two_answers_on_one_connection() {
    let server = start("text \"one\"\n\ntext \"two\"").await;
    let mut client = connect(&server).await;
    for word in ["one", "two"] {
        send(&mut client, &post(BODY)).await;
        let answer = read_until(&mut client, "\r\n0\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"), "{answer}");
        assert!(answer.contains("transfer-encoding: chunked\r\n"));
        assert!(answer.contains(&format!("{{\"content\":\"{word}\"}}")));
        assert!(answer.contains("data: [DONE]\n\n\r\n0\r\n\r\n"));
    }
    assert_eq!(server.violations(), [] as [String; 0]);
    assert_eq!((server.requests().len(), server.aborted(), server.replies_left()), (2, 0, 0));
    assert_eq!(server.requests()[0].body["stream"], true);
}

#[tokio::test]
async fn a_request_in_single_bytes_and_two_sent_at_once() {
    let server = start("text \"one\"\n\ntext \"two\"\n\ntext \"three\"").await;
    let mut client = connect(&server).await;
    for byte in post(BODY).bytes() {
        client.write_all(&[byte]).await.unwrap();
    }
    assert!(read_until(&mut client, "0\r\n\r\n").await.contains("one"));
    send(&mut client, &post(BODY).repeat(2)).await;
    let mut both = read_until(&mut client, "0\r\n\r\n").await;
    if !both.contains("three") {
        both += &read_until(&mut client, "0\r\n\r\n").await;
    }
    assert!(both.find("two").unwrap() < both.find("three").unwrap());
}

#[tokio::test]
async fn a_cut_ends_cleanly_without_the_last_chunk() {
    let server = start("text \"half\"\ncut").await;
    let mut client = connect(&server).await;
    send(&mut client, &post(BODY)).await;
    let (text, end) = read_all(&mut client).await;
    assert!(text.contains("half") && !text.ends_with("0\r\n\r\n"), "{text}");
    assert_eq!((end, server.aborted()), (Ok(()), 0));
}

#[tokio::test]
async fn a_reset_is_a_reset() {
    let server = start("text \"half\"\nwait 20ms\nreset").await;
    let mut client = connect(&server).await;
    send(&mut client, &post(BODY)).await;
    let (text, end) = read_all(&mut client).await;
    assert!(text.contains("half"));
    assert_eq!(end, Err(ErrorKind::ConnectionReset));
}

#[tokio::test]
async fn a_refused_connection_has_no_bytes() {
    let server = start("refuse\n\ntext \"there\"").await;
    let mut client = connect(&server).await;
    send(&mut client, &post(BODY)).await;
    assert_eq!(read_all(&mut client).await, (String::new(), Ok(())));
    let mut client = connect(&server).await;
    send(&mut client, &post(BODY)).await;
    assert!(read_until(&mut client, "0\r\n\r\n").await.contains("there"));
}

#[tokio::test]
async fn a_client_that_leaves_is_noticed_and_frees_the_slot() {
    let server = start("hang\n\ntext \"a\"\nhang").await;
    for count in 1..=2 {
        let mut client = connect(&server).await;
        send(&mut client, &post(BODY)).await;
        timeout(PATIENCE, server.until(|server| chats(server) == count)).await.unwrap();
        assert!(slots(&server).await.contains("\"is_processing\":true"));
        assert_eq!(server.aborted(), count - 1);
        drop(client);
        timeout(PATIENCE, server.until(|server| server.aborted() == count)).await.unwrap();
        assert!(slots(&server).await.contains("\"is_processing\":false"));
    }
}

fn chats(server: &Server) -> usize {
    server.requests().iter().filter(|request| request.is_chat()).count()
}

async fn slots(server: &Server) -> String {
    let mut client = connect(server).await;
    send(&mut client, "GET /slots HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    let (text, end) = read_all(&mut client).await;
    assert_eq!(end, Ok(()));
    text
}

#[tokio::test]
async fn a_wait_takes_its_time_and_the_head_waits_with_it() {
    let server = start("wait 60ms\ntext \"a\"").await;
    let mut client = connect(&server).await;
    let start = Instant::now();
    send(&mut client, &post(BODY)).await;
    let mut first = [0; 1];
    timeout(PATIENCE, client.read_exact(&mut first)).await.unwrap().unwrap();
    assert!(start.elapsed() >= Duration::from_millis(60));
}

#[tokio::test]
async fn a_status_has_its_headers_and_its_length() {
    let server = start("status 429 {\"error\":\"slow\"}\nheader retry-after 3").await;
    let mut client = connect(&server).await;
    send(&mut client, &post(BODY)).await;
    let answer = read_until(&mut client, "{\"error\":\"slow\"}").await;
    assert!(answer.starts_with("HTTP/1.1 429 Too Many Requests\r\n"));
    assert!(answer.contains("\r\nretry-after: 3\r\ncontent-length: 16\r\nconnection: keep-alive\r\n\r\n"));
}

#[tokio::test]
async fn requests_that_are_none_are_told_what_is_due() {
    let server = start("text \"a\"").await;
    let long = format!("GET /{} HTTP/1.1\r\n", "x".repeat(70_000));
    for (sent, due) in [
        ("nonsense\r\n\r\n", "HTTP/1.1 400 "),
        ("POST /x HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n", "HTTP/1.1 411 "),
        ("POST /x HTTP/1.1\r\ncontent-length: 99999999999\r\n\r\n", "HTTP/1.1 413 "),
        ("POST /x HTTP/1.1\r\ncontent-length: -1\r\n\r\n", "HTTP/1.1 400 "),
        (long.as_str(), "HTTP/1.1 431 "),
    ] {
        let mut client = connect(&server).await;
        send(&mut client, sent).await;
        let (text, _) = read_all(&mut client).await;
        assert!(text.starts_with(due), "{due}: {text}");
    }
    assert_eq!(server.requests(), []);
}

#[tokio::test]
async fn a_client_that_asks_before_it_sends_its_body() {
    let server = start("text \"a\"").await;
    let mut client = connect(&server).await;
    let length = BODY.len();
    let head = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: {length}\r\n\r\n"
    );
    send(&mut client, &head).await;
    assert_eq!(read_until(&mut client, "\r\n\r\n").await, "HTTP/1.1 100 Continue\r\n\r\n");
    send(&mut client, BODY).await;
    assert!(read_until(&mut client, "0\r\n\r\n").await.starts_with("HTTP/1.1 200 OK\r\n"));
}

#[tokio::test]
async fn a_dropped_server_ends_its_connections() {
    let server = start("hang").await;
    let mut client = connect(&server).await;
    send(&mut client, &post(BODY)).await;
    timeout(PATIENCE, server.until(|server| chats(server) == 1)).await.unwrap();
    drop(server);
    assert_eq!(read_all(&mut client).await, (String::new(), Ok(())));
}

#[tokio::test]
async fn addresses() {
    let server = start("text \"a\"").await;
    let port = server.address().port();
    assert_eq!(server.base_url(), format!("http://127.0.0.1:{port}/v1"));
    let taken = Server::start_on(port, Profile::default(), Vec::new()).await;
    assert_eq!(taken.unwrap_err().kind(), ErrorKind::AddrInUse);
    let ollama = Server::start(Profile::new(Kind::Ollama), Vec::new()).await.unwrap();
    assert_eq!(ollama.base_url(), format!("http://{}", ollama.address()));
}
