/** One POST to the MCP endpoint: the caller, the request and the answer, independent of the transport. */
import type { ActionService, KeySession } from '../actions/service.js';
import { AppError, internal } from '../../lib/errors.js';
import { retryAfterOf } from '../http/errorBody.js';
import type { Log } from '../../lib/log.js';
import type { Witness } from '../../platform/security/witness.js';
import { idOf, readMessage, type Id, type RpcRequest } from './message.js';
import { readRequest, stamped, type Asked } from './methods.js';
import { BATCH_VERSIONS, RPC, RpcError } from './protocol.js';
import { readEra, requireKnown, type Headers } from './revision.js';
import { done, refused, type ToolResult } from './toolResult.js';

export interface McpPost {
  header: Headers;
  /** The JSON of the body, of any kind. @throws {AppError} when it is none */
  readJson(): Promise<unknown>;
  requestId: string;
  /** The groups of tools that the address or a header names; undefined: all. */
  toolsets: string | undefined;
  /** Notified of tools that are refused: the answer as a whole is no refusal. */
  witness: Witness;
}

export interface McpAnswer {
  status: number;
  headers: Record<string, string>;
  /** One answer, those of a batch, or null when no message requires one. */
  body: Reply | Reply[] | null;
}

export interface McpDeps {
  actions: {
    open: (...caller: Parameters<ActionService['open']>) => Promise<KeySession>;
  };
  log: Log;
}

interface Exchange extends McpPost, McpDeps {
  session: KeySession;
}

type Reply = { jsonrpc: '2.0'; id: Id | null } & ({ result: object } | { error: object });

interface Answered {
  status: number;
  headers: Record<string, string>;
  /** null: no reply is sent. */
  reply: Reply | null;
}

/** As many as a key may write in a minute. */
const BATCH_MAX = 30;

/**
 * Every message of a known key counts toward its limits, refused ones too. Nothing is remembered between
 * two posts, so that no handshake is needed and equal ids never meet.
 * @throws {AppError} `unauthorized`, `rate_limited` where no tool is called, `unavailable`, and faults of the body as
 * such
 */
export async function answerMcp(post: McpPost, deps: McpDeps): Promise<McpAnswer> {
  const session = await deps.actions.open(post.header('authorization'), post.witness);
  const exchange: Exchange = { ...post, ...deps, session };
  const body = await read(exchange);
  if (body instanceof RpcError) return refuse(body, null, session).then(whole);
  if (Array.isArray(body)) return answerBatch(body, exchange);
  return whole(await answerOne(body, exchange));
}

async function read(exchange: Exchange): Promise<unknown> {
  try {
    return await exchange.readJson();
  } catch (error) {
    const isJsonless = error instanceof AppError && error.code === 'malformed_body';
    if (isJsonless) return new RpcError(RPC.parseError, error.message, { status: 400 });
    await exchange.session.count();
    throw error;
  }
}

async function answerBatch(batch: unknown[], exchange: Exchange): Promise<McpAnswer> {
  const fault = faultOf(batch, exchange.header);
  if (fault) return whole(await refuse(fault, null, exchange.session));
  const answers: Answered[] = [];
  // One after the other: later messages of a batch may build on earlier ones.
  for (const member of batch) answers.push(await answerMember(member, exchange));
  const headers = Object.assign({}, ...answers.map((one) => one.headers)) as McpAnswer['headers'];
  const replies = answers.flatMap(({ reply }) => reply ?? []);
  return replies.length === 0
    ? { status: 202, headers, body: null }
    : { status: 200, headers, body: replies };
}

function faultOf(batch: unknown[], header: Headers): RpcError | undefined {
  const version = header('mcp-protocol-version')?.trim();
  const fault = (message: string) => new RpcError(RPC.invalidRequest, message, { status: 400 });
  try {
    requireKnown(version);
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
  if (version !== undefined && !BATCH_VERSIONS.includes(version)) {
    return fault(`${version} does not support batches; send one message at a time.`);
  }
  if (batch.length === 0) return fault('A batch must have a message.');
  if (batch.length <= BATCH_MAX) return undefined;
  return fault(`A batch may have at most ${BATCH_MAX} messages; this one has ${batch.length}.`);
}

/** A member over the limit does not hide the results of the others. */
async function answerMember(member: unknown, exchange: Exchange): Promise<Answered> {
  try {
    return await answerOne(member, exchange);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    exchange.witness.refused(error);
    const { code, message, extras } = error;
    const data = { code, retry_after: retryAfterOf(error) };
    const fault = new RpcError(RPC.refused, message, { data });
    return { status: 200, headers: extras.headers ?? {}, reply: replyOf(idOf(member), fault) };
  }
}

async function answerOne(value: unknown, exchange: Exchange): Promise<Answered> {
  const { session, header } = exchange;
  try {
    const message = readMessage(value);
    if (message.kind !== 'request') {
      return { status: 202, headers: await session.count(), reply: null };
    }
    const era = readEra(message, header);
    const { result, headers } = await perform(await readRequest(message, era, exchange), exchange);
    return {
      status: 200,
      headers,
      reply: okay(message, era === 'stateless' ? stamped(result) : result),
    };
  } catch (error) {
    if (error instanceof RpcError) return refuse(error, idOf(value), session);
    throw error;
  }
}

interface Performed {
  result: object;
  headers: Record<string, string>;
}

async function perform(asked: Asked, exchange: Exchange): Promise<Performed> {
  const { session } = exchange;
  if ('result' in asked) return { result: asked.result, headers: await session.count() };
  if ('refusal' in asked) {
    const headers = await session.count();
    return { ...failed(asked.refusal, asked.tool, exchange), headers };
  }
  try {
    const { headers, ...answer } = await asked.run();
    return { result: done(answer), headers };
  } catch (thrown) {
    return failed(thrown, asked.tool, exchange);
  }
}

/** The refusal of a tool is its result, which assistants read; they may never see a protocol error. */
function failed(thrown: unknown, tool: string, exchange: Exchange): Performed {
  const { log, requestId, witness } = exchange;
  const error = thrown instanceof AppError ? thrown : internal(thrown);
  witness.refused(error);
  if (error.status >= 500) {
    log.warn({ request_id: requestId, tool, err: error.extras.cause ?? error }, 'tool failed');
  }
  const result: ToolResult = refused(error, tool, requestId);
  const seconds = retryAfterOf(error);
  const wait = seconds === undefined ? undefined : { 'retry-after': String(seconds) };
  return { result, headers: { ...error.extras.headers, ...wait } };
}

/** Refused requests count as well. */
async function refuse(error: RpcError, id: Id | null, session: KeySession): Promise<Answered> {
  return { status: error.status, headers: await session.count(), reply: replyOf(id, error) };
}

const okay = ({ id }: RpcRequest, result: object): Reply => ({ jsonrpc: '2.0', id, result });

const replyOf = (id: Id | null, { code, message, data }: RpcError): Reply => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, data },
});

const whole = ({ status, headers, reply }: Answered): McpAnswer => ({
  status,
  headers,
  body: reply,
});
