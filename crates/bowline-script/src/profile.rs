//! What a scripted server pretends to be: its kind, its models and what it has allocated.
//!
//! Only facts a listing can tell stand here; what it answers in a conversation is the script's. A profile always has
//! at least one model and one slot.

/// The server a profile imitates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    LlamaCpp,
    /// llama.cpp with several models, each loaded when it is asked.
    LlamaRouter,
    Ollama,
    LmStudio,
    Vllm,
    /// Chat completions and a bare list of models; nothing tells the window.
    OpenAi,
    /// A web page for every request: what a mistyped address gives.
    Html,
}

impl Kind {
    /// Alone or as a router.
    pub fn is_llamacpp(self) -> bool {
        matches!(self, Kind::LlamaCpp | Kind::LlamaRouter)
    }
}

const KINDS: [(&str, Kind); 7] = [
    ("llamacpp", Kind::LlamaCpp),
    ("router", Kind::LlamaRouter),
    ("ollama", Kind::Ollama),
    ("lmstudio", Kind::LmStudio),
    ("vllm", Kind::Vllm),
    ("openai", Kind::OpenAi),
    ("html", Kind::Html),
];
const KIND_WORDS: &str = "llamacpp, router, ollama, lmstudio, vllm, openai or html";

/// A model as the listings show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    pub name: String,
    pub size_bytes: u64,
    /// How many parameters the listings tell; none where they keep silent.
    pub parameters: Option<u64>,
    /// `tools`, `thinking`, `vision`, `embedding` …
    pub capabilities: Vec<String>,
}

/// Whether a server binds an answer to a schema. What it answers to one is the script's, which may ignore it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Schema {
    #[default]
    Taken,
    /// The request is refused, in the server's own words.
    Refused,
}

/// The window a llama.cpp profile has unless it says otherwise.
pub const WINDOW_TOKENS: u64 = 16_384;
/// What Ollama allocates when a request doesn't ask for a window.
pub const OLLAMA_WINDOW_TOKENS: u64 = 4_096;

const TRAIN_TOKENS: u64 = 32_768;
const SIZE_BYTES: u64 = 4_683_087_332;
const PARAMETERS: u64 = 7_615_616_512;
const MODEL: &str = "scripted-coder:7b";
const PREFILL_TOKENS_PER_S: u64 = 400;
const DECODE_TOKENS_PER_S: u64 = 40;
const SLOTS_MAX: u64 = 64;
const MODELS_MAX: usize = 64;

/// A scripted server's profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    pub kind: Kind,
    /// Tokens allocated per slot. For Ollama the most it will allocate, whatever is asked for.
    pub window: Option<u64>,
    /// Tokens the model was trained for.
    pub train: u64,
    pub slots: usize,
    pub models: Vec<Model>,
    /// Names of those in memory from the beginning, where a server tells (Ollama: the first alone).
    pub loaded: Vec<String>,
    /// What becomes of a request that binds its answer to a schema.
    pub schema: Schema,
    /// What a client has to send as a bearer token.
    pub key: Option<String>,
    /// How much of a loaded model lies in the graphics card's memory (Ollama).
    pub vram_percent: u64,
    /// The speeds that timings report; nothing waits for them.
    pub prefill_tokens_per_s: u64,
    pub decode_tokens_per_s: u64,
}

impl Default for Profile {
    fn default() -> Self {
        Self::new(Kind::LlamaCpp)
    }
}

impl Profile {
    pub fn new(kind: Kind) -> Self {
        Self {
            kind,
            window: (!matches!(kind, Kind::Ollama | Kind::OpenAi | Kind::Html)).then_some(WINDOW_TOKENS),
            train: TRAIN_TOKENS,
            slots: 1,
            models: vec![Model {
                name: MODEL.to_owned(),
                size_bytes: SIZE_BYTES,
                parameters: Some(PARAMETERS),
                capabilities: vec!["tools".to_owned()],
            }],
            loaded: Vec::new(),
            schema: Schema::default(),
            key: None,
            vram_percent: 100,
            prefill_tokens_per_s: PREFILL_TOKENS_PER_S,
            decode_tokens_per_s: DECODE_TOKENS_PER_S,
        }
    }

    /// The first model, which is the one most scripts mean.
    pub fn model(&self) -> &str {
        self.models.first().map_or(MODEL, |model| &model.name)
    }

