/**
 * Where funnels have a host of their own, their pages, which tenants design and third parties' scripts run in, are served
 * there alone, and the pages of people elsewhere alone: the browser then keeps the two apart. The API answers on every host.
 */
import { AppError } from '../../../lib/errors.js';
import { isLoopback } from '../../../lib/loopback.js';
import { hasBrowserDoor } from '../browserDoor.js';
import type { Context, Middleware } from '../context.js';
import type { Endpoint } from '../endpoint.js';

export interface Sites {
  /** The address of funnels where no other page has its host; null: they are served with the other pages. */
  ownFunnelsUrl: string | null;
  /** The address of the pages of people, where it is set. */
  baseUrl: string | undefined;
}

export function ownHost(
  endpoint: Pick<Endpoint, 'auth' | 'site'>,
  { ownFunnelsUrl, baseUrl }: Sites,
): Middleware[] {
  if (ownFunnelsUrl === null) return [];
  if (endpoint.site === 'funnels') return [onHostOf(ownFunnelsUrl)];
  return hasBrowserDoor(endpoint) ? [awayFrom(ownFunnelsUrl, baseUrl)] : [];
}

/** Redirects addresses that were published before funnels had their host. */
const onHostOf =
  (site: string): Middleware =>
  (ctx, next) => {
    if (isAt(ctx, site)) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw nothingAt(ctx);
    ctx.set('cache-control', 'no-store');
    ctx.redirect(new URL(ctx.url, new URL(site).origin).href);
    ctx.status = 308;
    return Promise.resolve();
  };

const awayFrom =
  (funnels: string, baseUrl: string | undefined): Middleware =>
  (ctx, next) => {
    if (isAt(ctx, funnels)) throw nothingAt(ctx);
    const isHere = baseUrl === undefined || isAt(ctx, baseUrl) || isOwnMachine(ctx);
    if (isHere) return next();
    throw nothingAt(ctx);
  };

/** Whether the request names this host; the port of the scheme may be written out. */
function isAt(ctx: Context, site: string): boolean {
  const { protocol, host } = new URL(site);
  const requested = `${protocol}//${ctx.host}`;
  return URL.canParse(requested) && new URL(requested).host === host;
}

const isOwnMachine = (ctx: Context): boolean => isLoopback(ctx.hostname.replace(/^\[|\]$/g, ''));

/** As for every path without an endpoint. */
const nothingAt = (ctx: Context): AppError =>
  new AppError('not_found', `Nothing exists at ${ctx.path.slice(0, 200)}.`);
