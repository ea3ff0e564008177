// The router that the README of RO-JRPC describes: createRouter, buildRequest, buildResult.
'use strict';

const INVALID_REQUEST = [-32600, 'Invalid Request'];
const METHOD_NOT_FOUND = [-32601, 'Method not found'];
const INTERNAL_ERROR = [-32603, 'Internal error'];
const RESERVED = ['yield', 'return']; // server to client

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isName = (value) => typeof value === 'string' && value !== '' && !value.includes('.');
const isInstance = (value) => typeof value === 'string' || typeof value === 'number';
const methodOf = ({ resource, subresource, verb }) => [resource, subresource, verb].filter((name) => name !== undefined).join('.');

class RpcError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

function checkRequest(message) {
  const { jsonrpc, method, params, id } = message;
  return jsonrpc === '2.0' && typeof method === 'string' && (params === undefined || (typeof params === 'object' && params !== null)) &&
    (!('id' in message) || id === null || isInstance(id));
}

// The rules of the README: what belongs together stands together, and says the same as the method.
function checkFields(message) {
  const { resource, subresource, verb, target, parent } = message;
  if (resource === undefined) {
    return verb === undefined && subresource === undefined && parent === undefined;
  }
  return isName(resource) && isName(verb) && (subresource === undefined || isName(subresource)) &&
    (parent === undefined || (subresource !== undefined && isInstance(parent))) && (target === undefined || isInstance(target)) &&
    message.method === methodOf(message);
}

class Builder {
  constructor(routes, resource, subresource) {
    Object.assign(this, { routes, name: resource, sub: subresource });
  }

  subresource(name) {
    return new Builder(this.routes, this.name, name);
  }

  verb(name, handler) {
    this.routes.set(methodOf({ resource: this.name, subresource: this.sub, verb: name }), handler);
    return this;
  }
}

class Router {
  constructor() {
    this.routes = new Map();
  }

  resource(name) {
    return new Builder(this.routes, name);
  }

  describe() {
    const resources = {};
    for (const method of this.routes.keys()) {
      const names = method.split('.');
      const verb = names.pop();
      (resources[names.join('.')] ??= { verbs: [] }).verbs.push(verb);
    }
    return { resources };
  }

  // The Response to one message; undefined where none is owed.
  async handle(message) {
    if (!isObject(message) || !checkRequest(message)) {
      const known = isObject(message) && isInstance(message.id);
      return failure(INVALID_REQUEST, known ? message.id : null);
    }
    const silent = !('id' in message);
    if (!checkFields(message)) {
      return silent ? undefined : failure(INVALID_REQUEST, message.id);
    }
    const answer = await this.answer(message);
    return silent ? undefined : { jsonrpc: '2.0', ...answer, id: message.id };
  }

  async answer(message) {
    if (message.method === 'rpc.describe') {
      return { result: this.describe() };
    }
    const handler = this.routes.get(message.method);
    if (handler === undefined || RESERVED.includes(message.method.split('.').pop())) {
      return failure(METHOD_NOT_FOUND);
    }
    const { target, parent, params, cache, id } = message;
    const plain = message.resource === undefined && isObject(params) ? params : {};
    try {
      const result = await handler({ target: target ?? plain.target, parent: parent ?? plain.parent, params, cache, id });
      return { result: result === undefined ? null : result };
    } catch (error) {
      return failure(error instanceof RpcError ? [error.code, error.message] : INTERNAL_ERROR);
    }
  }
}

function failure([code, message], id) {
  const error = { error: { code, message } };
  return id === undefined ? error : { jsonrpc: '2.0', ...error, id };
}

const createRouter = () => new Router();
const buildRequest = (fields) => ({ jsonrpc: '2.0', method: methodOf(fields), ...fields });
const buildResult = buildRequest;

module.exports = { createRouter, buildRequest, buildResult, RpcError };
