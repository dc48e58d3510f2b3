//! The API's description as it is served: what utoipa made of the handlers, completed by what stands before all of
//! them.
//!
//! Every status an operation can answer with is named. What single handlers say of theirs stays; the rest follows from
//! the layers of the router: limits, origin, reading a body, a path or a query, and a store that may be away.

use serde_json::{Map, Value, json};
use utoipa::openapi::OpenApi;

use super::chinese::{self, KEY};
use super::course::who;
use super::visitor;

/// The document in both languages, with the cookies' names on this connection.
pub(super) fn document(made: &OpenApi, safe: bool) -> Value {
    let mut document = chinese::document(made);
    for (_, methods) in fields(&mut document["paths"]) {
        for (method, operation) in fields(methods) {
            complete(method, operation);
        }
    }
    document["security"] = json!([{}, { "visitor": [] }]);
    let components = &mut document["components"];
    components["securitySchemes"] = json!({
        "visitor": cookie(visitor::cookie_name(safe), "A visitor, known by a cookie that the first change sets.",
            "访客：第一次操作时发放的 Cookie。"),
        "session": cookie(who::cookie_name(safe), "An account that is signed in.", "已登录的账号。"),
    });
    components["responses"] = STATUSES.iter().map(|status| (status.name.to_owned(), status.response())).collect();
    components["schemas"]["Error"] = json!({
        "type": "object",
        "required": ["error"],
        "properties": { "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": { "code": { "type": "string" }, "message": { "$ref": "#/components/schemas/Words" } },
        } },
    });
    document
}

fn cookie(name: &str, en: &str, zh: &str) -> Value {
    json!({ "type": "apiKey", "in": "cookie", "name": name, "description": en, KEY: zh })
}

fn fields(value: &mut Value) -> impl Iterator<Item = (&String, &mut Value)> {
    value.as_object_mut().into_iter().flatten()
}

/// Where a status may come from.
#[derive(Clone, Copy)]
enum From {
    /// Every request.
    Anything,
    /// Requests that change something.
    Changes,
    /// An address with a variable part.
    Path,
    /// A body, or a query.
    Input,
    /// Any of both: whatever can name a thing that is not there.
    Name,
    /// A JSON body.
    Json,
}

/// A status that many operations share.
struct Status {
    code: &'static str,
    name: &'static str,
    from: From,
    en: &'static str,
    zh: &'static str,
}

impl Status {
    fn response(&self) -> Value {
        let content = json!({ "application/json": { "schema": { "$ref": "#/components/schemas/Error" } } });
        let mut response = json!({ "description": self.en, KEY: self.zh, "content": content });
        if matches!(self.code, "429" | "503") {
            let seconds =
                json!({ "description": "seconds to wait", KEY: "应等待的秒数", "schema": { "type": "integer" } });
            response["headers"] = json!({ "Retry-After": seconds });
        }
        response
    }
}

const fn status(code: &'static str, name: &'static str, from: From, en: &'static str, zh: &'static str) -> Status {
    Status { code, name, from, en, zh }
}

static STATUSES: [Status; 12] = [
    status("400", "BadRequest", From::Anything, "the request cannot be read", "无法理解请求"),
    status(
        "403",
        "Forbidden",
        From::Changes,
        "not yours to do, or asked by another site's page",
        "无权进行，或来自其他网站的页面",
    ),
    status("404", "NotFound", From::Name, "there is no such thing, or it is not yours to see", "不存在，或无权查看"),
    status("408", "TooSlow", From::Anything, "the body did not come in time", "请求内容未能及时到达"),
    status("409", "Conflict", From::Path, "not now: what it is about is in another state", "目前的状态下不能进行"),
    status("413", "TooLarge", From::Anything, "the body is too large", "请求内容过大"),
    status("415", "NotJson", From::Json, "the body is not sent as JSON", "请求内容不是 JSON"),
    status("421", "Misdirected", From::Anything, "the server does not go by this name", "服务器不使用此名称"),
    status(
        "422",
        "Unprocessable",
        From::Input,
        "a value cannot be taken; the error names it",
        "某个值不能接受，错误信息中有说明",
    ),
    status("429", "TooMany", From::Anything, "too much at once; try again later", "请求过于频繁，请稍后重试"),
    status("500", "Broken", From::Anything, "a fault of the server", "服务器内部出错"),
    status(
        "503",
        "Unavailable",
        From::Anything,
        "the server cannot do this now; the error says why",
        "服务器暂时无法处理，错误信息说明原因",
    ),
];

