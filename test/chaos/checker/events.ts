/** Every expected event exists once and is delivered, and every event has a cause on record. */
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { EventDeliveryDoc } from '../../../src/automations/store/automationDocs.js';
import type { ChangeDoc } from '../../../src/outcomes/store/outcomeDocs.js';
import type { LeadEvent } from '../../../src/events/store/eventDocs.js';
import type { AutomationFacts } from '../afterSale/evidence.js';
import type { Evidence, Total, Violation } from '../evidence/evidence.js';
import { stateOf, type Property } from './facts.js';
import { madeOf } from './said.js';

export const events: Property = ({ evidence, leads }) => {
  const { automations, outcomes } = evidence.after;
  const told = leadEventsOf(evidence);
  const byLead = Map.groupBy(told, ({ data }) => data.lead_id);
  const changes = Map.groupBy(outcomes, ({ lead_id }) => lead_id);
  const listening = Map.groupBy(automations, ({ campaign_id }) => campaign_id);
  const deliveries = new Map(evidence.after.eventDeliveries.map((row) => [row._id, row]));
  return [
    ...evidence.record.leads.flatMap((lead) => {
      const own = byLead.get(lead._id) ?? [];
      const made = madeOf(changes.get(lead._id) ?? []);
      return [
        ...(listening.get(lead.campaign_id) ?? []).flatMap((automation) => [
          ...counted(lead, automation, own, made),
          ...delivered(automation, own, deliveries),
        ]),
        ...numbered(own),
        ...untold(lead),
      ];
    }),
    ...told.flatMap((event) =>
      leads.has(event.data.lead_id) ? [] : untrue(event, 'is of a lead that is not on record'),
    ),
  ];
};

/** In the order in which they happened. */
export const leadEventsOf = ({ after }: Pick<Evidence, 'after'>): LeadEvent[] =>
  after.events
    .filter((event): event is LeadEvent => 'lead_id' in event.data)
    .sort((a, b) => a.data.n - b.data.n);

const found = (total: Total, rule: string, lead_id: string, what: string): Violation[] => [
  { total, rule, what, lead_id },
];

const untrue = ({ _id, type, data }: LeadEvent, what: string): Violation[] =>
  found('false answers', 'event_untrue', data.lead_id, `${type} ${_id} ${what}`);

function counted(
  lead: Lead,
  { trigger }: AutomationFacts,
  all: readonly LeadEvent[],
  made: readonly ChangeDoc[],
): Violation[] {
  const own = all.filter(({ type }) => type === trigger);
  const wanted = countOf(lead, trigger, made);
  if (own.length < wanted) {
    const what = `${stateOf(lead)}, and ${wanted - own.length} of its ${wanted} ${trigger} are missing`;
    return found('lost', 'event_missing', lead._id, what);
  }
  if (own.length > wanted) {
    const what = `${stateOf(lead)}, and has ${own.length} ${trigger}, not ${wanted}`;
    return wanted > 0
      ? found('doubled', 'event_doubled', lead._id, what)
      : found('false answers', 'event_untrue', lead._id, what);
  }
  if (trigger !== 'lead.outcome') return [];
  return own.flatMap((event, index) => {
    const ask = made[index]?.ask;
    const said = ask?.kind === 'outcome' ? ask.outcome : undefined;
    if (event.data.outcome === said) return [];
    return untrue(event, `says ${event.data.outcome}, and outcome ${index + 1} was ${said}`);
  });
}

/** By the lead's final state. A lead refused with 503 has no events. */
function countOf(
  { status, sales, is_test }: Lead,
  trigger: AutomationFacts['trigger'],
  made: readonly ChangeDoc[],
): number {
  switch (trigger) {
    case 'lead.created':
      return status === 'NEW' || status === 'WITHDRAWN' ? 0 : 1;
    case 'lead.accepted':
      return sales.length > 0 ? 1 : 0;
    case 'lead.unmatched':
      return status === 'UNMATCHED' ? 1 : 0;
    case 'lead.outcome':
      return is_test ? 0 : made.length;
  }
}

function numbered(own: readonly LeadEvent[]): Violation[] {
  return own.flatMap((event, index) => {
    const { lead_id, n } = event.data;
    if (own[index - 1]?.data.n === n) {
      const what = `${event._id} and ${own[index - 1]?._id} are both number ${n} of lead ${lead_id}`;
      return found('doubled', 'event_doubled', lead_id, what);
    }
    return event._id === `evt_${lead_id}_${n}` ? [] : untrue(event, `is number ${n} of ${lead_id}`);
  });
}

function delivered(
  { automation_id, trigger }: AutomationFacts,
  all: readonly LeadEvent[],
  deliveries: ReadonlyMap<string, EventDeliveryDoc>,
): Violation[] {
  return all.flatMap(({ _id, type, data }) => {
    const row = deliveries.get(`${automation_id}:${_id}`);
    if (type !== trigger || row?.state === 'delivered') return [];
    const is = row ? `is ${row.state} after ${row.attempts} attempts` : 'has no delivery';
    const what = `${type} ${_id} ${is} (${row?.reason ?? 'no reason'})`;
    return row?.state === 'waiting'
      ? found('undecided', 'event_still_waiting', data.lead_id, what)
      : found('lost', 'event_undelivered', data.lead_id, what);
  });
}

function untold(lead: Lead): Violation[] {
  if (!lead.untold || lead.untold.length === 0) return [];
  const what = `${stateOf(lead)}, and still has ${lead.untold.length} events that nobody was told of`;
  return found('undecided', 'lead_untold', lead._id, what);
}
