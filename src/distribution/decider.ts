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
  /** Another request may find one of the leads once it is stored: by its Idempotency-Key or its ping. */
  isShared: boolean;
  /**
   * Returns the leads that are still admitted. Nothing is stored yet: a failure is a definitive refusal.
   * @param isStarted a workflow was started for the leads: then none may have a ping to redeem
   */
  check(isStarted: boolean): Promise<Lead[]>;
  /** Known after the check: a lead has a ping to redeem, and no run may acquire it before. */
  readonly hasPings: boolean;
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

export interface DeciderDeps {
  leads: LeadStore;
  clock: Clock;
  log: Log;
}

/** How far a group has come. */
export interface Progress {
  /** Its leads, as they are inserted; those that may be decided, once that is known. */
  leads: readonly Lead[];
  /** A workflow may have been started. */
  mayRun: boolean;
}

/** The steps of a decider after the check. */
export interface Steps {
  /** Stores and decides the leads; resolves with null when they could not be decided yet. */
  decide: () => Promise<LeadVerdict[] | null>;
  /** Withdraws the leads that no run has begun to decide, and returns their ids. */
  withdraw: (leads: readonly Lead[]) => Promise<ReadonlySet<string>>;
}

/** Minimum milliseconds for the withdrawal: even a late definitive refusal is better than none. */
const WITHDRAW_MIN_MS = 300;

/** Leads without verdicts in time are withdrawn; a 503 is true for those. The others are being decided. */
export async function decideOrWithdraw(
  progress: Progress,
  group: LeadGroup,
  { decide, withdraw }: Steps,
  { leads: store, clock, log }: DeciderDeps,
): Promise<Verdicts | null> {
  const leftMs = (at: number): number => at - clock.monotonic();
  try {
    const message = 'The leads were not decided in time.';
    const verdicts = await withTimeout(leftMs(group.decidedByAt), message, decide);
    // A lead that its run returns no verdict for is stored all the same.
    const open = progress.leads.map(({ _id: id }): LeadVerdict => ({ id, status: 'OPEN' }));
    if (verdicts) return new Map([...open, ...verdicts].map((verdict) => [verdict.id, verdict]));
  } catch (error) {
    log.warn({ err: error, leads: progress.leads.length }, 'a group could not be committed');
  }
  const { leads, mayRun } = progress;
  try {
    const withinMs = Math.max(leftMs(group.withdrawnByAt), WITHDRAW_MIN_MS);
    return await withTimeout(withinMs, 'The leads were not withdrawn in time.', async () => {
      const withdrawn = await withdraw(leads);
      const stored = await store.answers(leads.map(({ _id }) => _id));
      const statusOf = (id: string) => (withdrawn.has(id) ? 'WITHDRAWN' : 'OPEN');
      return new Map([...stored.keys()].map((id) => [id, { id, status: statusOf(id) }]));
    });
  } catch (error) {
    log.warn({ err: error, leads: leads.length }, 'a group could not be withdrawn');
    // Not started: a lead that is stored is withdrawn when it is found. But a run may be selling a started lead: then a
    // refusal could be false, and so could a promise.
    return mayRun ? null : new Map();
  }
}
