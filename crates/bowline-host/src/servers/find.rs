//! Where servers are looked for: at the address the user named and nowhere else, or where they usually are and where the
//! configuration says.

use bowline_core::servers::{Runs, Server, ServerKind};

use super::probe::Asker;
use super::{FOUND_MS_MAX, NAMED_MS_MAX, NoModel, Search};
use crate::config::ConfiguredServer;
use crate::model::{NoListing, http, is_near, root};

/// The servers that answer, never none, and what the user should know of others.
#[derive(Debug)]
pub(super) struct Survey {
    pub(super) servers: Vec<Server>,
    pub(super) notices: Vec<String>,
}

pub(super) async fn survey(search: &Search) -> Result<Survey, NoModel> {
    match &search.base_url {
        Some(url) => {
            let servers = vec![named(url, search.key.as_deref()).await?];
            Ok(Survey { servers, notices: Vec::new() })
        }
        None => found(search).await,
    }
}

/// An address to ask.
struct Place<'a> {
    guess: ServerKind,
    url: String,
    /// The configuration's server there.
    own: Option<&'a ConfiguredServer>,
}

impl Place<'_> {
    async fn ask(&self, http: &reqwest::Client, search: &Search) -> Result<Server, NoListing> {
        let Some(own) = self.own else {
            // A key is for the server it was set for, not for whatever listens on a usual port.
            let asker = Asker { http, key: None, ms_max: FOUND_MS_MAX };
            return asker.probe(&self.url, self.guess, None).await;
        };
        let key = match &own.key_variable {
            Some(variable) => Some(search.keys.get(variable).ok_or(NoListing::NoKey)?.as_str()),
            None => None,
        };
        // Who wants this one has the patience.
        let ms_max = if is_meant(own, &search.names()) { NAMED_MS_MAX } else { FOUND_MS_MAX };
        let server = Asker { http, key, ms_max }.probe(&self.url, self.guess, own.kind).await?;
        Ok(Server { name: Some(own.name.clone()), ..server })
    }
}

impl Search {
    /// The models that are asked for.
    fn names(&self) -> Vec<&str> {
        let set = [&self.config.project_model, &self.config.model].into_iter().flatten();
        let known = [&self.model, &self.session, &self.last_used].into_iter().flatten().map(String::as_str);
        known.chain(set.map(|set| set.name.as_str())).collect()
    }

    /// The one without which nothing is done.
    fn must(&self) -> Option<&str> {
        self.model.as_deref().or(self.config.model.as_ref().map(|set| set.name.as_str()))
    }
}

/// Whether one of these is a full name of this server.
fn is_meant(own: &ConfiguredServer, names: &[&str]) -> bool {
    let is_full =
        |name: &&str| name.strip_prefix(own.name.as_str()).is_some_and(|rest| rest.starts_with('/'));
    names.iter().any(is_full)
}

/// All that answer where servers usually are, and those of the configuration, side by side.
async fn found(search: &Search) -> Result<Survey, NoModel> {
    let places = places(search);
    let usual = http("http://127.0.0.1")?;
    let mut clients = Vec::new();
    for place in &places {
        clients.push(if place.own.is_some() { http(&place.url)? } else { usual.clone() });
    }
    let asked = places.iter().zip(&clients).map(|(place, client)| place.ask(client, search));
    let answers = futures_util::future::join_all(asked).await;
    let mut survey = Survey { servers: Vec::new(), notices: Vec::new() };
    let mut locked = None;
    for (place, answer) in places.iter().zip(answers) {
        match (answer, place.own) {
            (Ok(server), _) => survey.servers.push(server),
            (Err(why), Some(own)) if is_meant(own, search.must().as_slice()) => {
                return Err(own_failed(own, &why));
            }
            (Err(why @ (NoListing::NoKey | NoListing::Status(401 | 403))), Some(own)) => {
                survey.notices.push(own_failed(own, &why).to_string().replace('\n', " "));
            }
            (Err(NoListing::Status(401 | 403)), None) => locked = locked.or(Some(place.url.clone())),
            (Err(_), _) => {}
        }
    }
    // Any host of the world may be named here: what runs there is used only when the user names it.
    for server in survey.servers.iter_mut().filter(|server| !is_near(&server.base_url)) {
        server.models.iter_mut().for_each(|model| model.runs = Runs::Elsewhere);
    }
    match (survey.servers.is_empty(), locked) {
        (false, _) => Ok(survey),
        (true, Some(url)) => Err(no_key(&url)),
        (true, None) => Err(NoModel::NoServer { asked: places.into_iter().map(|place| place.url).collect() }),
    }
}

