// A rpc-websockets server, written as its README shows: node server.js PORT
'use strict';

const { Server } = require('rpc-websockets');

const server = new Server({ port: Number(process.argv[2]), host: '127.0.0.1' });
let took = 0;
const effect = () => {
  took += 1;
};

server.register('subtract', (params) => {
  const [minuend, subtrahend] = Array.isArray(params) ? params : [params.minuend, params.subtrahend];
  return minuend - subtrahend;
});
server.register('sum', (params) => params.reduce((a, b) => a + b, 0));
server.register('get_data', () => ['hello', 5]);
server.register('update', effect);
server.register('notify_hello', effect);
server.register('notify_sum', effect);
server.register('echo', (params) => params);
server.register('fail', () => { throw new Error('the handler failed'); });
server.register('app_error', (params) => {
  const [code, data] = Array.isArray(params) ? params : [params.code, params.data];
  throw server.createError(code, 'application error', data);
});
server.register('slow', (params) => {
  const [ms] = Array.isArray(params) ? params : [params.ms];
  return new Promise((resolve) => setTimeout(resolve, ms, ms));
});
server.register('count', () => took);
