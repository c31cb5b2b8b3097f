/**
 * Each lead is counted in the windows that its account's calendar gives, by the checker's own arithmetic; `caps.ts`
 * and `counters.ts` add up by the windows that the record names for each lead.
 */
import type { CountedKeys } from '../../../src/fields/windowKeys.js';
import type { CapDoc } from '../../../src/routing/store/capDocs.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import { dayAt, hourAt, longerWindows } from '../load/calendar.js';
import type { Instant, Violation } from '../evidence/evidence.js';
import type { Facts, Property } from './facts.js';

export const windows: Property = (facts) => [
  ...facts.evidence.record.deliveries.flatMap((row) => judgeRow(row, facts)),
  ...facts.evidence.record.caps.flatMap((doc) => judgeCounter(doc, facts)),
];

/** From the reservation to the buyer's decision, in milliseconds: a run that is late sends nothing any more. */
const SENT_WITHIN_MS = 30_000;

function judgeRow(row: DeliveryDoc, facts: Facts): Violation[] {
  if (row.reserved === null) return [];
  const named = [row.reserved, ...Object.values(row.reserved_apart ?? {})];
  const [first] = named.flatMap((keys) => judgeKeys(row, keys, facts));
  return first ? [first] : [];
}

function judgeKeys(row: DeliveryDoc, keys: CountedKeys, facts: Facts): Violation[] {
  const { day } = keys;
  const [from, to] = countedBetween(row, facts);
  const zone = facts.campaigns.get(row.campaign_id)?.time_zone;
  const [first, last] = [dayAt(from, zone), dayAt(to, zone)];
  const found = (what: string): Violation[] => [
    { total: 'over cap', rule: 'counted_in_wrong_window', what, lead_id: row.lead_id },
  ];
  if (day < first || day > last) {
    const right = first === last ? first : `${first} to ${last}`;
    return found(`row ${row._id} counts in day ${day}, but its slot was taken on ${right}`);
  }
  const { hour } = keys;
  const [begun, over] = [hourAt(from, zone), hourAt(to, zone)];
  if (
    hour !== undefined &&
    (hour < begun || hour > over || dayAt(Date.parse(hour), zone) !== day)
  ) {
    const right = begun === over ? begun : `${begun} to ${over}`;
    return found(
      `row ${row._id} counts in hour ${hour} of ${day}, but its slot was taken in ${right}`,
    );
  }
  const { week, month } = longerWindows(day);
  if (keys.week === week && keys.month === month) return [];
  const said = `week ${keys.week} and month ${keys.month}`;
  return found(`row ${row._id} counts in ${said}, but day ${day} is in ${week} and ${month}`);
}

/**
 * When the reservation of a row may have been taken. A sale reserves on the day that its buyer was sent the lead,
 * however long the lead waited; the buyer's own journal says when that was.
 */
function countedBetween(
  row: DeliveryDoc,
  { requestsOf, evidence, leads }: Facts,
): [Instant, Instant] {
  const created = leads.get(row.lead_id)?.created_at ?? row.created_at;
  const asked = requestsOf(row.lead_id).filter(({ buyer_id }) => buyer_id === row.buyer_id);
  const taken = asked.find(({ decision }) => decision === 'accepted');
  const from = taken ? taken.at - SENT_WITHIN_MS : 0;
  const to = row.state === 'accepted' ? row.settled_at?.getTime() : undefined;
  return [Math.max(from, created.getTime()), to ?? evidence.record.readAt];
}

/** Windows that are open at the end have started by then, all by the same day. */
function judgeCounter(doc: CapDoc, { campaigns, evidence }: Facts): Violation[] {
  const [, campaignId = ''] = doc._id.split(':');
  const zone = campaigns.get(campaignId)?.time_zone;
  const today = dayAt(evidence.record.readAt, zone);
  const { week, month } = longerWindows(doc.day.key);
  const { key: hour = null } = doc.hour ?? {};
  const isHour =
    hour === null ||
    (hour <= hourAt(evidence.record.readAt, zone) && dayAt(Date.parse(hour), zone) === doc.day.key);
  const isRight =
    isHour && doc.day.key <= today && doc.week.key === week && doc.month.key === month;
  if (isRight) return [];
  const what = `counter ${doc._id} is in hour ${hour}, day ${doc.day.key}, week ${doc.week.key} and month ${doc.month.key}, but it is ${today}`;
  return [{ total: 'over cap', rule: 'counter_in_wrong_window', what }];
}
