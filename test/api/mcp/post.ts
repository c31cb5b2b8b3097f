/** Messages to an MCP endpoint as existing clients send them: without a handshake, one per request. */
import { send, type HttpReply } from '../../support/http.js';

const BOTH = 'application/json, text/event-stream';

export type Reply = Record<string, unknown> & {
  id: unknown;
  result: Record<string, unknown>;
  error: { code: number; message: string; data?: unknown };
};

export interface ToolReply extends Record<string, unknown> {
  content: { type: string; text: string }[];
  structuredContent: Record<string, unknown>;
  isError: boolean;
}

/**
 * @param body an object is sent as JSON, a string or bytes unchanged
 * @param query of the address, with its question mark
 */
export function postMcp(
  url: string,
  key: string | undefined,
  body: object | string | Buffer,
  headers: Record<string, string> = {},
  query = '',
): Promise<HttpReply> {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const authorization: Record<string, string> =
    key === undefined ? {} : { authorization: `Bearer ${key}` };
  return send(`${url}/mcp${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: BOTH, ...authorization, ...headers },
    body: isRaw ? body : JSON.stringify(body),
  });
}

/** Reads an answer as existing clients do: only the first line that begins with `data: `. */
export function replyOf({ text, json }: HttpReply): Reply {
  if (json) return json as Reply;
  const line = text.split('\n').find((one) => one.startsWith('data: '));
  if (line === undefined) throw new Error(`no data in ${text}`);
  return JSON.parse(line.slice('data: '.length)) as Reply;
}

export const toolOf = (reply: HttpReply): ToolReply => replyOf(reply).result as ToolReply;

/** The form of id that existing clients use: the clock, 13 digits. */
export const ID = 1_763_795_160_123;

export const toolCall = (name: string, input?: unknown, id: unknown = ID) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input },
});

/** A request of the stateless revision, with its headers. */
export function stateless(method: string, params: Record<string, unknown> = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const { name } = params;
  return {
    message: { jsonrpc: '2.0', id: ID, method, params: { ...params, _meta } },
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
  };
}
