/** The counters behind the rare states. */
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { TrailEntry } from '../../../src/leads/rules/trail.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import type { Facts } from '../checker/facts.js';

export type Counter = (facts: Facts) => number;

export function leads(is: (lead: Lead) => boolean): Counter {
  return ({ leads: all }) => [...all.values()].filter(is).length;
}

export function rows(is: (row: DeliveryDoc) => boolean): Counter {
  return ({ evidence }) => evidence.record.deliveries.filter(is).length;
}

export function requests(is: (request: Facts['requests'][number]) => boolean): Counter {
  return ({ requests: all }) => all.filter(is).length;
}

export const isResumed = ({ step, result }: TrailEntry): boolean =>
  step === 'delivery' && result === 'resumed';
export const isWaiting = ({ step, result }: TrailEntry): boolean =>
  step === 'closing' && result === 'waiting';

/** Leads that waited when Temporal's store was lost, and were decided later. */
export function acrossLoss(waits: (entry: TrailEntry) => boolean): Counter {
  return ({ leads: all, faults }) => {
    const losses = faults.filter(({ type }) => type === 'delete_temporal');
    const spans = ({ trail, decided_at }: Lead): boolean =>
      losses.some(
        ({ at }) =>
          trail.some((entry) => waits(entry) && Number(entry.at) < at) &&
          (!decided_at || Number(decided_at) > at),
      );
    return [...all.values()].filter(spans).length;
  };
}
