"""place_order(count, note): answers wrongly, with a bare number, for a count just outside of what its description allows. Only calls
with the right name and nearly the right params get there. As a tool of MCP too: tools/list describes it, tools/call calls it."""

from quirk_core import Core, InvalidParams


class Described(Core):
    def __init__(self):
        super().__init__()
        self.methods = {"place_order": self.place_order, "tools/list": self.tools, "tools/call": self.call_tool}

    def tools(self, params):
        schema = {"type": "object", "properties": {"count": {"$ref": "#/$defs/Count"}}, "required": ["count"],
                  "$defs": {"Count": {"type": "integer", "minimum": 1, "maximum": 5}}}
        return {"tools": [{"name": "other", "inputSchema": {"type": "object"}}, {"name": "place_order", "inputSchema": schema}]}

    def call_tool(self, params):
        if not isinstance(params, dict) or params.get("name") != "place_order" or not isinstance(params.get("arguments"), dict):
            raise InvalidParams
        return self.place_order(params["arguments"])

    def place_order(self, params):
        params = params if isinstance(params, dict) else dict(zip(["count", "note"], params))
        if type(params.get("count")) is not int or not 0 <= params["count"] <= 6:
            raise InvalidParams
        return params["count"]

    def success(self, result, identity):
        return 6 if result in (0, 6) else super().success(result, identity)


Described().serve()
