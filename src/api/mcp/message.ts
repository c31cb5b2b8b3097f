/** Messages of JSON-RPC 2.0, within the limits of MCP. */
import { kindOf } from '../http/parseBody.js';
import { RPC, RpcError } from './protocol.js';

export type Id = string | number;

export interface RpcRequest {
  kind: 'request';
  id: Id;
  method: string;
  params: Record<string, unknown>;
}

export type Message = RpcRequest | { kind: 'notification' } | { kind: 'response' };

/** @throws {RpcError} -32600 for a value that is no message, -32602 for params that are no object */
export function readMessage(value: unknown): Message {
  if (!isObject(value)) throw invalid(`A message must be a JSON object; this is ${kindOf(value)}.`);
  if (value.jsonrpc !== '2.0') throw invalid('jsonrpc must be "2.0".');
  if (value.method === undefined) {
    if ('result' in value || 'error' in value) return { kind: 'response' };
    throw invalid('method is missing, such as "tools/list" or "tools/call".');
  }
  if (typeof value.method !== 'string') throw invalid('method must be a text.');
  const params = readParams(value.params);
  if (!('id' in value)) return { kind: 'notification' };
  return { kind: 'request', id: readId(value.id), method: value.method, params };
}

/** The id to answer with when the message as a whole is invalid; null where it has none that can be repeated. */
export const idOf = (value: unknown): Id | null =>
  isObject(value) && isId(value.id) ? value.id : null;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readId(value: unknown): Id {
  if (isId(value)) return value;
  // A larger number would come back as another one, and its sender would wait for ever.
  if (typeof value === 'number') throw invalid('id must be a number up to 2^53 - 1, or a text.');
  throw invalid(`id must be a text or a number; it is ${kindOf(value)}.`);
}

const isId = (value: unknown): value is Id =>
  typeof value === 'string' ||
  (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER);

function readParams(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  const message = `params must be an object; it is ${kindOf(value)}.`;
  throw new RpcError(RPC.invalidParams, message, { status: 400 });
}

const invalid = (message: string): RpcError =>
  new RpcError(RPC.invalidRequest, message, { status: 400 });
