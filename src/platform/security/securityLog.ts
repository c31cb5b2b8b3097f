/**
 * The log for those who guard the installation: one line for each event, of bounded size and number. Nothing of a key
 * or a body is in it.
 */
import type { Log } from '../../lib/log.js';
import type { Metrics } from '../metrics.js';
import type { CallerId } from './witness.js';

export const SECURITY_EVENTS = [
  /** A valid key from an address that is new to this process; a person who signed in. */
  'auth_passed',
  /** 401: no key, or none that is valid; a password or a code that is not right. */
  'auth_failed',
  /** 429 before a key was looked up: too many failures from the address. */
  'address_limited',
  /** 403: the key lacks a permission. */
  'permission_refused',
  /** 403: another supplier's id, a link that is not there, a web page that may not call. */
  'forbidden',
  /** 429: a known caller is over its own limit. */
  'rate_limited',
  /** 400, 413, 415, 422: a known caller broke a rule of the input; only the code is logged. */
  'input_refused',
  /** A key or a person made, revoked or replaced a key or a secret. */
  'key_changed',
  /** A key or a person changed the queue of a buyer, or resent an event. */
  'operator_command',
  /** A person changed how they sign in, or came by a link. */
  'account_changed',
] as const;

export type SecurityEventName = (typeof SECURITY_EVENTS)[number];

export interface SecurityEvent {
  event: SecurityEventName;
  /** Absent: the caller is unknown. */
  caller?: CallerId;
  /** Of the person who is signed in, or has signed in. */
  person_id?: string;
  /** As `addressGroup` gives it. */
  address: string;
  method: string;
  /** The template of the path, with no value of a request in it. */
  route: string;
  request_id: string;
  /** The reason, in words; longer ones are cut. */
  reason?: string;
  /** The name of an action. */
  action?: string;
}

interface Group {
  first: SecurityEvent;
  /** After the first. */
  more: number;
}

interface Counted {
  groups: Map<string, Group>;
  /** Events of groups that found no room. */
  others: number;
}

const WINDOW_MS = 60_000;
/** Lines that one kind of event may write as it happens, in a window; then it is counted. */
const GROUPS_MAX = 60;
const REASON_MAX = 200;

export type SecurityLog = ReturnType<typeof createSecurityLog>;

/**
 * The first event of a kind and a caller (or an address, where the caller is unknown) is written at once, further ones
 * of the same minute as a count at its end. Each process counts for itself.
 */
export function createSecurityLog({
  log,
  metrics,
  windowMs = WINDOW_MS,
}: {
  log: Pick<Log, 'info'>;
  metrics: Pick<Metrics, 'securityEvents'>;
  windowMs?: number;
}) {
  let counted = new Map<SecurityEventName, Counted>();
  let since = new Date();
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const [finished, begun] = [counted, since.toISOString()];
    counted = new Map();
    for (const [event, { groups, others }] of finished) {
      for (const { first, more } of groups.values()) {
        if (more > 0) log.info({ ...lineOf(first), count: more, since: begun }, 'security');
      }
      if (others > 0) log.info({ event, count: others, since: begun, others: true }, 'security');
    }
  };

  return {
    record(event: SecurityEvent): void {
      metrics.securityEvents.inc({ event: event.event });
      if (timer === undefined) {
        since = new Date();
        timer = setTimeout(flush, windowMs).unref();
      }
      const known = counted.get(event.event) ?? { groups: new Map<string, Group>(), others: 0 };
      counted.set(event.event, known);
      const key = groupOf(event);
      const group = known.groups.get(key);
      if (group) group.more += 1;
      else if (known.groups.size >= GROUPS_MAX) known.others += 1;
      else {
        known.groups.set(key, { first: event, more: 0 });
        log.info(lineOf(event), 'security');
      }
    },
    /** Writes the counts that are still in memory. */
    close: flush,
  };
}

/** The group that an event is counted in. */
function groupOf({ event, caller, person_id, address, action, request_id }: SecurityEvent): string {
  if (action !== undefined) return `${action} ${request_id}`;
  if (caller && event === 'auth_passed') return `${caller.actor}:${caller.id} ${address}`;
  if (person_id !== undefined) return `person:${person_id} ${address}`;
  return caller ? `${caller.actor}:${caller.id}` : address;
}

const lineOf = ({ caller, reason, ...event }: SecurityEvent): Record<string, unknown> => ({
  ...event,
  org_id: caller?.org_id,
  actor: caller?.actor,
  actor_id: caller?.id,
  reason: reason?.slice(0, REASON_MAX),
});
