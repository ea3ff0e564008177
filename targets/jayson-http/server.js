// A jayson server on HTTP or WebSocket, written as its README shows: node server.js http|websocket PORT
'use strict';

const jayson = require('jayson');

let took = 0;
const effect = (params, callback) => {
  took += 1;
  callback(null, null);
};

const server = new jayson.Server({
  subtract(params, callback) {
    const [minuend, subtrahend] = Array.isArray(params) ? params : [params.minuend, params.subtrahend];
    callback(null, minuend - subtrahend);
  },
  sum: (values, callback) => callback(null, values.reduce((a, b) => a + b, 0)),
  get_data: (params, callback) => callback(null, ['hello', 5]),
  update: effect,
  notify_hello: effect,
  notify_sum: effect,
  echo: (params, callback) => callback(null, params),
  fail() { throw new Error('the handler failed'); },
  app_error(params, callback) {
    const [code, data] = Array.isArray(params) ? params : [params.code, params.data];
    callback(this.error(code, 'application error', data));
  },
  slow(params, callback) {
    const [ms] = Array.isArray(params) ? params : [params.ms];
    setTimeout(callback, ms, null, ms);
  },
  count: (params, callback) => callback(null, took),
});

const [kind, port] = process.argv.slice(2);
if (kind === 'websocket') {
  server.websocket({ port: Number(port), host: '127.0.0.1' });
} else {
  server.http().listen(Number(port), '127.0.0.1');
}
