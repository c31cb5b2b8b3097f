/** Decides a group of pings together: the current account, the context of each, which buyers may bid. */
import type { Clock } from '../lib/clock.js';
import type { PingOpen, PingRefused } from './rules/auction.js';
import { refusedAtOnce, screenPing } from './rules/screenPing.js';
import { DEFAULT_PING_SETTINGS } from '../account/rules/pingSettings.js';
import { revalidate, type Admittable } from '../account/access/revalidate.js';
import type { AccountCache } from '../account/access/accountCache.js';
import type { PingCountStore } from './store/pingCounts.js';
import type { AdmitPing, AdmittedPing } from './admission.js';
import { countPings } from './countPings.js';
import { loadPingContext, type PingContext, type PingContextDeps } from './loadContext.js';

/** A ping in flight. */
export interface PingItem extends Admittable<AdmittedPing> {
  ping_id: string;
  /** On the monotonic clock. */
  receivedAt: number;
}

/** Milliseconds after its arrival by which every buyer has answered or is late. */
export const deadlineOf = ({ admitted }: Pick<PingItem, 'admitted'>): number =>
  (admitted.plan.ping ?? DEFAULT_PING_SETTINGS).deadline_ms;

export interface ScreenedPing {
  ping: PingContext;
  outcome: PingRefused | PingOpen;
}

export interface ScreeningDeps extends PingContextDeps {
  accountCache: AccountCache;
  admit: AdmitPing;
  counts: PingCountStore;
  clock: Clock;
}

type Settled = PromiseSettledResult<ScreenedPing>;

export function createScreening(deps: ScreeningDeps) {
  return async (items: readonly PingItem[]): Promise<Settled[]> => {
    const settled = new Map<PingItem, Settled>();
    const refuse = (item: PingItem, reason: unknown) =>
      settled.set(item, { status: 'rejected', reason });
    const current = await revalidate(items, refuse, deps);
    const screened = await screenAll(current, deps);
    current.forEach((item, n) => {
      const value = screened[n];
      if (value) settled.set(item, { status: 'fulfilled', value });
    });
    return items.map(
      (item) =>
        settled.get(item) ?? { status: 'rejected', reason: new Error('A ping has no result') },
    );
  };
}

async function screenAll(items: readonly PingItem[], deps: ScreeningDeps): Promise<ScreenedPing[]> {
  const now = deps.clock.now();
  const judged = items.map(({ ping_id, access, admitted }) => {
    const { plan, fields, is_test } = admitted;
    const ping = { plan, supplier_id: access.supplier_id, fields, is_test };
    return { ping_id, ping, atOnce: refusedAtOnce({ ...ping, now }) };
  });
  // No context is loaded for a ping that the plan alone refuses.
  const open = judged.filter(({ atOnce }) => !atOnce);
  const about = open.map(({ ping_id, ping }) => ({ ...ping, ping_id }));
  const contexts = open.length === 0 ? [] : await loadPingContext(about, now, deps);
  const outcomes = await countPings(contexts, contexts.map(screenPing), deps.counts, now);
  const decided = new Map(open.map(({ ping_id }, n) => [ping_id, n]));
  return judged.flatMap(({ ping_id, ping, atOnce }): ScreenedPing[] => {
    if (atOnce) return [{ ping: { ...ping, now }, outcome: atOnce }];
    const n = decided.get(ping_id) ?? -1;
    const [context, outcome] = [contexts[n], outcomes[n]];
    return context && outcome ? [{ ping: context, outcome }] : [];
  });
}
