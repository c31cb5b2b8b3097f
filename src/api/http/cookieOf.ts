import type { Context } from './context.js';

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