/// Adds what utoipa does not know of an operation, and takes away what is not allowed.
fn complete(method: &str, operation: &mut Value) {
    // Indexing what can be changed would put a null where nothing is.
    let taken = operation.as_object_mut().and_then(|fields| fields.remove("parameters"));
    let parameters = taken.and_then(|list| list.as_array().cloned()).unwrap_or_default();
    let in_place = |place: &str| parameters.iter().any(|parameter| parameter["in"] == place);
    let json = operation.pointer("/requestBody/content/application~1json").is_some_and(Value::is_object);
    // Any bytes are a text: a schema would say that there are bodies of another type.
    let texts = operation.pointer_mut("/requestBody/content").and_then(Value::as_object_mut).into_iter().flatten();
    for (_, text) in texts.filter(|(kind, _)| *kind != "application/json") {
        *text = json!({});
    }
    let body = operation.get("requestBody").is_some_and(Value::is_object);
    let (path, query) = (in_place("path"), in_place("query"));
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into_iter().map(bounded).collect();
    }
    let needs_account = operation.pointer("/responses/401").is_some();
    if needs_account {
        operation["security"] = json!([{ "session": [] }]);
    }
    let comes = |from: From| match from {
        From::Anything => true,
        From::Changes => method != "get",
        From::Path => path,
        From::Input => body || query,
        From::Name => path || body || query,
        From::Json => json,
    };
    let told = operation["responses"].as_object().cloned().unwrap_or_default();
    let mut responses: Map<String, Value> =
        told.into_iter().map(|(code, told)| (code.clone(), shaped(&code, told))).collect();
    for status in STATUSES.iter().filter(|status| comes(status.from)) {
        let shared = json!({ "$ref": format!("#/components/responses/{}", status.name) });
        responses.entry(status.code).or_insert(shared);
    }
    responses.sort_keys();
    operation["responses"] = Value::Object(responses);
}

/// An error's answer has one shape, whatever a handler says of when it comes; and every answer is described.
fn shaped(code: &str, mut told: Value) -> Value {
    if told["description"].as_str().is_none_or(str::is_empty) {
        told["description"] = "done".into();
        told[KEY] = "成功".into();
    }
    let is_error = code.starts_with(['4', '5']);
    if is_error && told["content"].is_null() {
        told["content"] = json!({ "application/json": { "schema": { "$ref": "#/components/schemas/Error" } } });
    }
    told
}

/// What the values of a parameter may be; a name means the same wherever it stands.
fn bounded(mut parameter: Value) -> Value {
    let narrower = match parameter["name"].as_str().unwrap_or_default() {
        "limit" => json!({ "minimum": 1, "maximum": super::body::LONGEST_PAGE }),
        "live" | "mine" | "dry" => json!({ "minimum": 0, "maximum": 1 }),
        "lang" => json!({ "enum": ["zh", "en"] }),
        "eyes" => json!({ "enum": ["all", "black", "white"] }),
        "seat" => json!({ "enum": ["black", "white"] }),
        "state" => json!({ "enum": ["waiting", "live", "finished"] }),
        "role" => json!({ "enum": ["student", "assistant", "admin"] }),
        "format" => json!({ "enum": ["json", "sgf", "psq", "ccgc"] }),
        "rows" => json!({ "enum": ["top", "bottom"] }),
        "path" => json!({ "pattern": "^[0-9]{1,6}(,[0-9]{1,6})*$" }),
        _ => return parameter,
    };
    for (key, value) in narrower.as_object().into_iter().flatten() {
        parameter["schema"][key] = value.clone();
    }
    parameter
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operations(document: &Value) -> impl Iterator<Item = (String, &Value)> {
        let paths = document["paths"].as_object().expect("paths");
        paths.iter().flat_map(|(path, methods)| {
            let methods = methods.as_object().expect("methods");
            methods.iter().map(move |(method, operation)| (format!("{method} {path}"), operation))
        })
    }

    /// What OpenAPI 3.1 demands and a tool stumbles over.
    #[test]
    fn the_document_is_valid_and_says_every_status() {
        let document = document(&super::super::api().split_for_parts().1, true);
        assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")));
        for (name, operation) in operations(&document) {
            assert!(operation.get("parameters").is_none_or(Value::is_array), "{name}: parameters are a list or absent");
            let responses = operation["responses"].as_object().expect("responses");
            for code in ["400", "413", "429", "500", "503"] {
                assert!(responses.contains_key(code), "{name} does not say {code}");
            }
            for response in responses.values() {
                let shared = response["$ref"].as_str().and_then(|place| document.pointer(&place[1..]));
                assert!(shared.unwrap_or(response)["description"].is_string(), "{name}: {response}");
            }
            if responses.contains_key("401") {
                assert_eq!(operation["security"], json!([{ "session": [] }]), "{name}");
            }
        }
        let schemes = document["components"]["securitySchemes"].as_object().expect("schemes");
        assert_eq!(schemes.keys().collect::<Vec<_>>(), ["visitor", "session"]);
    }
}
