"use strict";
const { createClient, http, webSocket, RpcRequestError, BaseError } = require("viem");
const { Remote, drive, timeout, url } = require("../lib/driver");

const options = { timeout, retryCount: 0 };
const client = createClient({ transport: url.startsWith("ws") ? webSocket(url, options) : http(url, options) });

drive({
  async call(method, params) {
    try {
      return await client.request({ method, params }, options);
    } catch (error) {
      const own = error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError);
      if (!own) throw error;
      throw new Remote({ code: own.code, message: own.details, ...(own.data === undefined ? {} : { data: own.data }) });
    }
  },
}, "viem", require("./package.json").dependencies["viem"], ["call", "by-name", "concurrent"]);
