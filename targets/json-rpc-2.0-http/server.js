// A json-rpc-2.0 server on HTTP, as the Express server of its README: node server.js PORT
'use strict';

const express = require('express');
const bodyParser = require('body-parser');

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

const app = express();
app.use(bodyParser.json());
app.post('/json-rpc', (req, res) => {
  server.receive(req.body).then((response) => {
    if (response) {
      res.json(response);
    } else {
      res.sendStatus(204);
    }
  });
});
app.listen(Number(process.argv[2]), '127.0.0.1');
