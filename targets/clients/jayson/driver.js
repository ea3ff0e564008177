"use strict";
const jayson = require("jayson");
const { Remote, drive, timeout, url } = require("../lib/driver");

const address = new URL(url);
const client = address.protocol === "http:"
  ? jayson.Client.http({ hostname: address.hostname, port: Number(address.port), timeout })
  : jayson.Client.tcp({ host: address.hostname, port: Number(address.port) });

// A call of each kind is a promise of the whole response, or of the Array of them.
const send = (...words) => new Promise((resolve, reject) => {
  client.request(...words, (error, response) => (error ? reject(error) : resolve(response)));
});

const outcome = (response) => {
  if (!response) throw new Error("no response");
  if (response.error) throw new Remote(response.error);
  return response.result;
};

drive({
  call: async (method, params) => outcome(await send(method, params)),
  notify: (method, params) => send(method, params, null),
  async batch(list) {
    const requests = list.map(({ notify, method, params }) => client.request(method, params, notify ? null : undefined));
    const responses = await send(requests); // in the order of the answer: matching is left to the caller
    return requests.map(({ id }) => {
      if (id === undefined || id === null) return null;
      const response = Array.isArray(responses) ? responses.find((one) => one.id === id) : responses;
      return response === undefined ? { failed: "no response" }
        : response.error ? { error: response.error } : { result: response.result };
    });
  },
}, "jayson", require("./package.json").dependencies["jayson"], ["call", "notify", "batch", "by-name", "concurrent"],
address.protocol === "http:" ? {} : { timeout: null });
