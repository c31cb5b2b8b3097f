/**
 * One group of requests on its way to durability: account re-checked, keys claimed, leads stored, workflow
 * started. Only a lead that is stored and started is acknowledged; every other one is withdrawn first.
 */
import { outcomeUnknown, unavailable } from '../lib/errors.js';
import type { LeadStore } from '../leads/store/leads.js';
import type { Admit } from './admission.js';
import type { FirstRun } from '../distribution/firstRun.js';
import { STARTED_BY_MS, STORED_BY_MS, WITHDRAWN_BY_MS } from './deadlines.js';
import type { AccountCache } from '../account/access/accountCache.js';
import { claimKeys, freeKeys, keysOf, pointKey, type KeyDeps } from './keyRows.js';
import { NOT_ACCEPTED } from './reply.js';
import { matchPings, type PingDeps } from './pingMatch.js';
import { storeAndStart, type StartDeps } from './storeAndStart.js';
import { revalidate } from '../account/access/revalidate.js';
import { withTimeout } from '../lib/withTimeout.js';
import type { IntakeItem, GroupResult } from './group.js';

export interface GroupCommitterDeps extends StartDeps, KeyDeps, PingDeps {
  accountCache: AccountCache;
  admit: Admit;
  leads: LeadStore;
}

interface GroupReplies {
  settle: (item: IntakeItem, value: GroupResult) => unknown;
  refuse: (item: IntakeItem, reason: unknown) => unknown;
}

/** Minimum milliseconds for finding out why a request lost its ping, even when its time is over. */
const TIMEOUT_MIN_MS = 300;

export function createGroupCommitter(deps: GroupCommitterDeps) {
  return async (items: readonly IntakeItem[]): Promise<PromiseSettledResult<GroupResult>[]> => {
    const results = new Map<IntakeItem, PromiseSettledResult<GroupResult>>();
    const settle = (item: IntakeItem, value: GroupResult) =>
      results.set(item, { status: 'fulfilled', value });
    const refuse = (item: IntakeItem, reason: unknown) =>
      results.set(item, { status: 'rejected', reason });

    // The oldest request of the group sets the deadlines.
    const arrived = Math.min(...items.map(({ receivedAt }) => receivedAt));
    const leftMs = (byMs: number) => arrived + byMs - deps.clock.monotonic();
    // Nothing is stored yet: out of time here is a definitive refusal.
    const claiming = async () => {
      const keyed = await claimKeys(await revalidate(items, refuse, deps), settle, deps);
      return checkPings(keyed, { settle, refuse }, deps);
    };
    const run = startFirst(items, leftMs(STARTED_BY_MS), deps);
    const free = await claimInTime(items, leftMs(STORED_BY_MS), claiming, deps).catch(
      (error: unknown) => {
        run?.callOff();
        throw error;
      },
    );
    // The campaign has just begun to require pings: another process that has the workflow must not find leads without one.
    const isStale = run !== undefined && free.some(({ redemption }) => redemption !== undefined);
    if (isStale) free.forEach((item) => refuse(item, unavailable(NOT_ACCEPTED)));
    if (isStale || free.length === 0) run?.callOff();
    else {
      const lost = new Set<IntakeItem>();
      let losing = Promise.resolve();
      const onLost = (late: readonly IntakeItem[]) => {
        late.forEach((item) => lost.add(item));
        losing = refuseLost(late, { settle, refuse, leftMs }, deps);
      };
      const verdicts = await storeAndStart(free, { leftMs, run, onLost }, deps);
      await losing;
      const taken = free.filter((item) => !lost.has(item));
      taken.forEach((item) => {
        const verdict = verdicts?.get(item.admitted.lead._id);
        if (verdicts === null) refuse(item, outcomeUnknown());
        else if (verdict && verdict.status !== 'WITHDRAWN')
          settle(item, { kind: 'verdict', verdict });
        else refuse(item, unavailable(NOT_ACCEPTED));
      });
      if (verdicts) freeKeys(taken, verdicts, deps);
    }
    return items.map(
      (item) =>
        results.get(item) ?? { status: 'rejected', reason: new Error('An item has no result') },
    );
  };
}

/**
 * Starts the workflow of a group while its account is checked. Not where other requests, with the same key or ping, may
 * read the leads before it is started: they would promise a lead that has a run.
 */
function startFirst(
  items: readonly IntakeItem[],
  withinMs: number,
  { decider }: Pick<GroupCommitterDeps, 'decider'>,
): FirstRun | undefined {
  const isRead = items.some(({ idempotency, admitted }) => idempotency ?? admitted.claim);
  if (isRead) return undefined;
  const leads = items.map(({ admitted }) => admitted.lead);
  return decider.firstRun?.(leads, Date.now() + withinMs);
}

/** Keys of a claim that ends too late, or whose answer is lost, are freed as soon as the claim is known to be over. */
async function claimInTime(
  items: readonly IntakeItem[],
  ms: number,
  claim: () => Promise<IntakeItem[]>,
  deps: GroupCommitterDeps,
): Promise<IntakeItem[]> {
  let claiming: Promise<IntakeItem[]> | undefined;
  try {
    return await withTimeout(ms, NOT_ACCEPTED, () => (claiming = claim()));
  } catch (error) {
    void claiming?.catch(() => []).then(() => freeKeys(items, new Map(), deps));
    throw error;
  }
}

/** Returns the requests whose pings allow them to go on; settles the others with a refusal or the earlier answer. */
async function checkPings(
  items: readonly IntakeItem[],
  { settle, refuse }: GroupReplies,
  deps: GroupCommitterDeps,
): Promise<IntakeItem[]> {
  const { free, refused, resent } = await matchPings(items, deps);
  await Promise.all([
    // Before the answer: the intake looks up a refused request by its key once more.
    deps.idempotency.free(keysOf(refused.map(({ item }) => item))),
    ...resent.map(({ item, leadId }) => pointKey(item, leadId, deps)),
  ]);
  refused.forEach(({ item, error }) => refuse(item, error));
  resent.forEach(({ item, leadId }) => settle(item, { kind: 'resent', leadId }));
  return free;
}

/**
 * Their pings are checked again, for they have changed: redeemed, expired, or redeemed by the very request that was
 * sent again. A ping that can be redeemed again was lost to a lead that was withdrawn.
 */
async function refuseLost(
  lost: readonly IntakeItem[],
  { leftMs, ...telling }: GroupReplies & { leftMs: (byMs: number) => number },
  deps: GroupCommitterDeps,
): Promise<void> {
  let again = lost;
  try {
    const ms = Math.max(leftMs(WITHDRAWN_BY_MS), TIMEOUT_MIN_MS);
    again = await withTimeout(ms, NOT_ACCEPTED, () => checkPings(lost, telling, deps));
  } catch (error) {
    deps.log.warn({ err: error }, 'lost pings could not be checked again');
  }
  again.forEach((item) => telling.refuse(item, unavailable(NOT_ACCEPTED)));
  freeKeys(again, new Map(), deps);
}
