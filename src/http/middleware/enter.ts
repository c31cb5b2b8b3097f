/** The door of an endpoint: who calls is known before anything of the body is read, inflated or parsed. */
import { HANDED_OVER_BY_MS } from '../../intake/deadlines.js';
import type { KnownCaller } from '../../intake/callers.js';
import type { Context, Middleware } from '../context.js';
import type { HttpDeps } from '../deps.js';
import type { Endpoint, Enter } from '../endpoint.js';

type Door = Pick<Endpoint, 'who' | 'knownByMs'>;

/** Endpoints of the organization ask for themselves, with its actions; their bodies are read after that too. */
export function createEnter({ callers }: Pick<HttpDeps, 'callers'>): Enter {
  return (endpoint) => {
    if (endpoint.who === 'public') return [];
    const door: Middleware = async (ctx, next) => {
      const known = await knownBy(ctx, endpoint, callers);
      if (known) {
        ctx.state.caller = known.caller;
        ctx.state.confirm = () => known.confirm();
      }
      await next();
    };
    return [door];
  };
}

function knownBy(
  ctx: Context,
  { who, knownByMs = HANDED_OVER_BY_MS }: Door,
  callers: HttpDeps['callers'],
): Promise<KnownCaller> | undefined {
  const left = knownByMs - (performance.now() - ctx.state.receivedAt);
  if (who === 'supplier') return callers.supplier(given(ctx, 'x-api-key'), left);
  if (who === 'buyer') return callers.buyer(given(ctx, 'x-buyer-secret'), left);
  return undefined;
}

function given(ctx: Context, name: 'x-api-key' | 'x-buyer-secret'): string | undefined {
  const value = ctx.req.headers[name];
  return typeof value === 'string' ? value : undefined;
}
