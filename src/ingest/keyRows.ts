/** The Idempotency-Keys of a group of requests: claimed before anything is stored, freed where no lead is accepted. */
import type { Clock } from '../lib/clock.js';
import type { Log } from '../lib/log.js';
import { expiryOf } from '../leads/rules/keyTimes.js';
import type { IdempotencyDoc } from '../leads/store/intakeDocs.js';
import type { IdempotencyStore } from './store/idempotency.js';
import type { Verdicts } from '../distribution/decider.js';
import type { IntakeItem, GroupResult } from './group.js';

export interface KeyDeps {
  idempotency: IdempotencyStore;
  clock: Clock;
  log: Log;
}

/** Returns the requests that may go on; the others join the request that has their key. */
export async function claimKeys(
  items: readonly IntakeItem[],
  settle: (item: IntakeItem, value: GroupResult) => unknown,
  { idempotency, clock }: Pick<KeyDeps, 'idempotency' | 'clock'>,
): Promise<IntakeItem[]> {
  const expires_at = expiryOf(clock.now());
  const rows = items.flatMap(({ idempotency: key, admitted }) =>
    key && !key.claimed ? [{ ...key.row, lead_id: admitted.lead._id, expires_at }] : [],
  );
  const earlier = await idempotency.claim(rows);
  return items.filter((item) => {
    if (!item.idempotency) return true;
    item.admitted.lead.idempotency_id = item.idempotency.row._id;
    const row = item.idempotency.claimed ? undefined : earlier.get(item.idempotency.row._id);
    // A driver that repeated the insert finds its own row.
    if (!row || row.lead_id === item.admitted.lead._id) return true;
    settle(item, { kind: 'join', row });
    return false;
  });
}

/** Points the key of a request that was sent again to the first request's lead. */
export async function pointKey(
  item: IntakeItem,
  leadId: string,
  deps: Pick<KeyDeps, 'idempotency' | 'clock'>,
): Promise<void> {
  const row = item.idempotency?.row;
  if (!row) return;
  const expires_at = expiryOf(deps.clock.now());
  const claimed = { ...row, lead_id: item.admitted.lead._id, expires_at };
  await deps.idempotency.replace(claimed, { ...claimed, lead_id: leadId });
}

/** The rows of the requests that carry a key. */
export const keysOf = (items: readonly IntakeItem[]): Pick<IdempotencyDoc, '_id' | 'lead_id'>[] =>
  items.flatMap(({ idempotency: key, admitted }) =>
    key ? [{ _id: key.row._id, lead_id: admitted.lead._id }] : [],
  );

/**
 * Frees the keys of leads that were not accepted. The caller does not wait for it: while the database is away an answer
 * would be late, and the next request with the key takes it over from a withdrawn lead.
 */
export function freeKeys(
  items: readonly IntakeItem[],
  verdicts: Verdicts,
  { idempotency, log }: Pick<KeyDeps, 'idempotency' | 'log'>,
): void {
  const isNotAccepted = ({ admitted }: IntakeItem): boolean =>
    (verdicts.get(admitted.lead._id)?.status ?? 'WITHDRAWN') === 'WITHDRAWN';
  const freed = keysOf(items.filter(isNotAccepted));
  idempotency.free(freed).catch((error: unknown) => log.warn({ err: error }, 'keys not freed'));
}

/** Before the answer, which stands whether this succeeds or not: the next request takes over a key that stays. */
export async function freeKey(
  item: IntakeItem,
  { idempotency, log }: Pick<KeyDeps, 'idempotency' | 'log'>,
): Promise<void> {
  await idempotency
    .free(keysOf([item]))
    .catch((error: unknown) => log.warn({ err: error }, 'a key was not freed'));
}
