/** The caller: the organization's key of a request (contract 9.5). */
import { isLive } from '../../account/keys/keys.js';
import { hashKey, isWellFormedKey, bearerOf } from '../../platform/security/keys.js';
import type { Clock } from '../../lib/clock.js';
import { AppError } from '../../lib/errors.js';
import type { OrgKeyDoc, Permission } from '../../account/store/keyDocs.js';
import type { KeyLookup } from './keyLookup.js';

interface KeyDeps {
  keys: KeyLookup;
  clock: Pick<Clock, 'now'>;
}

/**
 * The key in an Authorization header, read again each time: every process refuses a revoked or expired key from the
 * next call on.
 * @throws {AppError} `unauthorized`, and what the lookup throws
 */
export async function findKey(
  authorization: string | undefined,
  { keys, clock }: KeyDeps,
): Promise<OrgKeyDoc> {
  const key = bearerOf(authorization);
  if (key === undefined) throw unauthorized('Send "Authorization: Bearer <ORG_API_KEY>".', false);
  if (!isWellFormedKey(key)) throw unauthorized('This is not an organization key.', true);
  const found = await keys.find(hashKey(key));
  if (found?.kind === 'supplier')
    throw unauthorized("This is a supplier's key; use a key of the organization.", true);
  if (!found || found.revoked_at !== undefined)
    throw unauthorized('This key does not exist, or was revoked.', true);
  if (isLive(found, clock.now())) return found;
  const when = found.expires_at?.toISOString() ?? '';
  throw unauthorized(`This key expired at ${when}. Use another one.`, true);
}

/** RFC 6750, section 3: the error names the fault when a key was sent. */
function unauthorized(message: string, wasSent: boolean): AppError {
  const challenge = `Bearer realm="leadwire"${wasSent ? ', error="invalid_token"' : ''}`;
  return new AppError('unauthorized', message, { headers: { 'www-authenticate': challenge } });
}

/** Write implies read. */
export function holds(permissions: readonly Permission[], needed: Permission): boolean {
  if (permissions.includes(needed)) return true;
  const [area, kind] = needed.split(':');
  return kind === 'read' && permissions.includes(`${area}:write` as Permission);
}

/** The first of these permissions that is missing; undefined when none is. */
export const findMissing = (
  permissions: readonly Permission[],
  needed: readonly Permission[],
): Permission | undefined => needed.find((one) => !holds(permissions, one));
