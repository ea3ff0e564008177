// A vscode-jsonrpc server on standard input and output, written as its README shows.
// Handlers registered by name get an Array as separate arguments and an Object as one argument;
// the last argument is always a cancellation token.
'use strict';

const rpc = require('vscode-jsonrpc/node');

const connection = rpc.createMessageConnection(
  new rpc.StreamMessageReader(process.stdin),
  new rpc.StreamMessageWriter(process.stdout));

let took = 0;

connection.onRequest('subtract', (first, second) =>
  typeof first === 'object' ? first.minuend - first.subtrahend : first - second);
connection.onRequest('sum', (...args) => args.slice(0, -1).reduce((a, b) => a + b, 0));
connection.onRequest('get_data', () => ['hello', 5]);
connection.onRequest('echo', (...args) => args.slice(0, -1));
connection.onRequest('fail', () => { throw new Error('the handler failed'); });
connection.onRequest('app_error', ({ code, data }) => new rpc.ResponseError(code, 'application error', data));
connection.onRequest('slow', (ms) => new Promise((resolve) => setTimeout(resolve, ms, ms)));
connection.onRequest('count', () => took);

for (const method of ['update', 'notify_hello', 'notify_sum']) {
  connection.onNotification(method, () => { took += 1; });
}

connection.listen();
