/** An endpoint is data; the router is built from a list of them. */
import type { Readable } from 'node:stream';
import Router from '@koa/router';
import type { z } from 'zod';
import { AppError, internal, type ErrorCode } from '../../lib/errors.js';
import type { FoundMembership } from '../../people/entered.js';
import type { SignedIn } from '../../people/types.js';
import { cookieOf, paramOf, type Context, type Middleware, type State } from './context.js';
import type { HttpDeps } from './deps.js';
import { body, readJson, readObject, readRaw } from './middleware/body.js';
import { retryAfterOf } from './errorBody.js';
import { dropUnread } from './readBytes.js';
import { isFormType } from './parseBody.js';
import { getOwn } from '../../lib/getOwn.js';
import type { Witness } from '../../platform/security/witness.js';
import { NO_WITNESS } from './witness.js';

/** The part of a request that an endpoint may see. */
export interface Call {
  /** The parsed body, not yet checked against `input`; empty when the endpoint declares none. */
  body: Record<string, unknown>;
  /**
   * Reads the JSON object of an endpoint that accepts one only from known callers; empty is `{}`.
   * @param max bytes; absent: as every endpoint
   */
  readObject(max?: number): Promise<Record<string, unknown>>;
  /** Reads the body as JSON, whatever value it is. */
  readJson(): Promise<unknown>;
  /** Reads the body as it came, such as an image; over `max` bytes `body_too_large`. */
  readBytes(max: number): Promise<Buffer>;
  /** The address of the caller: behind a trusted proxy, the one that the proxy saw. */
  ip: string;
  /** A cookie of an endpoint whose `auth` is `session` or `page`; every other endpoint has none. */
  cookie(name: string): string | undefined;
  /** The signed-in person: never null where `auth` is `session`, always null where it is neither that nor `page`. */
  session: SignedIn | null;
  /** The membership that the path names; null: it is not this person's, or the path names none. */
  membership: FoundMembership;
  /** A named part of the path. */
  param(name: string): string;
  /** A request header by its lower-case name, as it came. */
  header(name: string): string | undefined;
  /**
   * Media types of `Accept` that are not refused by a weight of 0, the preferred first; all of them without the header.
   */
  acceptedTypes(): readonly string[];
  /** The same for `Accept-Encoding`; it includes `identity` unless that is refused. */
  acceptedEncodings(): readonly string[];
  /** The parameters of the query, decoded. */
  query(): URLSearchParams;
  /** The body came as a form, whose values are all text. */
  isForm: boolean;
  /** On the clock of `performance.now()`. */
  receivedAt: number;
  /** The id of this request in the log and in its answer. */
  requestId: string;
  /** Receives the caller and refusals that the answer does not show. */
  witness: Witness;
  /** Calls back once: true when the answer was written, false when the connection broke first. */
  onClose(listener: (answered: boolean) => void): void;
}

export interface Reply {
  status: number;
  /** An object is sent as JSON; a text, a Buffer or a stream needs its `content-type` in `headers`. */
  body: object | string | Buffer | Readable;
  headers?: Record<string, string>;
  /** Whole values of `Set-Cookie`, each a header of its own. */
  cookies?: readonly string[];
}

export interface Endpoint<D = HttpDeps> {
  /** The operation id of the API description and the `endpoint` label of metrics. */
  id: string;
  method: 'get' | 'post';
  path: `/${string}`;
  summary: string;
  /** Whole sentences on what the summary leaves open, for the description of the API. */
  description: string;
  /** Its group there: a key of `src/api/openapi/tags.ts`. */
  tag: string;
  /**
   * Who may call. `session`: a signed-in person, from a page of this site. `page`: every browser; the endpoint may read
   * cookies, and a POST must come from a page of this site. Refusals of the organization's endpoints carry `success:
   * false` (contract 1.3).
   */
  auth: 'public' | 'supplier' | 'buyer' | 'organisation' | 'session' | 'page';
  /** A page of funnels, or a file of one: on their own host alone, where they have one. */
  site?: 'funnels';
  /** Shape of the body. It documents; the handler, which knows the campaign, does the checking. */
  input?: z.ZodType;
  /** The handler reads the body itself, with `readObject` or `readJson`. */
  readsBody?: true;
  /** Milliseconds after arrival by which the caller must be known (default 2,700). */
  knownByMs?: number;
  /** The named parts of the path. They document. */
  params?: z.ZodObject;
  /** Shape of the query's parameters. It documents too. */
  query?: z.ZodObject;
  /** Request headers it reads in addition to keys and those of every request. They document. */
  headers?: z.ZodObject;
  /** Media type of the answers; default JSON. */
  produces?: string;
  /** Its answers are also sent as an event stream, to clients that accept one. */
  streams?: true;
  /** Shape of the answer's body by status; `z.void()` for an answer without a body. */
  outputs: Record<number, z.ZodType>;
  /** Headers of these answers in addition to those of every answer. */
  answerHeaders?: readonly ('ETag' | 'IdempotentReplayed')[];
  /** Refusals in addition to those of every endpoint. */
  errors: readonly ErrorCode[];
  handle(call: Call, deps: D): Promise<Reply>;
  /** Shows a refusal in a form of its own, such as a page; absent: in JSON, as every refusal. */
  refuse?(error: AppError, call: Call): Reply | Promise<Reply>;
}

