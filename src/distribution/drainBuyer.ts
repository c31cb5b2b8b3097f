/** The durable lane: one call of a destination's drain. */
import { setTimeout as delay } from 'node:timers/promises';
import { breakerState, unavailableUntil } from '../deliveries/rules/breaker.js';
import { chooseQueue } from '../deliveries/rules/choice.js';
import type { DestinationDoc } from '../deliveries/store/destinationDoc.js';
import type { Backlog } from '../deliveries/store/waiting.js';
import type { DrainResult } from '../../workflows/messages.js';
import {
  drainLoop,
  type CallBudget,
  type Remaining,
  type WaveResult,
} from '../deliveries/destinations/drainLoop.js';
import { sendBatch, type BatchDeps, type Wave } from './drainBatch.js';
import { expireAged } from './expiry.js';
import type { Failovers } from './failovers.js';

export interface DrainDeps extends BatchDeps {
  failovers: Failovers;
}

/** Maximum wait of a call between two waves, in milliseconds. */
const PAUSE_MAX_MS = 1_000;
const NO_WAVE: Wave = { sent: 0, sold: [], putOff: 0, read: 0, failover: null, nextAt: 0 };
/** Maximum rows read together where those before them could not be sent. */
const CHECKED_MAX = 200;
/** Rows of a kind counted at most for the backlog an operator sees. */
const BACKLOG_MAX = 10_000;

/** A call ends when it has sold this number of leads: its result names them, for the workflow to list. */
const SOLD_MAX = 1_000;

/** Sends due rows of a buyer until none is due, it fails, enough are sold, or the time of the call is over. */
export async function drainBuyer(
  buyerId: string,
  budget: CallBudget,
  deps: DrainDeps,
): Promise<DrainResult> {
  let [putOff, toRead] = [0, 0];
  const sold: string[] = [];
  const sendWave = async (): Promise<WaveResult> => {
    if (!(await deps.failovers.room(buyerId, budget.leftMs()))) return { sent: 0, isLast: true };
    const expired = await expireAged(buyerId, deps);
    const destination = (await deps.destinations.get([buyerId])).get(buyerId);
    const choice = chooseQueue(destination, deps.clock.now());
    const wave =
      choice.kind === 'send'
        ? await sendBatch(buyerId, destination, deps, { toRead, putOff })
        : NO_WAVE;
    if (wave.failover) deps.failovers.add(buyerId, wave.failover.leads, wave.failover.work);
    putOff += wave.putOff;
    sold.push(...wave.sold);
    // Where some could not be sent, more of them may come before those that can.
    toRead = wave.putOff > 0 ? Math.min(CHECKED_MAX, wave.read * 4) : 0;
    const hasNothing = wave.sent + wave.putOff + expired === 0;
    const mayGoOn = wave.sent === 0 || (await waitFor(wave.nextAt, buyerId, deps));
    const isLast = hasNothing || !mayGoOn || sold.length >= SOLD_MAX;
    return { sent: wave.sent, isLast };
  };
  const steps = { sendWave, readRemaining: () => readRemaining(buyerId, deps) };
  const drained = await drainLoop(buyerId, steps, budget, deps);
  return sold.length > 0 ? { ...drained, sold } : drained;
}

/**
 * Waits for the next wave. A pause that is long for a call is stored instead, so that the workflow sleeps
 * through it and the next drain keeps it: false.
 */
async function waitFor(nextAt: number, buyerId: string, deps: DrainDeps): Promise<boolean> {
  const pauseMs = nextAt - deps.clock.monotonic();
  if (pauseMs <= 0) return true;
  if (pauseMs <= PAUSE_MAX_MS) {
    await delay(pauseMs);
    return true;
  }
  await deps.destinations.pace(buyerId, new Date(Number(deps.clock.now()) + pauseMs));
  return false;
}

async function readRemaining(buyerId: string, deps: DrainDeps): Promise<Remaining> {
  const backlog = await deps.deliveries.backlog(buyerId, BACKLOG_MAX);
  const { waiting, due, ends } = backlog;
  if (ends === null) return { waiting, nextInMs: null, resting: false };
  const now = deps.clock.now();
  const destination = (await deps.destinations.get([buyerId])).get(buyerId);
  const isAsked = (destination?.asked ?? []).length > 0;
  const dueAt = isAsked ? Number(now) : Number(due ?? Infinity);
  const choice = chooseQueue(destination, now);
  // A row that arrives during a cooldown wakes no drain, and may be due at its end, whatever waits now.
  const checkAt = choice.kind === 'later' ? Number(choice.at) : dueAt;
  const sendAt = Math.max(dueAt, unavailableUntil(destination));
  return {
    waiting,
    nextInMs: Math.max(0, Math.min(checkAt, Number(ends)) - Number(now)),
    resting: choice.kind === 'later',
    backlog: asShown(backlog, destination, sendAt, now),
  };
}

function asShown(
  { parked, held, unknown, oldest }: Backlog,
  destination: DestinationDoc | undefined,
  sendAt: number,
  now: Date,
): DrainResult['backlog'] {
  const isAllHeld = destination?.held === true;
  // Rows may have begun to wait between the two counts: then none of those that are sent is known yet.
  const isKnown = !isAllHeld && parked !== held && Number.isFinite(sendAt);
  const next = isKnown ? new Date(sendAt).toISOString() : null;
  return {
    parked: isAllHeld ? 0 : parked - held,
    held: isAllHeld ? parked : held,
    unknown,
    limit: BACKLOG_MAX,
    oldest: oldest?.toISOString() ?? null,
    next,
    breaker: breakerState(destination, now),
    all_held: isAllHeld,
  };
}
