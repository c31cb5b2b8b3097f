/** Reads sums that are up to date, without seeing a half-applied batch. */
import type { ClientSession, Document } from 'mongodb';
import { createSharedTurns } from '../lib/sharedTurns.js';
import { onSnapshot } from '../platform/mongo/snapshot.js';
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
/** Maximum snapshots: in one that was taken while a batch was applied, it is in some sums and not in others. */
const SNAPSHOTS = 3;

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
  /** Passes the session with every read. */
  read: (session: ClientSession) => Promise<T>;
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
  const { isDone } = await bringUpToDate(deps, counting, orgId);
  const found = await readSettled(deps, { counting, read });
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

/** Reads sums of one point of time at which no batch was being applied, whatever is counted meanwhile. */
export async function readSettled<T>(
  deps: RollDeps,
  { counting, read }: Pick<Asked<T>, 'counting' | 'read'>,
): Promise<T> {
  const store = createRollupStore(deps, counting);
  for (let nth = 1; ; nth++) {
    const found = await onSnapshot(deps.collections.rollupState, async (session) =>
      (await store.isSettled(session)) || nth >= SNAPSHOTS ? [await read(session)] : [],
    );
    if (found.length > 0) return found[0] as T;
    // Applies what is left of the batch, where its process has stopped.
    await store.settled();
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
