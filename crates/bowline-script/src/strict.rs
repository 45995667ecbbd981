//! What a strict chat template accepts: the one verdict on a request's messages.
//!
//! Each rule is one that some shipped template or server refuses with an error; together they are stricter than any
//! single one, so that a payload which passes here passes everywhere. The order of the rules is the order of the
//! messages: the first that is broken is named, with the message's number counted from 0.

use std::collections::HashSet;

use serde_json::Value;

/// Whose form the messages have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// Arguments are a string that holds an object; results name their call by id.
    OpenAi,
    /// Arguments are an object; results name their call by id, by tool, or by order.
    Ollama,
}

/// Refuses what a strict template refuses, in words that name the message and the rule.
pub fn check(protocol: Protocol, body: &Value) -> Result<(), String> {
    let messages = body["messages"].as_array().ok_or("`messages` is not a list")?;
    if messages.is_empty() {
        return Err("`messages` is empty".to_owned());
    }
    check_tools(body)?;
    let mut walk = Walk { protocol, open: Vec::new(), ids: HashSet::new(), before: None };
    for (at, message) in messages.iter().enumerate() {
        walk.message(at, message)?;
    }
    walk.close("the end")?;
    match walk.before {
        Some(Role::Assistant) => Err("the payload ends with the assistant".to_owned()),
        Some(Role::System) => Err("there is no user message".to_owned()),
        _ => Ok(()),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    System,
    User,
    Assistant,
    Tool,
}

/// A call whose result has not come yet.
struct Open {
    id: Option<String>,
    name: String,
}

struct Walk {
    protocol: Protocol,
    open: Vec<Open>,
    ids: HashSet<String>,
    before: Option<Role>,
}

impl Walk {
    fn message(&mut self, at: usize, message: &Value) -> Result<(), String> {
        let role = match message["role"].as_str() {
            Some("system") => Role::System,
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            Some("tool") => Role::Tool,
            other => return Err(format!("message {at}: unknown role {}", other.unwrap_or("(none)"))),
        };
        if role != Role::Tool {
            self.close(&format!("message {at}"))?;
        }
        if role != Role::Assistant && !has_content(message) {
            return Err(format!("message {at}: no content"));
        }
        self.order(at, role)?;
        match role {
            Role::Assistant => self.calls(at, message)?,
            Role::Tool => self.result(at, message)?,
            Role::System | Role::User => {}
        }
        self.before = Some(role);
        Ok(())
    }

    /// What may follow what, calls and results aside.
    fn order(&self, at: usize, role: Role) -> Result<(), String> {
        let wrong = match (self.before, role) {
            (None, Role::System) => return Ok(()),
            (Some(_), Role::System) => "a system message that is not the first",
            (Some(Role::User), Role::User) => "two user messages in a row",
            (Some(Role::Tool), Role::User) => "a user message straight after a tool result",
            (Some(Role::Assistant), Role::Assistant) => "two assistant messages in a row",
            (None | Some(Role::System), Role::Assistant) => "the assistant speaks before any user",
            _ => return Ok(()),
        };
        Err(format!("message {at}: {wrong}"))
    }

    fn calls(&mut self, at: usize, message: &Value) -> Result<(), String> {
        let calls = match &message["tool_calls"] {
            Value::Null => &[],
            Value::Array(calls) => calls.as_slice(),
            _ => return Err(format!("message {at}: `tool_calls` is not a list")),
        };
        if calls.is_empty() && !has_content(message) {
            return Err(format!("message {at}: an assistant message with neither content nor calls"));
        }
        for call in calls {
            let function = &call["function"];
            let name = function["name"].as_str().filter(|name| !name.is_empty());
            let name = name.ok_or_else(|| format!("message {at}: a call without a name"))?.to_owned();
            self.arguments(&function["arguments"])
                .map_err(|wrong| format!("message {at}: the arguments of {name} are {wrong}"))?;
            let id = call["id"].as_str().filter(|id| !id.is_empty()).map(str::to_owned);
            match &id {
                Some(id) if !self.ids.insert(id.clone()) => {
                    return Err(format!("message {at}: the call id {id} was used before"));
                }
                None if self.protocol == Protocol::OpenAi => {
                    return Err(format!("message {at}: a call of {name} without an id"));
                }
                _ => {}
            }
            self.open.push(Open { id, name });
        }
        Ok(())
    }

    fn arguments(&self, arguments: &Value) -> Result<(), &'static str> {
        match (self.protocol, arguments) {
            (Protocol::Ollama, Value::Object(_)) => Ok(()),
            (Protocol::Ollama, _) => Err("not an object"),
            (Protocol::OpenAi, Value::String(text)) => match serde_json::from_str::<Value>(text) {
                Ok(Value::Object(_)) => Ok(()),
                Ok(_) => Err("JSON, but not an object"),
                Err(_) => Err("not JSON"),
            },
            (Protocol::OpenAi, _) => Err("not a string"),
        }
    }

    fn result(&mut self, at: usize, message: &Value) -> Result<(), String> {
        let id = message["tool_call_id"].as_str().filter(|id| !id.is_empty());
        let name = message["tool_name"].as_str().filter(|name| !name.is_empty());
        let found = match (self.protocol, id, name) {
            (_, Some(id), _) => self.open.iter().position(|call| call.id.as_deref() == Some(id)),
            (Protocol::OpenAi, None, _) => {
                return Err(format!("message {at}: a tool result without `tool_call_id`"));
            }
            (Protocol::Ollama, None, Some(name)) => self.open.iter().position(|call| call.name == name),
            (Protocol::Ollama, None, None) => (!self.open.is_empty()).then_some(0),
        };
        match found {
            Some(found) => {
                self.open.remove(found);
                Ok(())
            }
            None => {
                let whose = id.or(name).unwrap_or("(unnamed)");
                Err(format!("message {at}: a tool result without its call: {whose}"))
            }
        }
    }

    /// Before anything but a result every call has had its own.
    fn close(&self, before: &str) -> Result<(), String> {
        match self.open.first() {
            None => Ok(()),
            Some(call) => {
                let whose = call.id.as_deref().unwrap_or(&call.name);
                Err(format!("{before}: the call {whose} has had no result"))
            }
        }
    }
}

fn has_content(message: &Value) -> bool {
    match &message["content"] {
        Value::String(_) => true,
        Value::Array(parts) => !parts.is_empty(),
        _ => false,
    }
}

fn check_tools(body: &Value) -> Result<(), String> {
    let tools = match &body["tools"] {
        Value::Null => return Ok(()),
        Value::Array(tools) => tools,
        _ => return Err("`tools` is not a list".to_owned()),
    };
    let mut names = HashSet::new();
    for (at, tool) in tools.iter().enumerate() {
        let name = tool["function"]["name"].as_str().filter(|name| !name.is_empty());
        let Some(name) = name.filter(|_| tool["type"] == "function") else {
            return Err(format!(
                "tool {at}: not of the form {{\"type\":\"function\",\"function\":{{\"name\":…}}}}"
            ));
        };
        if !tool["function"]["parameters"].is_object() {
            return Err(format!("tool {at}: the parameters of {name} are not a schema"));
        }
        if !names.insert(name) {
            return Err(format!("tool {at}: a second tool {name}"));
        }
    }
    Ok(())
}
