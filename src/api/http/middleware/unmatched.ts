/** Requests without an endpoint: an unknown path is 404, a known one with another method 405 and `Allow`. */
import { AppError } from '../../../lib/errors.js';
import type { Middleware } from '../context.js';

/** The router leaves the layers whose path matched on the context. */
interface Routed {
  matched?: { path: string | RegExp; methods: string[] }[];
}

/** @param enveloped the paths whose errors have `success: false`, in the form of the endpoints */
export const unmatched =
  (enveloped: ReadonlySet<unknown>): Middleware =>
  (ctx) => {
    const { matched = [] } = ctx as Routed;
    if (matched.length === 0) {
      throw new AppError('not_found', `Nothing exists at ${ctx.path.slice(0, 200)}.`);
    }
    ctx.state.isEnveloped = matched.some(({ path }) => enveloped.has(path));
    const allow = [...new Set(matched.flatMap((layer) => layer.methods))].join(', ');
    throw new AppError('method_not_allowed', `${ctx.method} is not allowed here; use ${allow}.`, {
      headers: { allow },
    });
  };
