/** No lead is sold too often: not to too many buyers, not twice to one, and not as two leads of one sending. */
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { Violation } from '../evidence/evidence.js';
import { saidYes } from './around.js';
import { isSold, type Facts, type Operation, type Property } from './facts.js';

export const soldTwice: Property = (facts) => [
  ...takenByTooMany(facts),
  ...soldTooOften(facts),
  ...takenTwice(facts),
  ...intentsSoldTwice(facts),
  ...keysSoldTwice(facts),
];

/** A buyer with the policy `fail_over` may keep a lead whose acceptance was lost: its row was abandoned. */
function takenByTooMany(facts: Facts): Violation[] {
  const { evidence, requestsOf, rowsOf, buyerLink } = facts;
  return evidence.record.leads.flatMap((lead): Violation[] => {
    const most = mostSells(lead, facts);
    const accepts = requestsOf(lead._id).filter(({ decision }) => decision === 'accepted');
    if (accepts.length <= most) return [];
    const wasAbandoned = (buyerId: string): boolean => {
      const link = buyerLink(lead.campaign_id, buyerId);
      const rows = rowsOf(lead._id).filter((row) => row.buyer_id === buyerId);
      return (
        link?.honours_idempotency_key === false &&
        link.on_unknown === 'fail_over' &&
        !saidYes(lead._id, link, facts) &&
        rows.length > 0 &&
        rows.every(({ state }) => state === 'abandoned')
      );
    };
    const takers = [...new Set(accepts.map(({ buyer_id }) => buyer_id))];
    const known = takers.filter((buyerId) => !wasAbandoned(buyerId));
    if (known.length <= most) return [];
    const what = `buyers ${known.join(' and ')} accepted lead ${lead._id}, which may be sold to ${most}`;
    return [{ total: 'doubled', rule: 'taken_by_too_many', what, lead_id: lead._id }];
  });
}

const mostSells = (lead: Lead, { campaigns }: Facts): number =>
  campaigns.get(lead.campaign_id)?.max_sells ?? 1;

/** By the record: no more sales than the campaign allows, and never two to one buyer. */
function soldTooOften(facts: Facts): Violation[] {
  return facts.evidence.record.leads.flatMap((lead): Violation[] => {
    const { _id, sales } = lead;
    const most = mostSells(lead, facts);
    const buyers = sales.map(({ buyer_id }) => buyer_id);
    const found = (rule: string, why: string): Violation[] => [
      {
        total: 'doubled',
        rule,
        what: `lead ${_id} has sales to ${buyers.join(', ')}; ${why}`,
        lead_id: _id,
      },
    ];
    return [
      ...(sales.length > most ? found('sold_past_max_sells', `it may be sold to ${most}`) : []),
      ...(new Set(buyers).size < buyers.length
        ? found('sold_again_to_one_buyer', 'no buyer gets one twice')
        : []),
    ];
  });
}

/** Every buyer accepts a lead only once: one that honors keys by its memory, any other because it is not resent. */
function takenTwice({ requests }: Facts): Violation[] {
  const accepts = requests.filter(({ decision }) => decision === 'accepted');
  const perSale = Map.groupBy(accepts, ({ lead_id, buyer_id }) => `${lead_id} ${buyer_id}`);
  return [...perSale.values()].flatMap((own): Violation[] => {
    const [first] = own;
    if (!first || own.length < 2) return [];
    const numbers = own.map(({ request }) => request).join(', ');
    const what = `buyer ${first.buyer_id} accepted lead ${first.lead_id} ${own.length} times, in requests ${numbers}`;
    return [{ total: 'doubled', rule: 'taken_twice', what, lead_id: first.lead_id }];
  });
}

/**
 * A supplier that sent one lead and received two ids, both sold, pays for its own retry. Where repeats are sold on
 * purpose, a lead that was sent again without a key is one more repeat.
 */
function intentsSoldTwice({ operations, leads, campaigns }: Facts): Violation[] {
  const named = operations.filter(
    ({ asked, told }) => told?.outcome === 'ok' && told.lead_id !== null && asked.altered !== true,
  );
  const isWanted = ({ asked }: Operation): boolean =>
    asked.idempotency_key === null &&
    campaigns.get(asked.campaign_id)?.on_duplicate === 'ROUTE_TO_ORIGINAL';
  return [...Map.groupBy(named, ({ asked }) => asked.intent)].flatMap(
    ([intent, own]): Violation[] => {
      if (own.length < 2) return [];
      const ids = own.map(({ told }) => told?.lead_id ?? '');
      const sold = soldAmong(ids, leads).filter(
        ({ duplicate_of }) => duplicate_of === undefined || !own.every(isWanted),
      );
      return twoSold(sold, 'intent_sold_twice', `intent ${intent}`, intent);
    },
  );
}

/** The same, where only the key shows it: one of the two was never acknowledged. */
function keysSoldTwice({ evidence }: Facts): Violation[] {
  const keyed = evidence.record.leads.filter(
    (lead) => lead.idempotency_id !== undefined && isSold(lead),
  );
  return [...Map.groupBy(keyed, (lead) => lead.idempotency_id)].flatMap(([key, sold]) =>
    twoSold(sold, 'key_sold_twice', `the key ${key ?? ''}`),
  );
}

const soldAmong = (ids: readonly string[], leads: Facts['leads']): Lead[] =>
  [...new Set(ids)].flatMap((id) => {
    const lead = leads.get(id);
    return lead && isSold(lead) ? [lead] : [];
  });

function twoSold(sold: readonly Lead[], rule: string, whose: string, intent?: number): Violation[] {
  const [first] = sold;
  if (!first || sold.length < 2) return [];
  const what = `${whose} was sold as leads ${sold.map(({ _id }) => _id).join(' and ')}`;
  const about = { lead_id: first._id, ...(intent === undefined ? {} : { intent }) };
  return [{ total: 'doubled', rule, what, ...about }];
}
