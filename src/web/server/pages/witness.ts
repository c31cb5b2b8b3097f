/** Records in the security log who signed in, what was refused, and each change of how a person signs in. */
import type { Call, Reply } from '../../../api/http/endpoint.js';
import type { HttpDeps } from '../../../api/http/deps.js';
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

/** Records the results of one request, as its answers show them. Nothing that was typed is recorded. */
export function witnessOf(
  call: Call,
  { security, people }: Pick<HttpDeps, 'security' | 'people'>,
  { method, route, change }: Witnessed,
) {
  const record = (event: Pick<SecurityEvent, 'event' | 'action' | 'person_id'>): void =>
    security.record({
      address: addressGroup(call.ip),
      method,
      route,
      request_id: call.requestId,
      person_id: call.session?.person.id,
      ...event,
    });
  const refused = ({ status }: { status: number }): void => {
    const event = REFUSALS[status];
    if (event) record({ event });
  };
  return {
    async replied(reply: Reply): Promise<void> {
      refused(reply);
      if (reply.status >= 400) return;
      const token = newTokenIn(reply);
      const entered = token === undefined ? null : await people.session(token);
      const person = entered?.person ?? call.session?.person;
      if (entered) record({ event: 'auth_passed', person_id: entered.person.id });
      if (change !== undefined && person)
        record({ event: 'account_changed', action: change, person_id: person.id });
    },
    /** The request ended in an error. */
    refused,
    /** A change that no form of ours makes: the way back from a provider does. */
    changed: (action: string): void => record({ event: 'account_changed', action }),
  };
}

function newTokenIn({ cookies = [] }: Reply): string | undefined {
  const line = cookies.find((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`));
  const value = line?.slice(SESSION_COOKIE.length + 1).split(';', 1)[0];
  return value === '' ? undefined : value;
}
