"use strict";
const { Client } = require("rpc-websockets");
const { Remote, drive, timeout, url } = require("../lib/driver");

let client;

drive({
  connect: () => new Promise((resolve, reject) => {
    client = new Client(url, { reconnect: false });
    client.on("open", resolve);
    client.on("error", reject);
  }),
  async call(method, params) {
    try {
      return await client.call(method, params, timeout);
    } catch (error) {
      throw error && Number.isInteger(error.code) ? new Remote(error) : error;
    }
  },
  notify: (method, params) => client.notify(method, params),
  close: async () => client.close(),
}, "rpc-websockets", require("./package.json").dependencies["rpc-websockets"],
["call", "notify", "by-name", "concurrent", "connect", "close"]);
