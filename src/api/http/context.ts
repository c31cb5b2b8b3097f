/** What the middleware of one request hand to each other. */
import type Koa from 'koa';
import type { CallerId } from '../../platform/security/callerId.js';
import type { SignedIn } from '../../people/types.js';
import type { Witness } from '../../platform/security/witness.js';

export interface State {
  /** The caller's `x-request-id`, or one made here. */
  requestId: string;
  /** On the clock of `performance.now()`. */
  receivedAt: number;
  /** Id of the endpoint that matched; absent for an unknown path or a wrong method. */
  endpoint?: string;
  /** What logs show for the path, where that has a secret in it. */
  shownPath?: string;
  /** Its refusals carry `success: false`. */
  isEnveloped?: boolean;
  /** Who calls, once that is known. */
  caller?: CallerId;
  /** Of endpoints that have keys. */
  witness?: Witness;
  /** Who is signed in, on endpoints for browsers. */
  session?: SignedIn | null;
  /** It is such an endpoint: others see no cookie. */
  readsCookies?: boolean;
  /** Asks again, on the account as it is now, whether the caller may call. */
  confirm?: () => Promise<void>;
  /** The parsed body; endpoints that declare an input have one. */
  body?: Record<string, unknown>;
  /** What the answer was made from when something was thrown, for the log. */
  failure?: Error;
}

export type Context = Koa.ParameterizedContext<State>;
export type Middleware = Koa.Middleware<State>;
