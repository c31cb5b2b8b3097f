/**
 * Authenticates requests from browsers: the cookie identifies the person, and a request that changes something must
 * come from a page of this site. Endpoints for programs authenticate otherwise, and never see a cookie.
 */
import { AppError } from '../../lib/errors.js';
import { isLoopback } from '../../lib/loopback.js';
import { orUnavailable } from '../../platform/mongo/databaseErrors.js';
import { SESSION_COOKIE } from '../../people/types.js';
import { cookieOf, paramOf, type Context, type Middleware } from './context.js';
import type { HttpDeps } from './deps.js';
import type { Endpoint } from './endpoint.js';

type DoorDeps = Pick<HttpDeps, 'people' | 'baseUrl'>;

export const hasBrowserDoor = ({ auth }: Pick<Endpoint, 'auth'>): boolean =>
  auth === 'session' || auth === 'page';

export function browserDoor(
  endpoint: Pick<Endpoint, 'auth'>,
  { people, baseUrl }: DoorDeps,
): Middleware {
  return async (ctx, next) => {
    if (endpoint.auth === 'page') requireSecure(ctx);
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') requireOwnPage(ctx, baseUrl);
    ctx.state.readsCookies = true;
    const token = cookieOf(ctx, SESSION_COOKIE);
    const unread = orUnavailable(
      'Who is signed in cannot be read now: the database (MongoDB) does not answer. Try again.',
    );
    const membershipId = endpoint.auth === 'session' ? paramOf(ctx, 'membership') : undefined;
    ctx.state.entered = await people.enter(token, membershipId).catch(unread);
    if (endpoint.auth === 'session' && ctx.state.entered === null) throw signInFirst();
    await next().catch(orUnavailable('The database (MongoDB) does not answer now. Try again.'));
  };
}

const signInFirst = (): AppError =>
  new AppError(
    'unauthorized',
    'You are not signed in here, or the session has ended. Sign in again.',
  );

/**
 * Browsers keep the session cookie only over HTTPS and for their own machine: over plain HTTP no person could sign in.
 */
function requireSecure(ctx: Context): void {
  if (ctx.secure || isLoopback(ctx.hostname.replace(/^\[|\]$/g, ''))) return;
  throw new AppError(
    'forbidden',
    'This page needs HTTPS: open it by https://, or on the machine itself as http://localhost. The operator of the ' +
      'service sets TLS_CERT and TLS_KEY, or TRUST_PROXY behind a proxy that speaks HTTPS.',
  );
}

/**
 * Browsers state which site a request comes from (Fetch Metadata); older ones name the page's origin.
 * @throws {AppError} `forbidden` for a request from a page of another site, and for one with neither header
 */
function requireOwnPage(ctx: Context, baseUrl: string | undefined): void {
  const { origin } = ctx.req.headers;
  const site = ctx.get('sec-fetch-site');
  if (site === '' ? isOwnOrigin(origin, ctx, baseUrl) : site === 'same-origin') return;
  throw new AppError(
    'forbidden',
    'This request does not come from a page of this site. Open the page here, and try it again.',
  );
}

function isOwnOrigin(
  origin: string | undefined,
  ctx: Context,
  baseUrl: string | undefined,
): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  const given = new URL(origin);
  if (baseUrl !== undefined && given.origin === new URL(baseUrl).origin) return true;
  return given.host === ctx.host && given.protocol === `${ctx.protocol}:`;
}
