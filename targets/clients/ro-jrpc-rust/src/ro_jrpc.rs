//! The builder that the README of RO-JRPC shows: `method` is made of the fields and never given.
use serde_json::{value::RawValue, Value};

type Raw = Box<RawValue>;

/// A Request; every value is kept as it was written.
pub struct Request {
    pub method: String,
    fields: Vec<(&'static str, String)>,
}

impl Request {
    /// The text of the message, on one line.
    pub fn text(&self) -> String {
        let method = ("method", Value::from(self.method.as_str()).to_string());
        let members: Vec<String> = std::iter::once(&method)
            .chain(&self.fields)
            .map(|(name, value)| format!(r#""{name}":{value}"#))
            .collect();
        format!(r#"{{"jsonrpc":"2.0",{}}}"#, members.join(","))
    }
}

#[derive(Default)]
pub struct RequestBuilder {
    resource: String,
    verb: String,
    subresource: Option<String>,
    parent: Option<Raw>,
    target: Option<Raw>,
    params: Option<Raw>,
    cache: Option<Raw>,
    id: Option<Raw>,
}

fn raw(value: impl Into<Value>) -> Raw {
    RawValue::from_string(value.into().to_string()).expect("a JSON value")
}

impl RequestBuilder {
    pub fn new(resource: &str, verb: &str) -> Self {
        RequestBuilder { resource: resource.into(), verb: verb.into(), ..Default::default() }
    }

    pub fn subresource(mut self, name: &str) -> Self {
        self.subresource = Some(name.into());
        self
    }

    #[cfg(test)]
    pub fn parent(self, parent: impl Into<Value>) -> Self {
        self.raw_parent(Some(raw(parent)))
    }

    #[cfg(test)]
    pub fn target(self, target: impl Into<Value>) -> Self {
        self.raw_target(Some(raw(target)))
    }

    pub fn id(mut self, id: impl Into<Value>) -> Self {
        self.id = Some(raw(id));
        self
    }

    pub fn raw_parent(mut self, parent: Option<Raw>) -> Self {
        self.parent = parent;
        self
    }

    pub fn raw_target(mut self, target: Option<Raw>) -> Self {
        self.target = target;
        self
    }

    pub fn params(mut self, params: Option<Raw>) -> Self {
        self.params = params;
        self
    }

    pub fn cache(mut self, cache: Option<Raw>) -> Self {
        self.cache = cache;
        self
    }

    /// A parent belongs to a subresource: without one it is left out.
    pub fn build(self) -> Request {
        let names = [Some(&self.resource), self.subresource.as_ref(), Some(&self.verb)];
        let method = names.into_iter().flatten().cloned().collect::<Vec<_>>().join(".");
        let text = |value: &String| Value::from(value.as_str()).to_string();
        let parent = self.parent.filter(|_| self.subresource.is_some());
        let fields = [
            ("resource", Some(text(&self.resource))),
            ("subresource", self.subresource.as_ref().map(text)),
            ("parent", parent.map(|value| value.to_string())),
            ("target", self.target.map(|value| value.to_string())),
            ("verb", Some(text(&self.verb))),
            ("params", self.params.map(|value| value.to_string())),
            ("cache", self.cache.map(|value| value.to_string())),
            ("id", self.id.map(|value| value.to_string())),
        ];
        let fields = fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        Request { method, fields }
    }
}

#[cfg(test)]
mod tests {
    use super::RequestBuilder;

    #[test]
    fn the_two_requests_of_the_readme() {
        let req = RequestBuilder::new("user", "get").target("42").id(serde_json::json!(1)).build();
        assert_eq!(req.method, "user.get");
        let req = RequestBuilder::new("repo", "get")
            .subresource("issue")
            .parent("99")
            .target("7")
            .id(serde_json::json!(2))
            .build();
        assert_eq!(req.method, "repo.issue.get");
    }
}
