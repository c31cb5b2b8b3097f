/** No request goes out without permission: a row, its time, an open lead, the same key, and never blindly again. */
import type { DeliveryDoc } from '../../../src/store/collections.js';
import { NO_ANSWER_RECORDED } from '../../../src/store/deliveries.js';
import type { BuyerDecision, Instant, Violation } from '../evidence.js';
import { stateOf, type BuyerRequest, type Facts, type Property } from './facts.js';

export const sending: Property = (facts) => [
  ...withoutPermission(facts),
  ...[...Map.groupBy(facts.requests, ({ lead_id, buyer_id }) => `${lead_id} ${buyer_id}`).values()]
    .filter((own) => own.length > 1)
    .flatMap((own) => [...changedKeys(own), ...resentBlindly(own, facts)]),
];

/**
 * Added to the end of a permission for the way to the buyer, in milliseconds: through a proxy and into a process
 * that both wait for their turn on a busy machine. A run that went on after a stop (5 s or more) is far later.
 */
const ON_THE_WAY_MS = 2_000;

function withoutPermission(facts: Facts): Violation[] {
  const { requests, leads, rowWith } = facts;
  const lateBy = createLateness(facts);
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
    const late = lateBy(request, row);
    if (late > ON_THE_WAY_MS) {
      return found(
        'sent_after_its_time',
        `${late} ms after row ${row._id} had ceased to permit it`,
      );
    }
    // A supplier's own cap may refuse a lead after its first buyer did.
    const wasRefused = lead.status === 'REJECTED' && lead.refusal === undefined;
    const wasNeverFree = lead.status === 'WITHDRAWN' || lead.status === 'DUPLICATE';
    if (wasRefused || wasNeverFree) return found('sent_for_closed_lead', `but ${stateOf(lead)}`);
    return [];
  });
}

/**
 * How long after its permission a request was written, as far as that follows from when it arrived, in
 * milliseconds. It may have lain on its way: when its own sender had waited for the answer in vain by then, while
 * the machine had no time for anybody, and wherever no process stood still that could have written it late.
 */
function createLateness({ faults }: Facts): (request: BuyerRequest, row: DeliveryDoc) => number {
  const spans = (type: string) =>
    faults
      .filter((fault) => fault.type === type)
      .map(({ at, ended = Infinity }) => ({ from: at, to: ended }));
  const [lags, stops] = [spans('lag'), spans('stop')];
  return ({ at }, row) => {
    const sendBy = row.send_by.getTime();
    if (at <= sendBy + ON_THE_WAY_MS || wasGivenUp(row, at)) return 0;
    const openedAt = row.created_at.getTime();
    if (!stops.some(({ from, to }) => from < at && to > openedAt)) return 0;
    return lags.reduce(
      (late, { from, to }) => late - Math.max(0, Math.min(to, at) - Math.max(from, sendBy)),
      at - sendBy,
    );
  };
}

/** Its own sender has written down that no answer came; who takes up a dead run's row has another reason. */
const wasGivenUp = ({ settled_at, reason, http_status }: DeliveryDoc, at: Instant): boolean =>
  settled_at !== undefined &&
  settled_at.getTime() < at &&
  http_status === undefined &&
  reason !== NO_ANSWER_RECORDED;

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
