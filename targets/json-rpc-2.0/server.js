// A json-rpc-2.0 server on standard input and output: receiveJSON for each line, as the README shows.
// Lines are cut at LF by hand: readline would also cut at U+2028, which JSON strings may hold.
'use strict';

const { JSONRPCServer, JSONRPCErrorException } = require('json-rpc-2.0');

const server = new JSONRPCServer();
let took = 0;

server.addMethod('subtract', (params) => {
  const [minuend, subtrahend] = Array.isArray(params) ? params : [params.minuend, params.subtrahend];
  return minuend - subtrahend;
});
server.addMethod('sum', (values) => values.reduce((a, b) => a + b, 0));
server.addMethod('get_data', () => ['hello', 5]);
server.addMethod('echo', (params) => params);
server.addMethod('fail', () => { throw new Error('the handler failed'); });
server.addMethod('app_error', ({ code, data }) => {
  throw new JSONRPCErrorException('application error', code, data);
});
server.addMethod('slow', ({ ms }) => new Promise((resolve) => setTimeout(resolve, ms, ms)));
server.addMethod('count', () => took);
for (const name of ['update', 'notify_hello', 'notify_sum']) {
  server.addMethod(name, () => { took += 1; });
}

let rest = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
  rest = Buffer.concat([rest, chunk]);
  for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
    const line = rest.subarray(0, end).toString();
    rest = rest.subarray(end + 1);
    server.receiveJSON(line).then((response) => {
      if (response) {
        process.stdout.write(JSON.stringify(response) + '\n');
      }
    });
  }
});
