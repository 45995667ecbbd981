//! Where servers are looked for: at the address the user named and nowhere else, or where they usually are.

use bowline_core::servers::{Runs, Server, ServerKind};

use super::probe::Asker;
use super::{FOUND_MS_MAX, NAMED_MS_MAX, NoModel, Search};
use crate::model::{NoListing, http, is_near};

/// The servers that answer; never none.
pub(super) async fn survey(search: &Search) -> Result<Vec<Server>, NoModel> {
    match &search.base_url {
        Some(url) => Ok(vec![named(url, search.key.as_deref()).await?]),
        None => found(search).await,
    }
}

/// All that answer where servers usually are.
async fn found(search: &Search) -> Result<Vec<Server>, NoModel> {
    let ollama = search.ollama_host.as_deref().map_or("http://127.0.0.1:11434".to_owned(), ollama_address);
    let places = [
        (ServerKind::Ollama, ollama),
        (ServerKind::LlamaCpp, "http://127.0.0.1:8080/v1".to_owned()),
        (ServerKind::LmStudio, "http://127.0.0.1:1234/v1".to_owned()),
        (ServerKind::Vllm, "http://127.0.0.1:8000/v1".to_owned()),
    ];
    let http = http("http://127.0.0.1")?;
    // A key is for the server the user named, not for whatever listens on a usual port.
    let asker = Asker { http: &http, key: None, ms_max: FOUND_MS_MAX };
    let probes = places.iter().map(|(kind, url)| asker.probe(url, *kind));
    let answers = futures_util::future::join_all(probes).await;
    let locked = places.iter().zip(&answers).find(|(_, answer)| is_locked(answer));
    let locked = locked.map(|((_, url), _)| url.clone());
    let mut servers: Vec<Server> = answers.into_iter().filter_map(Result::ok).collect();
    // `OLLAMA_HOST` may name any host of the world: what runs there is used only when the user names it.
    for server in servers.iter_mut().filter(|server| !is_near(&server.base_url)) {
        server.models.iter_mut().for_each(|model| model.runs = Runs::Elsewhere);
    }
    match (servers.is_empty(), locked) {
        (false, _) => Ok(servers),
        (true, Some(url)) => Err(NoModel::Key { url }),
        (true, None) => Err(NoModel::NoServer { asked: places.into_iter().map(|(_, url)| url).collect() }),
    }
}

fn is_locked(answer: &Result<Server, NoListing>) -> bool {
    matches!(answer, Err(NoListing::Status(401 | 403)))
}

async fn named(url: &str, key: Option<&str>) -> Result<Server, NoModel> {
    let url = url.trim_end_matches('/');
    let url = if url.contains("://") { url.to_owned() } else { format!("http://{url}") };
    let http = http(&url)?;
    let asker = Asker { http: &http, key, ms_max: NAMED_MS_MAX };
    asker.probe(&url, ServerKind::OpenAi).await.map_err(|why| match why {
        NoListing::Silent => NoModel::Silent { url },
        NoListing::Status(401 | 403) => NoModel::Key { url },
        NoListing::Status(code) => NoModel::Foreign { url, what: format!("status {code}") },
        NoListing::NotJson => NoModel::Foreign { url, what: "a web page or other text".to_owned() },
    })
}

/// `OLLAMA_HOST` may be a host, a host and port, or an address; 0.0.0.0 is where it listens, not where it is.
fn ollama_address(host: &str) -> String {
    let host = host.trim().trim_end_matches('/');
    let (scheme, rest) = host.split_once("://").unwrap_or(("http", host));
    let rest = rest.replace("0.0.0.0", "127.0.0.1");
    let has_port = rest.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    match (has_port, scheme) {
        (true, _) => format!("{scheme}://{rest}"),
        (false, "http") => format!("http://{rest}:11434"),
        (false, _) => format!("{scheme}://{rest}"),
    }
}
