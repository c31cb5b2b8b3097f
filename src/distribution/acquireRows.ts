/** Which rows of a page of a queue are sent now, and when the others are checked again. */
import { addressOf } from '../deliveries/rules/attempts.js';
import type { Choice } from '../deliveries/rules/choice.js';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import type { ScreeningDeps } from './screening.js';
import { ANSWER_SLACK_MS, sendWindow, timesOf } from './attempts.js';
import { restoreReservations } from './capReservations.js';
import { reserveFor } from './reserve.js';
import { windowsOf, type Attempt, type Reserved, type Lease } from './task.js';
import { isOver } from './verdicts.js';

export interface RowToSend extends Reserved {
  row: DeliveryDoc;
  choice: Choice;
}

/** The limits of a wave. */
export interface WaveLimits {
  buyerId: string;
  /** Maximum sent. */
  wave: number;
  /** Maximum open at once, by this drain and others. */
  concurrent: number;
  /** When a row that cannot be sent is checked again, where no other time is known. */
  checkAt: Date;
}

/** Milliseconds from counting the open requests until the last request of a wave may be written. */
const ACQUIRE_MS = 5_000;

/**
 * Reservations first, then the rows themselves: only rows this run moved from parked to sending are sent. Rows for
 * which this wave has no room stay due, and their leads are released; `stillDue` is their number.
 */
export async function acquireRows(
  wanted: readonly RowToSend[],
  lease: Lease,
  limits: WaveLimits,
  deps: ScreeningDeps,
): Promise<{ attempts: Attempt[]; stillDue: number }> {
  const sendable = wanted.filter(({ choice }) => choice.kind === 'send');
  const first = sendable.slice(0, limits.wave);
  const sendBy = deps.clock.monotonic() + ACQUIRE_MS;
  const room = await enter(first, lease, limits, deps);
  // After its lease another run may have these leads, and may have settled their rows.
  const tried = isOver(lease, deps) ? [] : first.slice(0, room);
  const { granted: reserved } = await reserveFor(tried, deps, deps.clock.now());
  // Where one found no room, others with the same limits will hardly find any.
  const full = new Set(tried.filter((one) => !reserved.includes(one)).map(limitsOf));
  const stillDue = sendable.filter((one) => !tried.includes(one) && !full.has(limitsOf(one)));
  const blocked = wanted.filter((one) => !reserved.includes(one) && !stillDue.includes(one));
  await putOff(
    blocked.map(({ row, choice }) => ({
      row,
      at: ('at' in choice ? choice.at : undefined) ?? limits.checkAt,
    })),
    deps,
  );
  // One whose other attempt was left keeps its run, like one whose run died: it is resumed when the lease ends.
  const released = [...blocked, ...stillDue].filter(({ choice }) => choice.kind !== 'left');
  await release(released, lease, deps);
  const window = sendWindow(lease, deps.clock);
  const slowestMs = Math.max(0, ...reserved.map(({ terms }) => terms.delivery.timeout_ms));
  const times = timesOf(window.now, slowestMs);
  const moved = await deps.deliveries.resend(
    reserved.map((one) => ({
      id: one.row._id,
      ...windowsOf(one),
      sent_to: addressOf(one.terms.delivery),
    })),
    lease.id,
    times,
  );
  // Another run has settled these rows meanwhile: what this run has counted for them is undone.
  await restoreReservations(
    reserved.filter(({ row }) => !moved.has(row._id)),
    deps,
  );
  const attempts = reserved
    .filter(({ row }) => moved.has(row._id))
    .map((one): Attempt => ({
      ...one,
      sendBy: Math.min(window.sendBy, sendBy),
      row: { ...one.row, ...times, run: lease.id, state: 'sending', ...windowsOf(one) },
    }));
  return { attempts, stillDue: stillDue.length };
}

/** How many may be sent in addition to those that another drain of the buyer, perhaps one thought dead, has open. */
async function enter(
  wanted: readonly RowToSend[],
  lease: Lease,
  { buyerId, concurrent }: WaveLimits,
  { destinations, clock }: ScreeningDeps,
): Promise<number> {
  if (wanted.length === 0) return 0;
  const now = clock.now();
  const slowestMs = Math.max(...wanted.map(({ terms }) => terms.delivery.timeout_ms));
  const until = new Date(Number(now) + ACQUIRE_MS + slowestMs + ANSWER_SLACK_MS);
  const wave = { run: lease.id, want: wanted.length, most: concurrent, now, until };
  return destinations.enter(buyerId, wave);
}

/** Key of the caps that apply to a lead: equal for leads with the same caps. */
const limitsOf = ({ task: { lead } }: RowToSend): string =>
  `${lead.campaign_id} ${lead.supplier_id} ${lead.is_test}`;

/** These rows wait until then, and give way to those that can be sent. */
export async function putOff(
  rows: readonly { row: DeliveryDoc; at: Date }[],
  { deliveries }: Pick<ScreeningDeps, 'deliveries'>,
): Promise<void> {
  const byDue = Map.groupBy(rows, ({ at }) => Number(at));
  await Promise.all(
    [...byDue].map(([due, group]) => {
      const ids = group.map(({ row }) => row._id);
      return deliveries.putOff(ids, new Date(due));
    }),
  );
}

/** Releases the leads of rows that are not sent. */
export async function release(
  rows: readonly { row: DeliveryDoc }[],
  lease: Lease,
  { leads, clock }: Pick<ScreeningDeps, 'leads' | 'clock'>,
): Promise<void> {
  // A row may be checked for days: the trail names what it waits for once, when it begins to wait.
  const parked = rows.map(({ row }) => ({ leadId: row.lead_id, trail: [] }));
  if (parked.length > 0) await leads.park(lease.id, parked, clock.now(), lease.subscriptions);
}
