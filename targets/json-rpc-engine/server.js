// A JsonRpcEngine behind Express: node server.js PORT. The engine has no transport of its own.
'use strict';

const express = require('express');
const { JsonRpcEngine, createAsyncMiddleware } = require('@metamask/json-rpc-engine');
const { JsonRpcError, rpcErrors } = require('@metamask/rpc-errors');

let took = 0;
const effect = () => { took += 1; return null; };

const methods = new Map(Object.entries({
  subtract: (params) => {
    const [minuend, subtrahend] = Array.isArray(params) ? params : [params.minuend, params.subtrahend];
    return minuend - subtrahend;
  },
  sum: (values) => values.reduce((a, b) => a + b, 0),
  get_data: () => ['hello', 5],
  update: effect,
  notify_hello: effect,
  notify_sum: effect,
  echo: (params) => params,
  fail: () => { throw new Error('the handler failed'); },
  app_error: ({ code, data }) => { throw new JsonRpcError(code, 'application error', data); },
  slow: ({ ms }) => new Promise((resolve) => setTimeout(resolve, ms, ms)),
  count: () => took,
}));

const engine = new JsonRpcEngine({
  notificationHandler: async (notification) => {
    await methods.get(notification.method)?.(notification.params);
  },
});
engine.push(createAsyncMiddleware(async (req, res) => {
  const method = methods.get(req.method);
  if (method === undefined) {
    throw rpcErrors.methodNotFound();
  }
  res.result = await method(req.params);
}));

const app = express();
app.use(express.json());
app.post('/rpc', (req, res, next) => {
  engine.handle(req.body).then((response) => {
    if (response === undefined) {
      res.sendStatus(204);
    } else {
      res.json(response);
    }
  }).catch(next);
});
app.listen(Number(process.argv[2]), '127.0.0.1');
