/** No request goes out without permission: a row, its time, an open lead, the same key, and never blindly again. */
import { groupBy } from '../../../src/domain/groupBy.js';
import type { BuyerDecision, Instant, Violation } from '../evidence.js';
import { stateOf, type BuyerRequest, type Facts, type Property } from './facts.js';

export const sending: Property = (facts) => [
  ...withoutPermission(facts),
  ...[...groupBy(facts.requests, ({ lead_id, buyer_id }) => `${lead_id} ${buyer_id}`).values()]
    .filter((own) => own.length > 1)
    .flatMap((own) => [...changedKeys(own), ...resentBlindly(own, facts)]),
];

/**
 * Added to the end of a permission for the way to the buyer, in milliseconds: through a proxy and into a process
 * that both wait for their turn on a busy machine. A run that went on after a stop (5 s or more) is far later.
 */
const ON_THE_WAY_MS = 3_500;

function withoutPermission({ requests, leads, rowWith, faults }: Facts): Violation[] {
  const lags = faults.filter(({ type }) => type === 'lag');
  // While the machine had no time for anybody, a request may have lain at the buyer's door.
  const lagged = (from: Instant, to: Instant): number =>
    lags
      .map(({ at, ended = at }) => Math.min(ended, to) - Math.max(at, from))
      .reduce((sum, ms) => sum + Math.max(ms, 0), 0);
  return requests.flatMap((request): Violation[] => {
    const { lead_id, buyer_id } = request;
    const lead = leads.get(lead_id);
    if (!lead) return [];
    const found = (rule: string, why: string): Violation[] => [
      {
        total: 'doubled',
        rule,
        what: `request ${request.request} for lead ${lead_id} reached buyer ${buyer_id}, ${why}`,
        lead_id,
      },
    ];
    const row = rowWith(lead_id, buyer_id);
    if (!row) return found('sent_without_row', 'but there is no row that permits it');
    const sendBy = row.send_by.getTime();
    const late = request.at - sendBy;
    if (late > ON_THE_WAY_MS && late - lagged(sendBy, request.at) > ON_THE_WAY_MS) {
      const why = `${late} ms after row ${row._id} had ceased to permit it`;
      return found('sent_after_its_time', why);
    }
    // A supplier's own cap may refuse a lead after its first buyer did.
    const wasRefused = lead.status === 'REJECTED' && lead.refusal === undefined;
    const wasNeverFree = lead.status === 'WITHDRAWN' || lead.status === 'DUPLICATE';
    if (wasRefused || wasNeverFree) return found('sent_for_closed_lead', `but ${stateOf(lead)}`);
    return [];
  });
}

function changedKeys(own: readonly BuyerRequest[]): Violation[] {
  const keys = [...new Set(own.map(({ idempotency_key }) => idempotency_key))];
  const [first] = own;
  if (!first || keys.length < 2) return [];
  const what = `requests for lead ${first.lead_id} came to buyer ${first.buyer_id} with the keys ${keys.join(', ')}`;
  return [{ total: 'doubled', rule: 'key_changed', what, lead_id: first.lead_id }];
}

/** Decisions after which nobody but the buyer can know that it does not have the lead. */
const MAY_HAVE_IT: readonly BuyerDecision[] = ['accepted', 'rejected', 'hung', 'reset'];

/** A buyer that does not honour keys gets a lead again only if it surely did not take it. */
function resentBlindly(own: readonly BuyerRequest[], { leads, buyerLink }: Facts): Violation[] {
  const [first] = own;
  const lead = first && leads.get(first.lead_id);
  if (!lead || buyerLink(lead.campaign_id, first.buyer_id)?.honours_idempotency_key !== false)
    return [];
  return own.slice(1).flatMap((again, index): Violation[] => {
    const before = own[index];
    if (!before || !MAY_HAVE_IT.includes(before.decision)) return [];
    const what = `lead ${lead._id} was sent again to buyer ${again.buyer_id} in request ${again.request}, after request ${before.request} (${before.decision}, ${before.ending ?? 'no end known'})`;
    return [{ total: 'doubled', rule: 'resent_blindly', what, lead_id: lead._id }];
  });
}
