"use strict";
const { JSONRPCClient, JSONRPCErrorException, createJSONRPCRequest, createJSONRPCNotification } = require("json-rpc-2.0");
const { Remote, drive, timeout, url } = require("../lib/driver");

// The client of the README, over HTTP.
const client = new JSONRPCClient(async (request) => {
  const response = await fetch(url, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(request),
  });
  if (response.status === 200) {
    client.receive(await response.json());
  } else if (request.id !== undefined) {
    throw new Error(response.statusText);
  }
});

const remote = ({ code, message, data }) => new Remote({ code, message, ...(data === undefined ? {} : { data }) });

let lastId = 1e6;
drive({
  async call(method, params) {
    try {
      return await client.timeout(timeout).request(method, params);
    } catch (error) {
      throw error instanceof JSONRPCErrorException ? remote(error) : error;
    }
  },
  notify: (method, params) => client.notify(method, params),
  async batch(list) {
    const requests = list.map(({ notify, method, params }) =>
      notify ? createJSONRPCNotification(method, params) : createJSONRPCRequest(++lastId, method, params));
    const responses = await client.requestAdvanced(requests);
    return requests.map(({ id }) => {
      const response = responses.find((one) => one.id === id);
      return id === undefined ? null : response === undefined ? { failed: "no response" }
        : response.error ? { error: response.error } : { result: response.result };
    });
  },
}, "json-rpc-2.0", require("./package.json").dependencies["json-rpc-2.0"], ["call", "notify", "batch", "by-name", "concurrent"]);
