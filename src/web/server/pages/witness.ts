/** Records in the security log who signed in, what was refused, and each change of how a person signs in. */
import type { Call, Reply } from '../../../api/http/endpoint.js';
import type { HttpDeps } from '../../../api/http/deps.js';
import type { AppError } from '../../../lib/errors.js';
import { SESSION_COOKIE } from '../../../people/types.js';
import { addressGroup } from '../../../platform/security/addressGroup.js';
import type { SecurityEvent, SecurityEventName } from '../../../platform/security/securityLog.js';

export interface Witnessed {
  method: 'GET' | 'POST';
  /** The template of the path. */
  route: string;
  /** The change that the form makes, where it concerns signing in. */
  change?: string;
}

const REFUSALS: Partial<Record<number, SecurityEventName>> = {
  401: 'auth_failed',
  403: 'forbidden',
  429: 'address_limited',
};

type WitnessDeps = Pick<HttpDeps, 'security' | 'people'>;

/** Records the request's result, as the answer shows it. Nothing that was typed is recorded. */
export async function witnessReply(
  reply: Reply,
  call: Call,
  { security, people }: WitnessDeps,
  witnessed: Witnessed,
): Promise<void> {
  const record = recorder(call, security, witnessed);
  const refusal = REFUSALS[reply.status];
  if (refusal) record({ event: refusal });
  if (reply.status >= 400) return;
  const token = newTokenIn(reply);
  const entered = token === undefined ? null : await people.session(token);
  const person = entered?.person ?? call.session?.person;
  if (entered) record({ event: 'auth_passed', person_id: entered.person.id });
  const { change } = witnessed;
  if (change !== undefined && person) {
    record({ event: 'account_changed', action: change, person_id: person.id });
  }
}

/** The same for a request that ended in an error. */
export function witnessError(
  error: AppError,
  call: Call,
  { security }: Pick<WitnessDeps, 'security'>,
  witnessed: Witnessed,
): void {
  const refusal = REFUSALS[error.status];
  if (refusal) recorder(call, security, witnessed)({ event: refusal });
}

/** Records a change that no form of ours makes: the way back from a provider does. */
export const witnessChange = (
  action: string,
  call: Call,
  { security }: Pick<WitnessDeps, 'security'>,
  witnessed: Witnessed,
): void => recorder(call, security, witnessed)({ event: 'account_changed', action });

const recorder =
  (call: Call, security: HttpDeps['security'], { method, route }: Witnessed) =>
  (event: Pick<SecurityEvent, 'event' | 'action' | 'person_id'>): void =>
    security.record({
      address: addressGroup(call.ip),
      method,
      route,
      request_id: call.requestId,
      person_id: call.session?.person.id,
      ...event,
    });

function newTokenIn({ cookies = [] }: Reply): string | undefined {
  const line = cookies.find((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`));
  const value = line?.slice(SESSION_COOKIE.length + 1).split(';', 1)[0];
  return value === '' ? undefined : value;
}
