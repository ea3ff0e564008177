"use strict";
const net = require("net");
const rpc = require("vscode-jsonrpc/node");
const { Remote, drive, tell, url } = require("../lib/driver");

let connection;

function connect() {
  const address = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(address.port), address.hostname, () => {
      connection = rpc.createMessageConnection(new rpc.StreamMessageReader(socket), new rpc.StreamMessageWriter(socket),
        { error() {}, warn() {}, info() {}, log() {} });
      connection.onError(() => {});
      connection.onNotification((method, params) => tell({ event: "notification", method, params }));
      connection.onRequest((method, params) => {
        tell({ event: "request", method, params });
        return new rpc.ResponseError(rpc.ErrorCodes.MethodNotFound, "Method not found");
      });
      connection.listen();
      resolve();
    }).on("error", reject);
  });
}

const shaped = (params) => params === undefined ? []
  : Array.isArray(params) ? [rpc.ParameterStructures.byPosition, ...params] : [rpc.ParameterStructures.byName, params];

drive({
  connect,
  async call(method, params) {
    try {
      return await connection.sendRequest(method, ...shaped(params));
    } catch (error) {
      const own = [rpc.ErrorCodes.PendingResponseRejected, rpc.ErrorCodes.ConnectionInactive];
      if (!(error instanceof rpc.ResponseError) || own.includes(error.code)) throw error;
      throw new Remote({ code: error.code, message: error.message, ...(error.data === undefined ? {} : { data: error.data }) });
    }
  },
  notify: (method, params) => connection.sendNotification(method, ...shaped(params)),
  async close() {
    connection.end();
    connection.dispose();
  },
}, "vscode-jsonrpc", require("./package.json").dependencies["vscode-jsonrpc"],
["call", "notify", "by-name", "concurrent", "connect", "close", "reports"], { timeout: null });
