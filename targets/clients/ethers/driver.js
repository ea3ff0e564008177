"use strict";
const { JsonRpcProvider, FetchRequest, Network } = require("ethers");
const { Remote, drive, timeout, url } = require("../lib/driver");

const request = new FetchRequest(url);
request.timeout = timeout;
// The network is given, so that the library does not ask for it first.
const provider = new JsonRpcProvider(request, Network.from(1), { staticNetwork: true, batchMaxCount: 1 });

drive({
  async call(method, params) {
    try {
      return await provider.send(method, params === undefined ? [] : params);
    } catch (error) {
      const own = error.error || (error.info && error.info.error);
      throw own && Number.isInteger(own.code) ? new Remote(own) : error;
    }
  },
}, "ethers", require("./package.json").dependencies["ethers"], ["call", "by-name", "concurrent"]);
