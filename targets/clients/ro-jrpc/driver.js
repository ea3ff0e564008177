// Drives the client of client.js, as docs/testing-a-client.md says.
"use strict";
const readline = require("readline");
const { Client, buildRequest } = require("./client.js");

const url = new URL(process.env.JRPCHECK_URL.replace("tcp:", "http:"));
const say = (line) => process.stdout.write(JSON.stringify(line) + "\n");
const client = new Client(Number(process.env.JRPCHECK_TIMEOUT));

for (const route of [client.router.resource("job"), client.router.resource("session"), client.router.resource("repo").subresource("issue")]) {
  for (const verb of ["yield", "return"]) {
    route.verb(verb, ({ method, resource, subresource, parent, target, verb, result, request_id }) =>
      say({ event: "notification", method, resource, subresource, parent, target, verb, result, request_id }));
  }
}

const actions = {
  ping: () => "pong",
  connect: () => client.connect(url.hostname, url.port).then(() => null),
  close: () => { client.close(); return null; },
  call: ({ method, params, resource, ...rest }) => (resource === undefined ? client.call(method, params) : client.request({ resource, params, ...rest })),
  notify: ({ method, params, resource, ...rest }) => {
    client.send(resource === undefined ? { jsonrpc: "2.0", method, params } : buildRequest({ resource, params, ...rest }));
    return null;
  },
};

say({ driver: 1, name: "ro-jrpc", version: "1.0", can: ["call", "notify", "by-name", "concurrent", "connect", "close", "reports", "resources"] });
readline.createInterface({ input: process.stdin }).on("line", async (line) => {
  const { do: action, tag, ...rest } = JSON.parse(line);
  try {
    say({ tag, result: await actions[action](rest) });
  } catch (error) {
    say(error.error === undefined ? { tag, failed: String(error.message) } : { tag, error: error.error });
  }
}).on("close", () => process.exit(0));
