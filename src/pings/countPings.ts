/** Ping caps: how many pings per day a supplier's link may send, and how many a buyer's link receives or bids on. */
import type { PingOpen, PingRefused } from './rules/auction.js';
import { withPingCaps } from './rules/screenPing.js';
import { windowKeys } from '../fields/windowKeys.js';
import type { PingCountRequest, PingCountStore } from './store/pingCounts.js';
import type { PingContext } from './loadContext.js';
import { getOwn } from '../lib/getOwn.js';

type Screened = PingOpen | PingRefused;

/** A ping that at least one buyer may bid for. */
interface Opened {
  /** Its place in the group. */
  at: number;
  ping: PingContext;
  opened: PingOpen;
}

type Asking = Opened & { link: Omit<PingCountRequest, 'wanted'> };

/**
 * Counts the pings of a group that at least one buyer may bid for, in order of arrival; those without room are refused,
 * or continue without that buyer. Links without a ping cap cost nothing, and test pings count nowhere.
 * @param screened the screening result of each ping
 */
export async function countPings(
  pings: readonly PingContext[],
  screened: readonly Screened[],
  counts: PingCountStore,
  now: Date,
): Promise<Screened[]> {
  const results = [...screened];
  const live = pings.flatMap((ping, at): Opened[] => {
    const opened = screened[at];
    return opened?.kind === 'open' && !ping.is_test ? [{ at, ping, opened }] : [];
  });
  const overSupplier = new Set(await overCap(live.flatMap(ofSupplier), counts, now));
  for (const asking of overSupplier) results[asking.at] = overSupplierCap(asking);
  const full = new Set([...overSupplier].map(({ at }) => at));
  const left = live.filter(({ at }) => !full.has(at));
  const overBuyers = await overCap(left.flatMap(ofBuyers), counts, now);
  for (const [at, some] of Map.groupBy(overBuyers, (asking) => asking.at)) {
    const [first] = some;
    if (first) results[at] = withPingCaps(first.opened, new Set(some.map(({ link }) => link.id)));
  }
  return results;
}

function ofSupplier(opened: Opened): Asking[] {
  const { plan, supplier_id } = opened.ping;
  const cap = getOwn(plan.suppliers, supplier_id)?.daily_ping_cap;
  return askFor(opened, 'supplier', supplier_id, cap);
}

const ofBuyers = (opened: Opened): Asking[] =>
  opened.opened.bidders.flatMap(({ buyer_id, daily_ping_cap: cap }) =>
    askFor(opened, 'buyer', buyer_id, cap),
  );

function askFor(
  opened: Opened,
  kind: PingCountRequest['kind'],
  id: string,
  cap: number | null = null,
): Asking[] {
  if (cap === null) return [];
  const { plan, now } = opened.ping;
  const { day } = windowKeys(now, plan.time_zone);
  return [{ ...opened, link: { kind, campaign_id: plan.campaign_id, id, day, cap } }];
}

/** Returns those for which there is no room: one update for each link. */
async function overCap(
  asking: readonly Asking[],
  counts: PingCountStore,
  now: Date,
): Promise<Asking[]> {
  const links = Map.groupBy(asking, ({ link }) =>
    JSON.stringify([link.kind, link.campaign_id, link.id]),
  );
  const over = await Promise.all(
    [...links.values()].map(async (some) => {
      const [first] = some;
      if (!first) return [];
      const granted = await counts.grant({ ...first.link, wanted: some.length }, now);
      return some.slice(granted);
    }),
  );
  return over.flat();
}

const overSupplierCap = ({ opened, link }: Asking): PingRefused => ({
  kind: 'refused',
  reason: 'capped',
  unbid: [
    ...opened.unbid,
    ...opened.bidders.map(({ buyer_id }) => ({
      buyer_id,
      reason: 'supplier_ping_cap',
      detail: { daily_ping_cap: link.cap },
    })),
  ],
});