/** Runs between the choice of an endpoint and the reading of a body: identifies the caller. */
export type Authenticate = (
  endpoint: Pick<Endpoint, 'auth' | 'knownByMs' | 'path' | 'site'>,
) => Middleware[];

export function createRouter<D>(
  endpoints: readonly Endpoint<D>[],
  deps: D,
  enter: Authenticate = () => [],
): Router<State> {
  const router = new Router<State>();
  for (const endpoint of endpoints) {
    const answer = async (ctx: Context): Promise<void> => {
      send(ctx, await endpoint.handle(callOf(ctx), deps));
    };
    const refusing = endpoint.refuse
      ? [refused((error, call) => endpoint.refuse?.(error, call))]
      : [];
    const name = (ctx: Context, next: () => Promise<void>): Promise<void> => {
      ctx.state.endpoint = endpoint.id;
      if (endpoint.path.includes('/:token')) ctx.state.shownPath = endpoint.path;
      ctx.state.isEnveloped = isEnveloped(endpoint);
      return next();
    };
    const reading = endpoint.input && !endpoint.readsBody ? [body] : [];
    router[endpoint.method](
      endpoint.path,
      name,
      ...refusing,
      ...enter(endpoint),
      ...reading,
      answer,
    );
  }
  return router;
}

/** Errors of the Actions API have `success: false`. */
export const isEnveloped = ({ auth }: Pick<Endpoint<never>, 'auth'>): boolean =>
  auth === 'organisation';

/** Answers with it. */
export function send(ctx: Context, reply: Reply): void {
  ctx.status = reply.status;
  if (reply.headers) ctx.set(reply.headers);
  for (const cookie of reply.cookies ?? []) ctx.append('set-cookie', cookie);
  ctx.body = reply.body;
}

function refused(
  show: (error: AppError, call: Call) => Reply | Promise<Reply> | undefined,
): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = thrown instanceof AppError ? thrown : internal(thrown);
      const reply = await show(error, callOf(ctx));
      if (!reply) throw thrown;
      const retryAfter = retryAfterOf(error);
      if (retryAfter !== undefined) ctx.set('retry-after', String(retryAfter));
      ctx.state.failure = error;
      send(ctx, reply);
      dropUnread(ctx.req);
    }
  };
}

export function callOf(ctx: Context): Call {
  const { res } = ctx;
  return {
    body: ctx.state.body ?? {},
    readObject: (max) => readObject(ctx, max),
    readJson: () => readJson(ctx),
    readBytes: (max) => readRaw(ctx, max),
    ip: ctx.ip,
    cookie: (name) => (ctx.state.readsCookies === true ? cookieOf(ctx, name) : undefined),
    session: ctx.state.entered?.signedIn ?? null,
    membership: ctx.state.entered?.membership ?? null,
    param: (name) => paramOf(ctx, name) ?? '',
    header(name) {
      if (name === 'cookie') return undefined;
      const value = getOwn(ctx.req.headers, name);
      return typeof value === 'string' ? value : undefined;
    },
    acceptedTypes: () => ctx.accepts(),
    acceptedEncodings: () => ctx.acceptsEncodings(),
    isForm: isFormType(ctx.req.headers['content-type'] ?? ''),
    query: () => new URLSearchParams(ctx.querystring),
    receivedAt: ctx.state.receivedAt,
    requestId: ctx.state.requestId,
    witness: ctx.state.witness ?? NO_WITNESS,
    onClose(listener) {
      if (res.destroyed) listener(false);
      else res.once('close', () => listener(res.headersSent && res.writableFinished));
    },
  };
}
