/** Automations' health as their answers show it: their cooldowns, and when they are disabled. */
import {
  addSample,
  recordHealth,
  type HealthSample,
  type HealthSamples,
} from '../deliveries/destinations/recordHealth.js';
import { publishDisabled, type PublishDeps } from './publishEvents.js';
import type { Log } from '../lib/log.js';
import type { AutomationDoc } from '../account/store/automationDocs.js';
import type { DestinationStore } from '../deliveries/store/destinations.js';
import type { AutomationStore } from './store/automations.js';
import type { EventDeliveryStore } from './store/eventDeliveries.js';
import type { Clock } from '../lib/clock.js';
import { isAnswered, type SendResult } from './senders/sender.js';

export interface AutomationHealthDeps extends PublishDeps {
  clock: Clock;
  log: Log;
  destinations: DestinationStore;
  automations: AutomationStore;
  eventDeliveries: EventDeliveryStore;
}

const DAY_MS = 86_400_000;
/** An automation without a successful delivery for this long is disabled, in milliseconds. */
const FAILING_FOR_MS = 3 * DAY_MS;

/**
 * Counts failures in a row, as for a buyer: after five it has a cooldown, and is probed. When it has recovered, waiting
 * retries become due at once, except events that it refused itself. An automation that refuses everything has no
 * cooldown; it is disabled like one without a successful delivery.
 */
export async function recordAutomationHealth(
  automation: AutomationDoc,
  answers: readonly SendResult[],
  deps: AutomationHealthDeps,
): Promise<void> {
  // A refusal concerns one event and is no evidence about the receiver; neither is an event that our limit held back.
  const results = answers.filter((one) => one.kind !== 'refused' && !('ownLimit' in one));
  if (results.length === 0) return;
  const now = deps.clock.now();
  const gone = results.find((result) => result.kind === 'gone');
  if (gone) {
    await disableAutomation(automation, `${gone.reason}: the address accepts no more events`, deps);
    return;
  }
  await recordCooldown(automation, results, now, deps);
  if (results.some(({ kind }) => kind === 'delivered')) {
    if (automation.failing_since) await deps.automations.recordRecovered(automation._id);
    return;
  }
  if (!automation.failing_since) await deps.automations.recordFailing(automation._id, now);
  else if (Number(now) - Number(automation.failing_since) >= FAILING_FOR_MS)
    await disableAutomation(
      automation,
      `nothing has arrived for 3 days: ${lastReason(results)}`,
      deps,
    );
}

const lastReason = (results: readonly SendResult[]): string => {
  const last = results.at(-1);
  return last && 'reason' in last ? last.reason : '';
};

async function recordCooldown(
  { _id, org_id }: AutomationDoc,
  results: readonly SendResult[],
  now: Date,
  deps: AutomationHealthDeps,
): Promise<void> {
  const samples: HealthSamples = new Map();
  for (const result of results)
    addSample(samples, { buyer_id: _id, org_id, verdict: verdictOf(result) });
  const { destinations } = deps;
  const noted = { recovered: false };
  await recordHealth(samples, 'delivery', now, {
    ...deps,
    destinations: {
      ...destinations,
      failed: (id, failing) => destinations.failed(id, { ...failing, quiet: true }),
    },
    events: { flush: () => Promise.resolve(0) },
    wake: () => (noted.recovered = true),
  });
  if (noted.recovered) await deps.eventDeliveries.makeDue(_id, now);
}

function verdictOf(result: SendResult): HealthSample['verdict'] {
  const http_status = 'http_status' in result ? result.http_status : undefined;
  if (result.kind === 'delivered') return { result: 'accepted', http_status };
  const retry_after_ms = 'retryAfterMs' in result ? result.retryAfterMs : undefined;
  return { result: isAnswered(result) ? 'rejected' : 'not_taken', http_status, retry_after_ms };
}

/** Permanent, until a person activates it again: waiting events are kept for that person. */
async function disableAutomation(
  automation: AutomationDoc,
  reason: string,
  deps: AutomationHealthDeps,
): Promise<void> {
  if (!(await deps.automations.disable(automation._id, reason, deps.clock.now()))) return;
  deps.log.warn({ automation_id: automation._id, reason }, 'an automation was disabled');
  await finishDisabling(automation._id, deps);
}

/** The steps after an automation is disabled. Repeating it changes nothing. */
export async function finishDisabling(
  automationId: string,
  deps: Omit<AutomationHealthDeps, 'destinations' | 'log'>,
): Promise<void> {
  await deps.eventDeliveries.deadLetterAll(automationId, 'the automation was disabled');
  const [automation] = await deps.automations.get([automationId]);
  if (automation) await publishDisabled(automation, deps);
}
