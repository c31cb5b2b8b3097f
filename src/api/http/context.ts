/** The state that the middleware of one request share. */
import type Koa from 'koa';
import { getOwn } from '../../lib/getOwn.js';
import type { Entered } from '../../people/entered.js';
import type { Witness, CallerId } from '../../platform/security/witness.js';

export interface State {
  /** The caller's `x-request-id`, or one made here. */
  requestId: string;
  /** On the clock of `performance.now()`. */
  receivedAt: number;
  /** Id of the endpoint that matched; absent for an unknown path or a wrong method. */
  endpoint?: string;
  /** The path for logs, where the real one contains a secret. */
  shownPath?: string;
  /** Its refusals carry `success: false`. */
  isEnveloped?: boolean;
  /** The caller, once it is known. */
  caller?: CallerId;
  /** For endpoints with keys. */
  witness?: Witness;
  /** The person who is signed in, on endpoints for browsers, and its membership that the path names. */
  entered?: Entered | null;
  /** It is such an endpoint: no other sees a cookie. */
  readsCookies?: boolean;
  /** Checks again, on the account as it is now, whether the caller may call. */
  confirm?: () => Promise<void>;
  /** The parsed body; endpoints that declare an input have one. */
  body?: Record<string, unknown>;
  /** The error behind the answer, for the log. */
  failure?: Error;
}

export type Context = Koa.ParameterizedContext<State>;
export type Middleware = Koa.Middleware<State>;

/** The router leaves the named parts of the path on the context. */
type Routed = Context & { params?: Record<string, string> };

export const paramOf = (ctx: Context, name: string): string | undefined =>
  getOwn((ctx as Routed).params, name);

/**
 * The value of a cookie as it was sent; the first where several have the name.
 * A session's token is plain ASCII: nothing is decoded.
 */
export function cookieOf(ctx: Context, name: string): string | undefined {
  for (const pair of (ctx.req.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
