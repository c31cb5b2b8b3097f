/**
 * What browsers may do with an answer. By default it is data: browsers read it as the type in its header (`nosniff`,
 * Fetch standard), no cache keeps it, and if one is opened as a page, it runs nothing, loads nothing and is in no
 * frame. Pages and files set other headers themselves.
 */
import type { Middleware } from '../context.js';

const ONE_YEAR_SECONDS = 31_536_000;

/** A browser that came by HTTPS keeps to HTTPS, for names below this one too (RFC 6797). */
export const STAY_WITH_HTTPS: readonly [name: string, value: string] = [
  'strict-transport-security',
  `max-age=${ONE_YEAR_SECONDS}; includeSubDomains`,
];

export const DATA_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

export const browserHeaders: Middleware = (ctx, next) => {
  ctx.set(DATA_HEADERS);
  if (ctx.secure) ctx.set(...STAY_WITH_HTTPS);
  return next();
};
