// A server on standard input and output, with the routes that the README of RO-JRPC shows: node server.js
'use strict';

const readline = require('readline');
const { createRouter, buildResult, RpcError } = require('./router.js');

const router = createRouter();
const names = new Map();
const send = (message) => process.stdout.write(JSON.stringify(message) + '\n');
const later = [];
let jobs = 123;
let sessions = 9;

router.resource('user')
  .verb('get', async ({ target }) => ({ id: target, name: names.get(target) ?? 'Alice' }))
  .verb('create', async ({ params }) => ({ id: '99', ...params }))
  .verb('list', async () => [{ id: '1', name: 'Alice' }])
  .verb('update', async ({ target, params }) => {
    names.set(target, params.name);
    return { id: target, name: params.name };
  })
  .verb('delete', async () => {
    throw new RpcError(-32001, 'Denied');
  });
router.resource('repo').subresource('issue').verb('get', async ({ parent, target }) => ({ id: target, repoId: parent, issueId: target }));
router.resource('project').subresource('task').verb('list', async ({ parent }) => [{ id: '1', projectId: parent }]);
router.resource('attachment').verb('create', async ({ params, id }) => {
  const target = `job-${jobs++}`;
  const of = { resource: 'job', target, ...(id === undefined ? {} : { request_id: id }) };
  later.push(buildResult({ ...of, verb: 'yield', result: { status: 'pending', progress: 60, stage: 'scanning' } }));
  later.push(buildResult({ ...of, verb: 'return', result: params.fail ? { status: 'error' } : { status: 'done', attachmentId: 'att-456' } }));
  return { status: 'accepted', job: target };
});
router.resource('tool').verb('execute', async ({ target, params }) => ({ id: target, output: Object.keys(params ?? {}) }));
router.resource('session').verb('start', async () => {
  const target = `session-${sessions++}`;
  later.push(buildResult({ resource: 'session', verb: 'yield', target, result: { status: 'pending', content: 'Thinking...' } }));
  later.push(buildResult({ resource: 'session', verb: 'return', target, result: { status: 'done', content: 'Here is your answer.' } }));
  return { status: 'accepted', session: target };
});

// The answer to one line; undefined where none is owed.
async function answer(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return { jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' }, id: null };
  }
  if (!Array.isArray(message) || message.length === 0) {
    return router.handle(message);
  }
  const answers = [];
  for (const element of message) {
    answers.push(await router.handle(element));
  }
  const owed = answers.filter((one) => one !== undefined);
  return owed.length > 0 ? owed : undefined;
}

let turn = Promise.resolve();
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  turn = turn.then(async () => {
    const response = await answer(line);
    if (response !== undefined) {
      send(response);
    }
    later.splice(0).forEach(send);
  });
});
