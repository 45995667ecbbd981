//! Which model answers. In order: the one the user named, those that are preferred (the session's own, the project's), the
//! one the user set, the one last used here, one that is loaded, the largest that can call tools; never an embedding
//! model, and never one that runs elsewhere unless the user named or set it.

use super::{Model, Runs, Server, Tools, UseFor};

/// What the user and the project's history say.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    pub named: Option<&'a str>,
    /// Names with why they are taken; one that is not there, or can't be used, is passed over.
    pub preferred: &'a [(&'a str, &'static str)],
    /// In the user's configuration: as good as named.
    pub set: Option<&'a str>,
    pub last_used: Option<&'a str>,
}

/// The model to use, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Pick {
    pub server: Server,
    pub model: Model,
    pub why: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoPick {
    /// Servers answer, but have nothing to chat with.
    NoModel,
    /// The name fits nothing.
    Unknown { name: String, known: Vec<String> },
}

pub fn pick(servers: &[Server], wanted: Wanted<'_>) -> Result<Pick, NoPick> {
    let all = || servers.iter().flat_map(|server| server.models.iter().map(move |model| (server, model)));
    let chosen =
        |(server, model): (&Server, &Model), why| Pick { server: server.clone(), model: model.clone(), why };
    let by_name = |name: &str, why| {
        let known = || all().map(|(server, model)| server.full_name(model)).collect();
        all()
            .find(|(server, model)| is_called(server, model, name))
            .map(|found| chosen(found, why))
            .or_else(|| unlisted(servers, name, why))
            .ok_or_else(|| NoPick::Unknown { name: name.to_owned(), known: known() })
    };
    if let Some(name) = wanted.named {
        return by_name(name, "named");
    }
    let usable = || all().filter(|(_, model)| model.use_for == UseFor::Chat && model.runs == Runs::Here);
    for (name, why) in wanted.preferred {
        if let Some(found) = usable().find(|(server, model)| is_called(server, model, name)) {
            return Ok(chosen(found, why));
        }
    }
    if let Some(name) = wanted.set {
        return by_name(name, "set in the configuration");
    }
    if let Some(last) = wanted.last_used
        && let Some(found) = usable().find(|(server, model)| server.full_name(model) == last)
    {
        return Ok(chosen(found, "last used here"));
    }
    if let Some(found) = usable().filter(|(_, model)| model.is_loaded).max_by_key(|(_, model)| model.bytes) {
        return Ok(chosen(found, "loaded now"));
    }
    // The first of equals: `max_by_key` would take the last. One without tools only where there is no other.
    let worth = |model: &Model| (model.tools == Tools::Maybe, model.bytes);
    let largest = usable().reduce(|best, next| if worth(next.1) > worth(best.1) { next } else { best });
    largest.map(|found| chosen(found, "the largest")).ok_or(NoPick::NoModel)
}

/// `server/name`, the name alone, or Ollama's name without `:latest`.
fn is_called(server: &Server, model: &Model, name: &str) -> bool {
    let bare = name.strip_prefix(server.word()).and_then(|rest| rest.strip_prefix('/')).unwrap_or(name);
    model.name == bare || model.name.strip_suffix(":latest") == Some(bare)
}

/// A server that lists nothing is taken at the user's word.
fn unlisted(servers: &[Server], name: &str, why: &'static str) -> Option<Pick> {
    let [server] = servers else { return None };
    // A name the user gave the server is not part of its models' names.
    let own = server.name.as_ref().and_then(|own| name.strip_prefix(own.as_str())?.strip_prefix('/'));
    let model = Model::unlisted(own.unwrap_or(name));
    server.models.is_empty().then(|| Pick { server: server.clone(), model, why })
}
