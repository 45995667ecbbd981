//! One address: every server's own question at once, and what is recognised from the answers. Nothing is loaded by it.

use bowline_core::servers::{
    Answers, Model, Server, ServerKind, is_router, llamacpp_tools, llamacpp_window, ollama_shown,
};
use futures_util::StreamExt as _;
use serde_json::{Value, json};

use crate::model::{NoListing, get_json, post_json, root};

/// Questions to one server at the same time.
const QUESTIONS_MAX: usize = 8;

/// How a server is asked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asker<'a> {
    pub(super) http: &'a reqwest::Client,
    pub(super) key: Option<&'a str>,
    pub(super) ms_max: u64,
}

impl Asker<'_> {
    async fn get(&self, url: &str) -> Result<Value, NoListing> {
        get_json(self.http, url, self.key, self.ms_max).await
    }

    /// What runs at an address; `guess` names what lists models and tells nothing of itself, `set` is what the user says
    /// it is.
    pub(super) async fn probe(
        &self,
        url: &str,
        guess: ServerKind,
        set: Option<ServerKind>,
    ) -> Result<Server, NoListing> {
        let root = root(url);
        let get = |path: &str| {
            let url = format!("{root}{path}");
            async move { self.get(&url).await }
        };
        let (version, tags, running, props, studio, models) = tokio::join!(
            get("/api/version"),
            get("/api/tags"),
            get("/api/ps"),
            get("/props"),
            get("/api/v0/models"),
            get("/v1/models")
        );
        let refused = props.as_ref().err().cloned();
        let missing = models.as_ref().err().cloned();
        let answers = Answers {
            version: version.ok(),
            tags: tags.ok(),
            running: running.ok(),
            props: props.ok(),
            studio: studio.ok(),
            models: models.ok(),
        };
        if let Some(refused @ NoListing::Status(401 | 403)) = refused
            && answers.is_llamacpp_listed()
        {
            return Err(refused);
        }
        let recognised = match set {
            Some(kind) => answers.listed_as(kind).map(|models| (kind, models)),
            None => answers.recognise(guess),
        };
        let (kind, mut models) = recognised.ok_or(missing.unwrap_or(NoListing::NotJson))?;
        if answers.props.as_ref().is_some_and(is_router) {
            models = self.router_windows(root, models).await;
        }
        let path = if kind == ServerKind::Ollama { "" } else { "/v1" };
        Ok(Server { kind, name: None, base_url: format!("{root}{path}"), models })
    }

    /// A router tells the window of each model it has loaded, and is told to load none for it.
    async fn router_windows(&self, root: &str, models: Vec<Model>) -> Vec<Model> {
        let window = |model: Model| async move {
            let words = [("model", model.name.as_str()), ("autoload", "false")];
            let url = reqwest::Url::parse_with_params(&format!("{root}/props"), words);
            let (true, Ok(url)) = (model.is_loaded, url) else { return model };
            let props = self.get(url.as_str()).await.unwrap_or_default();
            Model { window: llamacpp_window(&props), tools: llamacpp_tools(&props), ..model }
        };
        futures_util::stream::iter(models).map(window).buffered(QUESTIONS_MAX).collect().await
    }

    /// A model of Ollama with what it tells of this one alone.
    pub(super) async fn show(&self, base_url: &str, model: Model) -> Model {
        let url = format!("{base_url}/api/show");
        let show = post_json(self.http, &url, self.key, &json!({ "model": model.name }), self.ms_max).await;
        match show {
            Ok(show) => ollama_shown(model, &show),
            Err(_) => model,
        }
    }

    /// The same for all models of a server that run on its machine: for others it may ask the machine they run on.
    pub(super) async fn show_all(&self, server: &mut Server, is_asked: impl Fn(&Model) -> bool) {
        let show = |model: Model| {
            let (is_asked, base_url) = (is_asked(&model), &server.base_url);
            async move { if is_asked { self.show(base_url, model).await } else { model } }
        };
        let models = std::mem::take(&mut server.models);
        server.models = futures_util::stream::iter(models).map(show).buffered(QUESTIONS_MAX).collect().await;
    }
}
