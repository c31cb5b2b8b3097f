/** `POST /mcp`: the actions as tools for assistants, over Streamable HTTP (contract 11.1). */
import { z } from 'zod';
import { answerMcp, type McpAnswer } from './answer.js';
import { McpFault, McpInput, McpNothing, McpReplies } from '../schemas/mcp.js';
import type { HttpDeps } from '../http/deps.js';
import type { Call, Endpoint, Reply } from '../http/endpoint.js';
import { AppError } from '../../lib/errors.js';

/** For clients whose address cannot have a query. */
const TOOLSETS_HEADER = 'X-MCP-Toolsets';

const Toolsets = z.string().meta({
  description:
    'Lists only these groups of tools, with commas between: the nouns of the commands. All tools may be called in any case',
  examples: ['leads,reports'],
});

export const mcp: Endpoint = {
  id: 'mcp',
  method: 'post',
  path: '/mcp',
  summary: 'The actions as tools of the Model Context Protocol, for AI assistants',
  description:
    'JSON-RPC 2.0 over Streamable HTTP, without sessions: `tools/list` returns the actions that the key may run, ' +
    'with their inputs abbreviated; `tools/call` runs one, and `describe_action` shows one with the schemas shown here. A ' +
    'refused action is a result with `isError`. A web page may call only from an origin that the installation allows.',
  tag: 'api',
  auth: 'organisation',
  query: z.object({ tools: Toolsets.optional() }),
  headers: z.object({ [TOOLSETS_HEADER]: Toolsets.optional() }),
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
    const toolsets = call.query().get('tools') ?? call.header(TOOLSETS_HEADER.toLowerCase());
    const answer = await answerMcp({ ...call, toolsets }, { actions, log });
    return present(answer, call.acceptedTypes());
  },
};

/** Answers a valid request by server-sent events (HTML, section 9.2), all at once, if the client accepts streams, otherwise by JSON. */
function present({ status, headers, body }: McpAnswer, accepted: readonly string[]): Reply {
  const plain = { ...headers, 'cache-control': 'no-store' };
  if (body === null) return { status, headers: plain, body: '' };
  if (status !== 200 || !acceptsEvents(accepted)) return { status, headers: plain, body };
  const text = eventsOf(Array.isArray(body) ? body : [body]);
  return { status, headers: { ...headers, ...EVENT_STREAM_HEADERS }, body: text };
}

/** Whether the caller names event streams among the types it accepts; a wildcard is not enough. */
const acceptsEvents = (types: readonly string[]): boolean =>
  types.some((type) => type.toLowerCase() === EVENT_STREAM);

const EVENT_STREAM = 'text/event-stream';

const EVENT_STREAM_HEADERS = {
  'content-type': `${EVENT_STREAM}; charset=utf-8`,
  'cache-control': 'no-store, no-transform',
  // nginx would hold the events back otherwise.
  'x-accel-buffering': 'no',
};

/**
 * One event for each message. They are pure ASCII: some clients read a text type without a charset as Latin-1, and
 * some end a line at U+0085 or U+2028.
 */
const eventsOf = (messages: readonly object[]): string =>
  messages.map((message) => `event: message\ndata: ${asciiJson(message)}\n\n`).join('');

const asciiJson = (value: object): string =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Hosts of pages that this machine serves itself. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Which web pages may call (MCP, "Security Warning" of the Streamable HTTP transport): the Origin distinguishes our
 * pages from one that has pointed its own name at this machine (DNS rebinding).
 * Programs send no Origin, and applications one that no web page can have (`vscode-file://…`): both pass.
 * @param allowed origins such as `https://chat.example.com`
 * @throws {AppError} `forbidden` for any other web page
 */
function checkOrigin(origin: string | undefined, allowed: readonly string[]): void {
  if (origin === undefined || allowed.includes(origin.toLowerCase())) return;
  const url = URL.canParse(origin) ? new URL(origin) : null;
  const isPage = url === null || url.protocol === 'http:' || url.protocol === 'https:';
  if (!isPage || (url !== null && LOOPBACK.includes(url.hostname))) return;
  throw new AppError(
    'forbidden',
    `Pages of ${origin.slice(0, 200)} may not call this. The operator of the service can allow them with MCP_ORIGINS.`,
  );
}
