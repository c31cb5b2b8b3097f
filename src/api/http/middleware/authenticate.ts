/**
 * Authenticates requests to endpoints with keys: it limits failures per address and identifies the caller before the
 * body is read, inflated or parsed. It reports refusals to the security log.
 */
import { hashKey, isWellFormedKey, bearerOf } from '../../../platform/security/keys.js';
import { AppError } from '../../../lib/errors.js';
import { GROUPED_BY_MS } from '../../../ingest/deadlines.js';
import type { KnownCaller } from '../../../ingest/callers.js';
import { isBuyerSecret } from '../../../account/access/requirePartner.js';
import { createArrivals, type Arrivals } from '../../../platform/security/witness.js';
import { addressGroup } from '../../../platform/security/addressGroup.js';
import type { Gate } from '../../../platform/security/gate.js';
import { browserDoor, hasBrowserDoor } from '../browserDoor.js';
import type { Context, Middleware } from '../context.js';
import type { HttpDeps } from '../deps.js';
import type { Endpoint, Authenticate } from '../endpoint.js';
import { createWitness } from '../witness.js';

type AuthScheme = Pick<Endpoint, 'auth' | 'knownByMs' | 'path'>;

type AuthenticateDeps = Pick<HttpDeps, 'callers' | 'gate' | 'security' | 'people' | 'baseUrl'>;
type Settle = ReturnType<Gate['admit']>;

export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const arrivals = createArrivals();
  return (endpoint) => {
    if (endpoint.auth === 'public') return [];
    if (endpoint.auth === 'session')
      return [witnessed(endpoint, { ...deps, arrivals }), browserDoor(endpoint, deps)];
    if (hasBrowserDoor(endpoint)) return [browserDoor(endpoint, deps)];
    return [schemeOf(endpoint, { ...deps, arrivals })];
  };
}

/** Reports what a person was refused to the security log; an expired session is not reported. */
function witnessed(
  { path }: AuthScheme,
  deps: Pick<HttpDeps, 'security'> & { arrivals: Arrivals },
): Middleware {
  return async (ctx, next) => {
    const seen = { ctx, address: addressGroup(ctx.ip), route: path };
    const witness = createWitness(seen, deps, () => undefined);
    ctx.state.witness = witness;
    try {
      await next();
    } catch (error) {
      if (ctx.state.caller && error instanceof AppError) witness.refused(error);
      throw error;
    }
  };
}

function schemeOf(
  endpoint: AuthScheme,
  {
    callers,
    gate,
    security,
    arrivals,
  }: Pick<HttpDeps, 'callers' | 'gate' | 'security'> & {
    arrivals: Arrivals;
  },
): Middleware {
  return async (ctx, next) => {
    const address = addressGroup(ctx.ip);
    const seen = { ctx, address, route: endpoint.path };
    let settle: Settle = () => undefined;
    const witness = createWitness(seen, { security, arrivals }, () => settle('passed'));
    ctx.state.witness = witness;
    try {
      settle = gate.admit({ address, credential: credentialOf(ctx, endpoint) });
      const known = await knownBy(ctx, endpoint, callers);
      if (known) {
        witness.known(known.caller);
        ctx.state.confirm = () => known.confirm();
      }
      await next();
    } catch (error) {
      if (error instanceof AppError) witness.refused(error);
      if (error instanceof AppError && error.code === 'unauthorized') settle('failed');
      throw error;
    } finally {
      if (ctx.state.caller === undefined) settle('open');
    }
  };
}

/**
 * The organization's endpoints identify their caller themselves, in the action service, and read the body after that.
 */
function knownBy(
  ctx: Context,
  { auth, knownByMs = GROUPED_BY_MS }: AuthScheme,
  callers: HttpDeps['callers'],
): Promise<KnownCaller> | undefined {
  const left = knownByMs - (performance.now() - ctx.state.receivedAt);
  if (auth === 'supplier') return callers.supplier(given(ctx, 'x-api-key'), left);
  if (auth === 'buyer') return callers.buyer(given(ctx, 'x-buyer-secret'), left);
  return undefined;
}

/** The hash of the text sent as a key; null when it does not have the form of a key. */
function credentialOf(ctx: Context, { auth }: AuthScheme): string | null {
  const key = sentKey(ctx, auth);
  const isFormed =
    key !== undefined && (auth === 'buyer' ? isBuyerSecret(key) : isWellFormedKey(key));
  return isFormed ? `${auth}:${hashKey(key)}` : null;
}

function sentKey(ctx: Context, who: AuthScheme['auth']): string | undefined {
  if (who === 'organisation') return bearerOf(ctx.req.headers.authorization);
  return given(ctx, who === 'buyer' ? 'x-buyer-secret' : 'x-api-key');
}

function given(ctx: Context, name: 'x-api-key' | 'x-buyer-secret'): string | undefined {
  const value = ctx.req.headers[name];
  return typeof value === 'string' ? value : undefined;
}
