/**
 * Reservations in caps that a run left behind when it died between two writes: the attempt's row decides
 * whether the count stays. Until then such a reservation counts, so a cap is never exceeded meanwhile.
 */
import { isStray, type Outcome } from '../../routing/rules/caps.js';
import { isOpen } from '../../leads/rules/leadStatus.js';
import { isOverdue } from '../../deliveries/rules/attempts.js';
import { windowsIn } from '../../deliveries/rules/rowWindows.js';
import { linkOf, type CapStore } from '../../routing/store/caps.js';
import type { CapDoc, StoredCapReservation } from '../../routing/store/capDocs.js';
import type { LeadCollections } from '../../leads/store/collections.js';
import type { DeliveryCollections } from '../../deliveries/store/collections.js';
import type { RoutingCollections } from '../../routing/store/collections.js';
import { findByIds } from '../../platform/mongo/findByIds.js';
import { COUNTED_STATES } from '../../deliveries/store/deliveries.js';
import type { SellingDeps } from '../deps.js';
import { resumeWaiting } from './leads.js';

/** Longer than any request to a buyer takes, in milliseconds. */
const LEFT_MS = 120_000;
const LINKS_PER_READ = 500;
const HOLDS_PER_RUN = 5_000;

export interface HoldDeps extends Pick<SellingDeps, 'clock'> {
  collections: Pick<
    LeadCollections & DeliveryCollections & RoutingCollections,
    'leads' | 'deliveries' | 'caps'
  >;
  caps: CapStore;
}

/** Commits or releases them. Returns their number. */
export async function settleReservations(deps: HoldDeps): Promise<number> {
  const before = new Date(Number(deps.clock.now()) - LEFT_MS);
  let [settled, last] = [0, ''];
  while (settled < HOLDS_PER_RUN) {
    const links = await deps.collections.caps
      .find({ _id: { $gt: last } }, { projection: { held: 1 } })
      .sort({ _id: 1 })
      .limit(LINKS_PER_READ)
      .toArray();
    for (const link of links) settled += await settleLink(link, before, deps);
    if (links.length < LINKS_PER_READ) return settled;
    last = links.at(-1)?._id ?? '';
  }
  return settled;
}

async function settleLink(
  { _id, held }: Pick<CapDoc, '_id' | 'held'>,
  before: Date,
  deps: HoldDeps,
): Promise<number> {
  const old = held.filter(({ at }) => at < before);
  if (old.length === 0) return 0;
  const { scope, ownerId } = linkOf(_id);
  const ids = old.map(({ hold_id }) => hold_id);
  const found = await findByIds(deps.collections.deliveries, ids, { projection: SETTLES });
  const owners = await ownersOf(old, deps);
  // An attempt that a run opened late, when its successor had parked the lead: no run will record its result.
  const isUnsettled = (hold: StoredCapReservation): boolean => {
    const row = found.get(hold.hold_id);
    return row !== undefined && isOverdue(row, deps.clock.now());
  };
  const unsettled = old.filter((hold) => owners.get(leadOf(hold))?.waits && isUnsettled(hold));
  const takenUp = await resumeWaiting(unsettled.map(leadOf), deps.collections);
  // A run works on the lead, or will when its lease has ended: the reservation is that run's.
  const left = old.filter(
    (hold) => !owners.get(leadOf(hold))?.isAtWork && !unsettled.includes(hold),
  );
  const counts = (hold: StoredCapReservation): boolean => {
    const row = found.get(hold.hold_id);
    // A run that resumed the lead may have made the attempt with another buyer than the one that held a reservation for
    // it.
    const isElsewhere = scope === 'buyer' && row?.buyer_id !== ownerId;
    if (row === undefined || isElsewhere || !COUNTED_STATES.includes(row.state)) return false;
    // An overtaken run made it in addition to the row's reservation, and died before it released it.
    return !isStray(hold, { row_fence: row.fence });
  };
  const kept = left.filter(counts);
  const gone = left.filter((hold) => !counts(hold));
  const money = scope === 'supplier' ? 'cost' : 'price';
  // A check of a waiting row may have died before it undid its reservation: the row decides what counts.
  const outcomes = kept.map(({ hold_id, fence }): Outcome => {
    const row = found.get(hold_id);
    return {
      hold_id,
      fence,
      booked: row?.[money],
      leads: row?.further && scope !== 'buyer' ? 0 : 1,
      keys: row && (windowsIn(row, scope) ?? undefined),
    };
  });
  if (outcomes.length > 0) await deps.caps.commit(_id, outcomes);
  // The fence keeps this from touching the reservation of a run that has acquired the lead since.
  if (gone.length > 0) await deps.caps.release(_id, gone);
  return left.length + takenUp;
}

/** The fields of a row that settle its reservations. */
const SETTLES = {
  state: 1,
  answer_by: 1,
  buyer_id: 1,
  fence: 1,
  price: 1,
  cost: 1,
  further: 1,
  reserved: 1,
  reserved_apart: 1,
} as const;

/** A reservation has the id of its row, `lead:n`. */
const leadOf = ({ hold_id }: StoredCapReservation): string =>
  hold_id.slice(0, hold_id.lastIndexOf(':'));

async function ownersOf(
  holds: readonly StoredCapReservation[],
  { collections }: HoldDeps,
): Promise<Map<string, Owner>> {
  const leads = await collections.leads
    .find({ _id: { $in: holds.map(leadOf) } }, { projection: { status: 1, run: 1 } })
    .toArray();
  return new Map(
    leads.map(({ _id, status, run }) => {
      const hasRun = (run ?? null) !== null;
      const isWaiting = status === 'PENDING' || status === 'SELLING';
      return [_id, { isAtWork: isOpen(status) && hasRun, waits: isWaiting && !hasRun }];
    }),
  );
}

/** The lead of a reservation. */
interface Owner {
  isAtWork: boolean;
  /** It waits for its buyer, and no run works on it. */
  waits: boolean;
}
