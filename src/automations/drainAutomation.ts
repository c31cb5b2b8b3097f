/** The durable lane of events: one call of an automation's drain. */
import { chooseQueue } from '../deliveries/rules/choice.js';
import { setTimeout as delay } from 'node:timers/promises';
import type { AutomationDoc } from '../account/store/automationDocs.js';
import type { DestinationDoc } from '../deliveries/store/destinationDoc.js';
import {
  drainLoop,
  type CallBudget,
  type Remaining,
  type WaveResult,
} from '../deliveries/destinations/drainLoop.js';
import { chooseEvents, isFirst, selectLeastTried } from './chains.js';
import { recordAutomationHealth, type AutomationHealthDeps } from './recordAutomationHealth.js';
import type { SendResult } from './senders/sender.js';
import { sendWave, type WaveDeps } from './wave.js';

export interface AutomationDrainDeps extends WaveDeps, AutomationHealthDeps {
  clock: WaveDeps['clock'];
  collections: WaveDeps['collections'] & AutomationHealthDeps['collections'];
  metrics: { eventAttempts: { inc(labels: { result: SendResult['kind'] }): void } };
  /** How long a drain without events to send continues to poll, in milliseconds; default 1,000. */
  lingerMs?: number;
}

/** A wake-up costs more than polling for a while, because events come in groups. In milliseconds. */
const LINGER_MS = 1_000;
/** Time between two polls, in milliseconds. */
const POLL_INTERVAL_MS = 250;
/** Maximum deliveries of one wave. */
const WAVE_MAX = 100;
/** Maximum deliveries counted for display. */
const COUNTED_MAX = 1_000;

/**
 * Sends what is due to an automation, the oldest first and of each lead in order, until nothing is, it fails, or
 * the time of the call is over. Safe to repeat, and in parallel with a call that was thought dead: neither sends a
 * delivery that the other has acquired.
 */
export function drainAutomation(
  automationId: string,
  budget: CallBudget,
  deps: AutomationDrainDeps,
): ReturnType<typeof drainLoop> {
  const { clock, lingerMs = LINGER_MS } = deps;
  let pollUntil = clock.monotonic() + lingerMs;
  const sendWave = async (): Promise<WaveResult> => {
    const wave = await nextWave(automationId, deps);
    if (wave === 'closed') return { sent: 0, isLast: true };
    if (wave === 'more') return { sent: 0, isLast: false };
    if (wave > 0) pollUntil = clock.monotonic() + lingerMs;
    else if (clock.monotonic() >= pollUntil) return { sent: 0, isLast: true };
    else await delay(POLL_INTERVAL_MS);
    return { sent: wave, isLast: false };
  };
  const steps = { sendWave, readRemaining: () => readRemaining(automationId, deps) };
  return drainLoop(automationId, steps, budget, deps);
}

/**
 * The number sent; `closed` where nothing may be sent, however much is due; `more` where all deliveries that were read
 * must wait for other events, and there may be later ones that need not.
 */
async function nextWave(
  automationId: string,
  deps: AutomationDrainDeps,
): Promise<number | 'closed' | 'more'> {
  const now = deps.clock.now();
  const due = await deps.eventDeliveries.due(automationId, now, WAVE_MAX);
  if (due.length === 0) return 0;
  const later = due.filter((row) => !isFirst(row)).flatMap(({ lead_id }) => lead_id ?? []);
  const [[automation], destination, waiting] = await Promise.all([
    deps.automations.get([automationId]),
    destinationOf(automationId, deps),
    later.length === 0 ? [] : deps.eventDeliveries.ofLeads(automationId, [...new Set(later)]),
  ]);
  if (!isOpen(automation) || chooseQueue(destination, now).kind === 'later') return 'closed';
  const { chains: sendable, later: blocked } = chooseEvents(due, waiting);
  // Otherwise they would precede the sendable ones at every poll.
  await deps.eventDeliveries.putOff(blocked);
  const chains = selectLeastTried(sendable);
  // A failing automation is probed with one delivery; a healthy one gets all there are.
  const isProbe = (destination?.failures ?? 0) > 0;
  const some = isProbe ? chains.slice(0, 1).map((chain) => chain.slice(0, 1)) : chains;
  if (some.length === 0) return blocked.length > 0 ? 'more' : 0;
  const { results, settled, passed } = await sendWave(automation, some, deps);
  await deps.eventDeliveries.releasePutOff(automationId, passed, deps.clock.now());
  for (const { kind } of results) deps.metrics.eventAttempts.inc({ result: kind });
  await recordAutomationHealth(automation, results, deps);
  return settled;
}

const isOpen = (automation: AutomationDoc | undefined): automation is AutomationDoc =>
  automation?.status === 'active';

async function readRemaining(automationId: string, deps: AutomationDrainDeps): Promise<Remaining> {
  const [[automation], destination, due] = await Promise.all([
    deps.automations.get([automationId]),
    destinationOf(automationId, deps),
    deps.eventDeliveries.nextDue(automationId),
  ]);
  // Nothing is left that fails: another failure, perhaps days later, starts the time anew.
  if (isOpen(automation) && due === null && automation.failing_since)
    await deps.automations.recordRecovered(automationId);
  if (!isOpen(automation) || due === null) return { waiting: 0, nextInMs: null, resting: false };
  const waiting = await deps.eventDeliveries.countWaiting(automationId, COUNTED_MAX);
  const now = deps.clock.now();
  const choice = chooseQueue(destination, now);
  // An event that arrives during a cooldown wakes no drain, and may be due at its end, whatever waits now.
  const checkAt = choice.kind === 'later' ? choice.at : due;
  const nextInMs = Number(checkAt) - Number(now);
  return { waiting, nextInMs, resting: choice.kind === 'later' };
}

const destinationOf = async (
  id: string,
  deps: AutomationDrainDeps,
): Promise<DestinationDoc | undefined> => (await deps.destinations.get([id])).get(id);
