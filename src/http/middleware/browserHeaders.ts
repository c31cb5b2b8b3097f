/**
 * Headers that keep browsers from guessing: an answer is what its type says (`nosniff`, Fetch standard), and who came
 * by HTTPS once comes by HTTPS (RFC 6797).
 */
import type { Middleware } from '../context.js';

const ONE_YEAR_SECONDS = 31_536_000;

export const browserHeaders: Middleware = (ctx, next) => {
  ctx.set('x-content-type-options', 'nosniff');
  if (ctx.secure) ctx.set('strict-transport-security', `max-age=${ONE_YEAR_SECONDS}`);
  return next();
};
