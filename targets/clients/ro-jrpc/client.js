// The client that the README of RO-JRPC describes: buildRequest, a cache by its key, and a router for results.
"use strict";
const net = require("net");
const readline = require("readline");

const methodOf = (...names) => names.filter((name) => name !== undefined).join(".");

// Builds a Request; parts that do not belong together are an error.
function buildRequest({ resource, subresource, parent, target, verb, params, cache, id }) {
  if (typeof resource !== "string" || typeof verb !== "string" || [resource, subresource, verb].some((name) => name?.includes("."))) {
    throw new TypeError("a Request needs a resource and a verb, without dots");
  }
  if (parent !== undefined && subresource === undefined) {
    throw new TypeError("a parent needs a subresource");
  }
  return { jsonrpc: "2.0", method: methodOf(resource, subresource, verb), resource, parent, subresource, target, verb, params, cache, id };
}

// Routes result messages: resource("job").verb("yield", handler).
class Router {
  handlers = new Map();

  resource(name, sub) {
    return {
      subresource: (under) => this.resource(name, under),
      verb: (verb, handler) => {
        this.handlers.set(methodOf(name, sub, verb), handler);
        return this.resource(name, sub);
      },
    };
  }

  dispatch(message) {
    this.handlers.get(methodOf(message.resource, message.subresource, message.verb))?.(message);
  }
}

// Results with a max-age, by resource, verb and target, plus subresource and parent.
class Cache {
  kept = new Map();

  key({ resource, subresource, parent, target, verb }) {
    return JSON.stringify([resource, subresource ?? null, parent ?? null, target ?? null, verb]);
  }

  find(request) {
    const entry = this.kept.get(this.key(request));
    return entry !== undefined && entry.until > Date.now() ? entry : undefined;
  }

  keep(request, result, hint) {
    const seconds = hint?.["max-age"];
    this.kept.delete(this.key(request));
    if (Number.isSafeInteger(seconds) && seconds > 0) {
      this.kept.set(this.key(request), { result, until: Date.now() + seconds * 1000 });
    }
  }
}

class Client {
  router = new Router();
  cache = new Cache();
  pending = new Map();
  nextId = 1;

  constructor(timeout) {
    this.timeout = timeout;
  }

  connect(host, port) {
    return new Promise((resolve, reject) => {
      const socket = net.connect(port, host, () => { this.socket = socket; resolve(); });
      readline.createInterface({ input: socket, crlfDelay: Infinity }).on("line", (line) => this.take(line));
      socket.on("error", reject).on("close", () => {
        this.socket = this.socket === socket ? undefined : this.socket;
        this.failPending("the connection ended");
      });
    });
  }

  close() {
    this.socket?.destroy();
    this.socket = undefined;
    this.failPending("closed");
  }

  failPending(why) {
    this.pending.forEach(({ reject }) => reject(new Error(why)));
    this.pending.clear();
  }

  take(line) {
    let message;
    try { message = JSON.parse(line); } catch { return; }
    if (typeof message?.method === "string") {
      this.router.dispatch(message);
      if (message.id !== undefined) {
        this.send({ jsonrpc: "2.0", error: { code: -32601, message: "Method not found" }, id: message.id });
      }
      return;
    }
    const call = this.pending.get(message?.id);
    if (call === undefined) return;
    this.pending.delete(message.id);
    const { result, error } = message;
    if (message.jsonrpc !== "2.0" || (result === undefined) === (error === undefined) || error === null) {
      call.reject(new Error("the answer is not a Response"));
    } else if (error !== undefined) {
      typeof error.code === "number" ? call.reject(Object.assign(new Error(error.message), { error })) : call.reject(new Error("not an error"));
    } else {
      call.resolve(message);
    }
  }

  send(message) {
    if (this.socket === undefined) throw new Error("not connected");
    this.socket.write(JSON.stringify(message) + "\n");
  }

  async exchange(message) {
    const id = this.nextId++;
    const answer = new Promise((resolve, reject) => this.pending.set(id, { resolve, reject }));
    const timer = setTimeout(() => this.pending.get(id)?.reject(new Error("time-out")), this.timeout);
    try {
      this.send({ ...message, id });
      return await answer;
    } finally {
      clearTimeout(timer);
      this.pending.delete(id);
    }
  }

  // A plain call.
  async call(method, params) {
    return (await this.exchange({ jsonrpc: "2.0", method, params })).result;
  }

  // A structured call. The result comes from the cache if it is kept there and the call does not say no-cache.
  async request(fields) {
    const kept = fields.cache === "no-cache" ? undefined : this.cache.find(fields);
    if (kept !== undefined) return kept.result;
    const response = await this.exchange(buildRequest(fields));
    this.cache.keep(fields, response.result, response.cache);
    return response.result;
  }
}

module.exports = { Client, buildRequest };
