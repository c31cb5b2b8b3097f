/** Leads on their way from a group of requests to their verdicts. */
import type { LeadVerdict } from '../../workflows/messages.js';
import type { Lead } from '../leads/rules/lead.js';
import type { LeadStore } from '../leads/store/leads.js';
import type { Clock } from '../lib/clock.js';
import type { Log } from '../lib/log.js';
import { withTimeout } from '../lib/withTimeout.js';
import type { LeadRef } from '../platform/temporal/describe.js';

/** What intake does for a group, in the order in which a decider calls it. */
export interface LeadGroup {
  /** One for each request, as it was admitted. */
  leads: readonly LeadRef[];
  /** A lead may have a ping to redeem: no run may acquire it before. */
  hasPings: boolean;
  /** Returns the leads that are still admitted. Nothing is stored yet: a failure is a definitive refusal. */
  check(): Promise<Lead[]>;
  /** Inserts the leads, redeems their pings, and returns those that have theirs. Deletes the others. */
  store(leads: readonly Lead[]): Promise<readonly Lead[]>;
  /** Leads without a verdict by then are withdrawn if no run has begun; on the monotonic clock. */
  decidedByAt: number;
  /** The withdrawal has failed then; on the monotonic clock. */
  withdrawnByAt: number;
}

export type { LeadVerdict };

/** Verdicts by lead id. WITHDRAWN: not accepted. OPEN: the result is only in the database. */
export type Verdicts = ReadonlyMap<string, LeadVerdict>;

/** Has leads decided, in this process or in another one. Leads with a verdict other than WITHDRAWN have a workflow. */
export interface Decider {
  /**
   * @returns verdicts of the stored leads; null when it is unknown whether they are accepted
   * @throws what `check` throws
   */
  accept(group: LeadGroup): Promise<Verdicts | null>;
}

export interface WithdrawDeps {
  leads: LeadStore;
  clock: Clock;
  log: Log;
}

export const NOT_DECIDED = 'The leads were not decided in time.';

/** Minimum milliseconds for the withdrawal: even a late definitive refusal is better than none. */
const WITHDRAW_MIN_MS = 300;

/** The verdicts of a run. A lead that it returns none for is stored all the same. */
export const completeVerdicts = (
  leads: readonly LeadRef[],
  verdicts: readonly LeadVerdict[],
): Verdicts => {
  const open = leads.map(({ _id: id }): LeadVerdict => ({ id, status: 'OPEN' }));
  return new Map([...open, ...verdicts].map((verdict) => [verdict.id, verdict]));
};

/**
 * Withdraws the leads that no run has begun to decide: for those a 503 is true. The others are being decided.
 * @param withdraw returns the ids of withdrawn leads
 * @returns null when the database does not confirm it in time
 */
export async function withdrawUndecided(
  leads: readonly LeadRef[],
  { withdrawnByAt }: LeadGroup,
  withdraw: () => Promise<ReadonlySet<string>>,
  { leads: store, clock, log }: WithdrawDeps,
): Promise<Verdicts | null> {
  const leftMs = Math.max(withdrawnByAt - clock.monotonic(), WITHDRAW_MIN_MS);
  const verdicts = async (): Promise<Verdicts> => {
    const withdrawn = await withdraw();
    const stored = await store.answers(leads.map(({ _id }) => _id));
    const verdictOf = (id: string): LeadVerdict => ({
      id,
      status: withdrawn.has(id) ? 'WITHDRAWN' : 'OPEN',
    });
    return new Map([...stored.keys()].map((id) => [id, verdictOf(id)]));
  };
  try {
    return await withTimeout(leftMs, 'The leads were not withdrawn in time.', verdicts);
  } catch (error) {
    log.warn({ err: error, leads: leads.length }, 'a group could not be withdrawn');
    return null;
  }
}