    /// Reads `llamacpp window=16384 models=a,b sizes=4.7G,270M params=7.6B,none caps=tools+thinking,embedding`, as it stands
    /// after `=== server`. Lists go by model; a list that is too short repeats its last value.
    pub fn parse(words: &[(String, String)]) -> Result<Self, String> {
        let Some(((name, value), rest)) = words.split_first() else {
            return Err(format!("the kind of server is missing; due: {KIND_WORDS}"));
        };
        let known = KINDS.iter().find(|(word, _)| word == name && value.is_empty());
        let Some((_, kind)) = known else {
            return Err(format!("unknown kind of server `{name}`; due: {KIND_WORDS}, then key=value"));
        };
        let mut profile = Self::new(*kind);
        let (mut names, mut sizes, mut params, mut caps) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (key, value) in rest {
            match key.as_str() {
                "window" => profile.window = Some(number(key, value)?),
                "train" => profile.train = number(key, value)?,
                "slots" => profile.slots = number(key, value)?.clamp(1, SLOTS_MAX) as usize,
                "vram" => profile.vram_percent = number(key, value.trim_end_matches('%'))?.min(100),
                "prefill" => profile.prefill_tokens_per_s = number(key, value)?.max(1),
                "decode" => profile.decode_tokens_per_s = number(key, value)?.max(1),
                "model" | "models" => names.extend(value.split(',').map(str::to_owned)),
                "loaded" => profile.loaded.extend(value.split(',').map(str::to_owned)),
                "key" => profile.key = Some(value.clone()),
                "sizes" => {
                    for size in value.split(',') {
                        sizes.push(size_bytes(size)?);
                    }
                }
                "params" => {
                    for count in value.split(',') {
                        params.push(parameters(count)?);
                    }
                }
                "schema" => profile.schema = schema(value)?,
                "caps" => {
                    caps.extend(value.split(',').map(|one| {
                        one.split('+').filter(|cap| !cap.is_empty()).map(str::to_owned).collect::<Vec<_>>()
                    }));
                }
                _ => {
                    return Err(format!(
                        "unknown key `{key}`; due: window, train, slots, vram, prefill, decode, model, models, \
                         loaded, sizes, params, caps, schema or key"
                    ));
                }
            }
        }
        profile.set_models(names, &sizes, &params, &caps)?;
        Ok(profile)
    }

    fn set_models(
        &mut self,
        names: Vec<String>,
        sizes: &[u64],
        params: &[Option<u64>],
        caps: &[Vec<String>],
    ) -> Result<(), String> {
        let names = if names.is_empty() { vec![MODEL.to_owned()] } else { names };
        if names.len() > MODELS_MAX || names.iter().any(String::is_empty) {
            return Err(format!("a bad list of models; due: 1 to {MODELS_MAX} names with commas between"));
        }
        self.models = names
            .into_iter()
            .enumerate()
            .map(|(at, name)| Model {
                name,
                size_bytes: sizes.get(at).or(sizes.last()).copied().unwrap_or(SIZE_BYTES),
                parameters: params.get(at).or(params.last()).copied().unwrap_or(Some(PARAMETERS)),
                capabilities: caps
                    .get(at)
                    .or(caps.last())
                    .cloned()
                    .unwrap_or_else(|| vec!["tools".to_owned()]),
            })
            .collect();
        match self.loaded.iter().find(|name| !self.models.iter().any(|model| model.name == **name)) {
            Some(name) => Err(format!("`loaded={name}` is no model of it; due: one of models=…")),
            None => Ok(()),
        }
    }
}

fn number(key: &str, value: &str) -> Result<u64, String> {
    value.replace('_', "").parse().map_err(|_| format!("`{key}={value}` is no number; due: {key}=16384"))
}

/// `7.6B`, `270M`, or `none` for a server that does not tell.
fn parameters(text: &str) -> Result<Option<u64>, String> {
    let wrong = || format!("`params={text}` is no number of parameters; due: 7.6B, 270M or none");
    let (digits, unit) = match text.chars().last() {
        _ if text == "none" => return Ok(None),
        Some('B') => (&text[..text.len() - 1], 1_000_000_000.0),
        Some('M') => (&text[..text.len() - 1], 1_000_000.0),
        _ => return Err(wrong()),
    };
    let number: f64 = digits.parse().map_err(|_| wrong())?;
    if !number.is_finite() || number < 0.0 {
        return Err(wrong());
    }
    Ok(Some((number * unit).round() as u64))
}

fn schema(value: &str) -> Result<Schema, String> {
    match value {
        "taken" => Ok(Schema::Taken),
        "refused" => Ok(Schema::Refused),
        _ => Err(format!("`schema={value}` is unknown; due: taken or refused")),
    }
}

/// `4.7G`, `270M` or plain bytes.
fn size_bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is no size; due: bytes, or a number with M or G, as in 4.7G");
    let (digits, unit) = match text.chars().last() {
        Some('G') => (&text[..text.len() - 1], 1_000_000_000.0),
        Some('M') => (&text[..text.len() - 1], 1_000_000.0),
        _ => return text.parse().map_err(|_| wrong()),
    };
    let number: f64 = digits.parse().map_err(|_| wrong())?;
    if !number.is_finite() || number < 0.0 {
        return Err(wrong());
    }
    Ok((number * unit).round() as u64)
}
