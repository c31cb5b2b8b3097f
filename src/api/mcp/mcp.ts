/** `POST /mcp`: the actions as tools for assistants, over Streamable HTTP (contract 11.1). */
import { answerMcp, type McpAnswer } from './answer.js';
import { McpFault, McpInput, McpNothing, McpReplies } from '../schemas/mcp.js';
import type { HttpDeps } from '../http/deps.js';
import type { Call, Endpoint, Reply } from '../http/endpoint.js';
import { acceptsEvents, EVENT_STREAM_HEADERS, eventsOf } from '../http/eventStream.js';
import { checkOrigin } from '../http/origin.js';

export const mcp: Endpoint = {
  id: 'mcp',
  method: 'post',
  path: '/mcp',
  summary: 'The actions as tools of the Model Context Protocol, for AI assistants',
  description:
    'JSON-RPC 2.0 over Streamable HTTP, without sessions: `tools/list` returns the actions that the key may run, ' +
    'with the schemas shown here, and `tools/call` runs one. A refused action is a result with `isError`. A web page ' +
    'may call only from an origin that the installation allows.',
  tag: 'api',
  auth: 'organisation',
  input: McpInput,
  readsBody: true,
  streams: true,
  outputs: { 200: McpReplies, 202: McpNothing, 400: McpFault, 404: McpFault },
  errors: [
    'unauthorized',
    'forbidden',
    'body_too_large',
    'unsupported_media_type',
    'rate_limited',
    'unavailable',
  ],
  async handle(
    call: Call,
    { actions, log, origins }: Pick<HttpDeps, 'actions' | 'log' | 'origins'>,
  ): Promise<Reply> {
    checkOrigin(call.header('origin'), origins);
    return present(await answerMcp(call, { actions, log }), call.acceptedTypes());
  },
};

/** Answers a valid request by a stream of one event if the client accepts streams, otherwise by JSON. */
function present({ status, headers, body }: McpAnswer, accepted: readonly string[]): Reply {
  const own = { ...headers, 'cache-control': 'no-store' };
  if (body === null) return { status, headers: own, body: '' };
  if (status !== 200 || !acceptsEvents(accepted)) return { status, headers: own, body };
  const text = eventsOf(Array.isArray(body) ? body : [body]);
  return { status, headers: { ...headers, ...EVENT_STREAM_HEADERS }, body: text };
}
