/** Which rows of a page of a queue are sent now, and when the others are checked again. */
import { addressOf } from '../deliveries/rules/attempts.js';
import { findOpening } from '../routing/rules/openingHours.js';
import { putOffMs } from '../deliveries/rules/pace.js';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import type { ScreeningDeps } from './screening.js';
import { ANSWER_SLACK_MS, sendWindow, timesOf } from './attempts.js';
import { restoreReservations } from './capReservations.js';
import { reserveFor } from './reserve.js';
import { windowsOf, type Attempt, type Reserved, type Lease } from './task.js';
import { isOver } from './verdicts.js';

export interface RowToSend extends Reserved {
  row: DeliveryDoc;
  /** This buyer may have the lead, and must not be sent it again. */
  isStranded: boolean;
  /** The buyer is active, in the lead's mode (test or live), and the person is on none of its lists: now. */
  mayBeSent: boolean;
  /** Another buyer may have the lead: nothing is sent before it is known. */
  mayBeTaken: boolean;
  /** And its status stays unknown: the run that opened the attempt is gone. */
  isLeft: boolean;
}

/** The limits of a wave. */
export interface WaveLimits {
  buyerId: string;
  /** Maximum sent. */
  wave: number;
  /** Maximum open at once, by this drain and others. */
  concurrent: number;
  /** Rows that this call has put off so far. */
  putOff: number;
}

/** Milliseconds from counting the open requests until the last request of a wave may be written. */
const ACQUIRE_MS = 5_000;

/**
 * Reservations first, then the rows themselves: only rows this run moved from parked to sending are sent. Rows for
 * which this wave has no room stay due, and their leads are released; `left` is their number.
 */
export async function acquireRows(
  wanted: readonly RowToSend[],
  lease: Lease,
  limits: WaveLimits,
  deps: ScreeningDeps,
): Promise<{ attempts: Attempt[]; left: number }> {
  const active = wanted.filter((one) => one.mayBeSent && !one.mayBeTaken && !opening(one, deps));
  const first = active.slice(0, limits.wave);
  const takenBy = deps.clock.monotonic() + ACQUIRE_MS;
  const room = await enter(first, lease, limits, deps);
  // After its lease another run may have these leads, and may have ended their rows.
  const tried = isOver(lease, deps) ? [] : first.slice(0, room);
  const { granted: reserved } = await reserveFor(tried, deps, deps.clock.now());
  // Where one found no room, others with the same limits will hardly find any.
  const full = new Set(tried.filter((one) => !reserved.includes(one)).map(limitsOf));
  const left = active.filter((one) => !tried.includes(one) && !full.has(limitsOf(one)));
  const blocked = wanted.filter((one) => !reserved.includes(one) && !left.includes(one));
  await putOff(blocked, limits, deps);
  await parkAgain([...blocked, ...left], lease, deps);
  const window = sendWindow(lease, deps.clock);
  const slowest = Math.max(0, ...reserved.map(({ terms }) => terms.delivery.timeout_ms));
  const times = timesOf(window.now, slowest);
  const moved = await deps.deliveries.resend(
    reserved.map((one) => ({
      id: one.row._id,
      ...windowsOf(one),
      sent_to: addressOf(one.terms.delivery),
    })),
    lease.id,
    times,
  );
  // Another run has settled these rows meanwhile: nothing of them may stay counted beside what it has counted.
  await restoreReservations(
    reserved.filter(({ row }) => !moved.has(row._id)),
    deps,
  );
  const attempts = reserved
    .filter(({ row }) => moved.has(row._id))
    .map((one): Attempt => ({
      ...one,
      sendBy: Math.min(window.sendBy, takenBy),
      row: { ...one.row, ...times, run: lease.id, state: 'sending', ...windowsOf(one) },
    }));
  return { attempts, left: left.length };
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
  const slowest = Math.max(...wanted.map(({ terms }) => terms.delivery.timeout_ms));
  const until = new Date(Number(now) + ACQUIRE_MS + slowest + ANSWER_SLACK_MS);
  const wave = { run: lease.id, want: wanted.length, most: concurrent, now, until };
  return destinations.enter(buyerId, wave);
}

/** Key of the caps that apply to a lead: equal for leads with the same caps. */
const limitsOf = ({ task: { lead } }: RowToSend): string =>
  `${lead.campaign_id} ${lead.supplier_id} ${lead.is_test}`;

/** When the buyer of a waiting row opens, whether or not new leads are held for it; null when it is open. */
const opening = (
  { terms, task }: RowToSend,
  { clock }: Pick<ScreeningDeps, 'clock'>,
): Date | null => findOpening({ ...terms, when_closed: 'HOLD' }, clock.now(), task.plan.time_zone);

/**
 * No room in the caps (or too many leads in flight), the buyer is closed or must not have the lead at present, or
 * another buyer may have it: these rows wait again, and give way to those that can be sent.
 */
async function putOff(
  blocked: readonly RowToSend[],
  limits: WaveLimits,
  deps: ScreeningDeps,
): Promise<void> {
  if (blocked.length === 0) return;
  const soon = new Date(Number(deps.clock.now()) + putOffMs(limits.putOff));
  const byDue = Map.groupBy(blocked, (one) => Number(opening(one, deps) ?? soon));
  await Promise.all(
    [...byDue].map(([due, group]) =>
      deps.deliveries.move(
        group.map(({ row }) => row._id),
        ['parked'],
        'parked',
        { due_at: new Date(due) },
      ),
    ),
  );
}

/** Rows of leads that cannot be decided: both wait, until the row's age limit. */
export async function releaseAndPutOff(
  stuck: readonly { row: DeliveryDoc }[],
  lease: Lease,
  { putOff: before }: WaveLimits,
  { deliveries, leads, clock, log }: Pick<ScreeningDeps, 'deliveries' | 'leads' | 'clock' | 'log'>,
): Promise<void> {
  if (stuck.length === 0) return;
  const now = clock.now();
  const due_at = new Date(Number(now) + putOffMs(before));
  const ids = stuck.map(({ row }) => row._id);
  await deliveries.move(ids, ['parked'], 'parked', { due_at });
  const handed = stuck.map(({ row }) => ({ leadId: row.lead_id, trail: [] }));
  // One whose document is broken may not be updated: then its lease ends by itself.
  await leads
    .park(lease.id, handed, now, lease.subscriptions)
    .catch((error: unknown) => log.warn({ err: error }, 'leads could not be released'));
}

async function parkAgain(
  wanted: readonly RowToSend[],
  lease: Lease,
  deps: ScreeningDeps,
): Promise<void> {
  // A row may be checked for days: the trail names what it waits for once, when it begins to wait. A lead whose other
  // attempt was left keeps its run, like one whose run died: it is resumed when the lease ends, which settles both.
  const handed = wanted
    .filter(({ isLeft }) => !isLeft)
    .map(({ row }) => ({ leadId: row.lead_id, trail: [] }));
  if (handed.length > 0)
    await deps.leads.park(lease.id, handed, deps.clock.now(), lease.subscriptions);
}