/// A server of the configuration takes the place of a usual one of the same name or at the same address.
fn places(search: &Search) -> Vec<Place<'_>> {
    let ollama = search.ollama_host.as_deref().map_or("http://127.0.0.1:11434".to_owned(), ollama_address);
    let usual = [
        (ServerKind::Ollama, ollama),
        (ServerKind::LlamaCpp, "http://127.0.0.1:8080/v1".to_owned()),
        (ServerKind::LmStudio, "http://127.0.0.1:1234/v1".to_owned()),
        (ServerKind::Vllm, "http://127.0.0.1:8000/v1".to_owned()),
    ];
    let own = &search.config.servers;
    let is_taken = |kind: ServerKind, url: &str| {
        own.iter().any(|own| own.name == kind.word() || is_same_place(&own.base_url, url))
    };
    let usual = usual.into_iter().filter(|(kind, url)| !is_taken(*kind, url));
    let mut places: Vec<Place<'_>> = usual.map(|(guess, url)| Place { guess, url, own: None }).collect();
    places.extend(own.iter().map(|own| Place {
        guess: own.kind.unwrap_or(ServerKind::OpenAi),
        url: own.base_url.clone(),
        own: Some(own),
    }));
    places
}

fn is_same_place(one: &str, other: &str) -> bool {
    let plain = |url: &str| root(url).replace("//localhost:", "//127.0.0.1:");
    plain(one) == plain(other)
}

/// Why a server of the configuration can't be used.
fn own_failed(own: &ConfiguredServer, why: &NoListing) -> NoModel {
    let ConfiguredServer { name, base_url: url, key_variable, place, .. } = own;
    let named = format!("{url} (servers.{name}, {place})");
    match (why, key_variable) {
        (NoListing::NoKey, variable) => {
            let variable = variable.as_deref().unwrap_or_default();
            NoModel::Key {
                what: format!("servers.{name} takes its key from {variable} ({place}), which is not set"),
                remedy: format!("Set it: export {variable}=…"),
            }
        }
        (NoListing::Status(401 | 403), Some(variable)) => NoModel::Key {
            what: format!("{url} (servers.{name}) wants another key than the one in {variable}"),
            remedy: format!("Set the right one: export {variable}=…"),
        },
        (NoListing::Status(401 | 403), None) => NoModel::Key {
            what: format!("{url} (servers.{name}) wants a key"),
            remedy: format!(
                "Name the variable it is in: bowline config set servers.{name}.api_key_env VARIABLE"
            ),
        },
        (NoListing::Silent, _) => NoModel::Silent { url: named },
        (NoListing::Status(code), _) => foreign(&named, format!("status {code}")),
        (NoListing::NotJson, _) => {
            let what = own.kind.map_or("a web page or other text".to_owned(), |kind| {
                format!("not as {} does, which its kind says it is", kind.word())
            });
            foreign(&named, what)
        }
    }
}

fn foreign(url: &str, what: String) -> NoModel {
    NoModel::Foreign { url: url.to_owned(), what }
}

fn no_key(url: &str) -> NoModel {
    NoModel::Key {
        what: format!("{url} wants a key, or another one"),
        remedy: format!("Set it in BOWLINE_API_KEY, and name the server with --base-url {url}"),
    }
}

async fn named(url: &str, key: Option<&str>) -> Result<Server, NoModel> {
    let url = url.trim_end_matches('/');
    let url = if url.contains("://") { url.to_owned() } else { format!("http://{url}") };
    let http = http(&url)?;
    let asker = Asker { http: &http, key, ms_max: NAMED_MS_MAX };
    asker.probe(&url, ServerKind::OpenAi, None).await.map_err(|why| match why {
        NoListing::Silent => NoModel::Silent { url },
        NoListing::NoKey | NoListing::Status(401 | 403) => no_key(&url),
        NoListing::Status(code) => foreign(&url, format!("status {code}")),
        NoListing::NotJson => foreign(&url, "a web page or other text".to_owned()),
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
