/** An endpoint is data; the router is built from a list of them. */
import Router from '@koa/router';
import type { z } from 'zod';
import type { ErrorCode } from '../../lib/errors.js';
import type { Context, Middleware, State } from './context.js';
import type { HttpDeps } from './deps.js';
import { body, readJson, readObject } from './middleware/body.js';
import { isFormType } from './parseBody.js';
import { getOwn } from '../../lib/getOwn.js';
import type { Witness } from '../../platform/security/witness.js';
import { NO_WITNESS } from './witness.js';

/** The part of a request that an endpoint may see. */
export interface Call {
  /** The parsed body, not yet checked against `input`; empty when the endpoint declares none. */
  body: Record<string, unknown>;
  /** Reads the JSON object of an endpoint that takes it only from callers it knows; empty is `{}`. */
  readObject(): Promise<Record<string, unknown>>;
  /** Reads the body as JSON, whatever value it is. */
  readJson(): Promise<unknown>;
  /** A part of the path that has a name. */
  param(name: string): string;
  /** A request header by its lower-case name, as it came. */
  header(name: string): string | undefined;
  /** Media types of `Accept` that are not refused by a weight of 0, the most wanted first; all of them without the header. */
  acceptedTypes(): readonly string[];
  /** The same of `Accept-Encoding`; `identity` is one of them unless it is refused. */
  acceptedEncodings(): readonly string[];
  /** The parameters of the query, decoded. */
  query(): URLSearchParams;
  /** The body came as a form, whose values are all text. */
  isForm: boolean;
  /** On the clock of `performance.now()`. */
  receivedAt: number;
  /** Under which the log speaks of this request, and its answer names it. */
  requestId: string;
  /** Told who calls and what is refused, where the answer does not say it. */
  witness: Witness;
  /** Calls back once: true when the answer was written, false when the connection broke first. */
  onClose(listener: (answered: boolean) => void): void;
}

export interface Reply {
  status: number;
  /** An object is sent as JSON; a text or a Buffer needs its `content-type` in `headers`. */
  body: object | string;
  headers?: Record<string, string> | undefined;
}

export interface Endpoint<D = HttpDeps> {
  /** The operation id of the API description and the `endpoint` label of metrics. */
  id: string;
  method: 'get' | 'post';
  path: `/${string}`;
  summary: string;
  /** Whole sentences on what the summary leaves open, for the description of the API. */
  description: string;
  /** What it is listed under there: a key of `src/api/openapi/tags.ts`. */
  tag: string;
  /** Refusals of the organization's endpoints carry `success: false` (contract 1.3). */
  auth: 'public' | 'supplier' | 'buyer' | 'organisation';
  /** Shape of the body. It documents; the handler, which knows the campaign, does the checking. */
  input?: z.ZodType;
  /** The handler reads the body itself, with `readObject` or `readJson`. */
  readsBody?: true;
  /** Who calls must be known by so many milliseconds after the arrival; 2,700 where nothing is said. */
  knownByMs?: number;
  /** The parts of the path that have a name. They document. */
  params?: z.ZodObject;
  /** Shape of the query's parameters. It documents too. */
  query?: z.ZodObject;
  /** Request headers it reads beside keys and those of every request. They document. */
  headers?: z.ZodObject;
  /** Media type of the answers; default JSON. */
  produces?: string;
  /** Its answers come as an event stream too, to those who accept one. */
  streams?: true;
  /** Shape of the answer's body by status; `z.void()` for an answer without a body. */
  outputs: Record<number, z.ZodType>;
  /** Headers of these answers beside those of every answer. */
  answerHeaders?: readonly ('ETag' | 'IdempotentReplayed')[];
  /** Refusals beside those every endpoint can give. */
  errors: readonly ErrorCode[];
  handle(call: Call, deps: D): Promise<Reply>;
}

/** What comes between the choice of an endpoint and the reading of a body: who calls. */
export type Authenticate = (
  endpoint: Pick<Endpoint, 'auth' | 'knownByMs' | 'path'>,
) => Middleware[];

export function createRouter<D>(
  endpoints: readonly Endpoint<D>[],
  deps: D,
  enter: Authenticate = () => [],
): Router<State> {
  const router = new Router<State>();
  for (const endpoint of endpoints) {
    const answer = async (ctx: Context): Promise<void> => {
      const reply = await endpoint.handle(callOf(ctx), deps);
      ctx.status = reply.status;
      if (reply.headers) ctx.set(reply.headers);
      ctx.body = reply.body;
    };
    const name = (ctx: Context, next: () => Promise<void>): Promise<void> => {
      ctx.state.endpoint = endpoint.id;
      ctx.state.isEnveloped = endpoint.auth === 'organisation';
      return next();
    };
    const reading = endpoint.input && !endpoint.readsBody ? [body] : [];
    router[endpoint.method](endpoint.path, name, ...enter(endpoint), ...reading, answer);
  }
  return router;
}

/** The router leaves the named parts of the path on the context. */
type Routed = Context & { params?: Record<string, string> };

function callOf(ctx: Context): Call {
  const { res } = ctx;
  return {
    body: ctx.state.body ?? {},
    readObject: () => readObject(ctx),
    readJson: () => readJson(ctx),
    param: (name) => getOwn((ctx as Routed).params, name) ?? '',
    header(name) {
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
