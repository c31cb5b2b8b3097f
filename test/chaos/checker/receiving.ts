/** The receiver of events got all events that count as delivered, no others, and those of each lead in order. */
import type { LeadEvent } from '../../../src/events/store/eventDocs.js';
import type { AutomationFacts, ReceivedLine } from '../afterSale/evidence.js';
import type { Total, Violation } from '../evidence/evidence.js';
import { leadEventsOf } from './events.js';
import type { Property } from './facts.js';

export const receiving: Property = ({ evidence }) => {
  const { automations, received, eventDeliveries } = evidence.after;
  const told = new Map(leadEventsOf(evidence).map((event) => [event._id, event]));
  const senders = new Map(automations.map((one) => [one.automation_id, one]));
  const taken = received.filter(isTaken);
  const arrived = new Set(taken.map(deliveryOf));
  const unseen = eventDeliveries.filter(
    ({ _id, state }) => state === 'delivered' && !arrived.has(_id),
  );
  return [
    ...unseen.flatMap(({ _id, event_id, lead_id }) => {
      const what = `delivery ${_id} is delivered, but the receiver has said yes to no ${event_id}`;
      return found('lost', 'event_not_received', lead_id ?? undefined, what);
    }),
    ...received.flatMap((line) => judge(line, told.get(line.event_id), senders)),
    ...[...Map.groupBy(received, deliveryOf).values()].flatMap(changed),
    ...[...Map.groupBy(taken, (line) => `${line.automation_id}:${line.lead_id}`).values()].flatMap(
      (lines) => order(lines, told),
    ),
  ];
};

/** The receiver accepted it, whether or not the service got the answer. */
export const isTaken = ({ status }: ReceivedLine): boolean => status >= 200 && status < 300;

export const deliveryOf = ({ automation_id, event_id }: ReceivedLine): string =>
  `${automation_id}:${event_id}`;

const found = (
  total: Total,
  rule: string,
  lead_id: string | undefined,
  what: string,
): Violation[] => [{ total, rule, what, ...(lead_id === undefined ? {} : { lead_id }) }];

function judge(
  { event_id, automation_id, lead_id, type, flaw }: ReceivedLine,
  event: LeadEvent | undefined,
  senders: ReadonlyMap<string, AutomationFacts>,
): Violation[] {
  const off = (rule: string, what: string): Violation[] =>
    found('false answers', rule, lead_id, `the receiver was told of ${event_id} ${what}`);
  if (flaw !== undefined) return off('event_flawed', `by a request that is wrong: ${flaw}`);
  if (!event) return off('event_unknown', 'which is not on record');
  const { trigger, campaign_id } = senders.get(automation_id) ?? {};
  const isRight =
    event.type === type &&
    event.data.lead_id === lead_id &&
    event.type === trigger &&
    event.data.campaign_id === campaign_id;
  if (isRight) return [];
  return off('event_misdirected', `as ${type} of ${lead_id} by an automation for ${trigger}`);
}

/** Every sending of an event has the same bytes. */
function changed(lines: readonly ReceivedLine[]): Violation[] {
  const [first] = lines;
  if (!first || lines.every(({ body }) => body === first.body)) return [];
  const what = `the receiver was told of ${first.event_id} in different words`;
  return found('false answers', 'event_changed', first.lead_id, what);
}

/** The receiver first accepts an event before it first accepts a later one of the same lead. */
function order(lines: readonly ReceivedLine[], told: ReadonlyMap<string, LeadEvent>): Violation[] {
  const seen = new Set<string>();
  let last: LeadEvent | undefined;
  return lines.flatMap(({ event_id, lead_id }) => {
    const event = told.get(event_id);
    if (!event || seen.has(event_id)) return [];
    seen.add(event_id);
    const before = last;
    if (!before || event.data.n > before.data.n) last = event;
    if (!before || event.data.n > before.data.n) return [];
    const what = `the receiver had ${event_id} only after ${before._id}`;
    return found('false answers', 'event_out_of_order', lead_id, what);
  });
}
