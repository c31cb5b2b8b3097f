/** Reads sums that are up to date, without seeing a half-applied batch. */
import type { Document } from 'mongodb';
import { createSharedTurns } from '../lib/sharedTurns.js';
import { countBatches, type Counted, type RollDeps } from './countBatches.js';
import { LEADS, PINGS } from './rollUp.js';
import type { Counting } from './store/rollupDocs.js';
import { createRollupStore } from './store/rollups.js';

/** The scope of a report. */
export interface ReportScope {
  orgId: string;
  /** Calendar days in the account's time zone, both included. */
  from: string;
  to: string;
  campaign_id?: string;
  supplier_id?: string;
  buyer_id?: string;
}

/** How long a report waits for changes to be counted, in milliseconds. */
const COUNTING_MS = 100;
/** Maximum of the reported number of uncounted changes. */
const UNCOUNTED_MAX = 100_000;
/** Maximum reads: a batch that is being applied is in some sums and not in others, so the sums are read again. */
const READINGS = 3;

/** The sums of a facet, or of several, that a report is read from. */
export function selectSums(scope: ReportScope, facet: string | { $in: string[] }): Document {
  const { orgId: org_id, from, to, campaign_id, supplier_id, buyer_id } = scope;
  const given = Object.entries({ campaign_id, supplier_id, buyer_id });
  return {
    org_id,
    facet,
    day: { $gte: from, $lte: to },
    ...Object.fromEntries(given.filter(([, id]) => id !== undefined)),
  };
}

/** What is read, of which organization. */
interface Asked<T> {
  counting: Counting;
  orgId: string;
  /** Called again when a batch was applied meanwhile. */
  read: () => Promise<T>;
}

/**
 * Reads sums that include every change made before the call, as far as these can be counted in time.
 * @returns what was read, and how many leads, or pings, of the organization have changed since they were counted: 0 unless
 * very many arrive
 */
export async function readUpToDate<T>(
  deps: RollDeps,
  { counting, orgId, read }: Asked<T>,
): Promise<{ found: T; uncounted: number }> {
  const { seq, isDone } = await bringUpToDate(deps, counting, orgId);
  const found = await readSettled(deps, { counting, read, seq });
  return { found, uncounted: isDone ? 0 : await countUncounted(deps, counting, orgId) };
}

/** By database: many read at once, and each would count the few changes since the last. */
const sharing = new WeakMap<object, ReturnType<typeof createSharedTurns<Counted>>>();

/** Counts the organization's changes. Those that ask while it is done for others share the next turn. */
export function bringUpToDate(deps: RollDeps, counting: Counting, orgId: string): Promise<Counted> {
  const { rollupState } = deps.collections;
  const share = sharing.get(rollupState) ?? createSharedTurns<Counted>();
  sharing.set(rollupState, share);
  const options = { orgId, withinMs: COUNTING_MS };
  return share(`${counting} ${orgId}`, () =>
    counting === 'leads' ? countBatches(LEADS, deps, options) : countBatches(PINGS, deps, options),
  );
}

/**
 * Reads between two checks of the last batch's number.
 * @param seq that number, where it is known
 */
export async function readSettled<T>(
  deps: RollDeps,
  { counting, read, seq }: Pick<Asked<T>, 'counting' | 'read'> & { seq?: number },
): Promise<T> {
  const store = createRollupStore(deps, counting);
  let before = seq ?? (await store.settled());
  for (let reading = 1; ; reading++) {
    const found = await read();
    if (reading >= READINGS || (await store.isStill(before))) return found;
    before = await store.settled();
  }
}

const countUncounted = (
  { collections }: RollDeps,
  counting: Counting,
  org_id: string,
): Promise<number> => {
  const uncounted = { uncounted: true, org_id } as const;
  const options = { limit: UNCOUNTED_MAX };
  return counting === 'leads'
    ? collections.leads.countDocuments(uncounted, options)
    : collections.pings.countDocuments(uncounted, options);
};
