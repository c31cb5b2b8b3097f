/** No request goes out without permission: a row, its time, an open lead, the same key, and never blindly again. */
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import { NO_ANSWER_RECORDED } from '../../../src/deliveries/store/deliveries.js';
import type { BuyerDecision, Instant, Violation } from '../evidence/evidence.js';
import { lagWithin } from './around.js';
import { stateOf, type BuyerRequest, type Facts, type Property } from './facts.js';

export const sending: Property = (facts) => [
  ...withoutPermission(facts),
  ...[...Map.groupBy(facts.requests, ({ lead_id, buyer_id }) => `${lead_id} ${buyer_id}`).values()]
    .filter((own) => own.length > 1)
    .flatMap((own) => [...changedKeys(own), ...resentBlindly(own, facts)]),
];

/**
 * Added to the end of a permission for the way to the buyer, in milliseconds: through a proxy and into a process,
 * both of which wait for CPU on a busy machine. A run that continued after a stop (5 s or more) is far later.
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
 * How long after its permission ended a request was written, as far as its arrival shows, in milliseconds. It may
 * have been in transit: while the machine stalled, until its own sender had waited for the answer in vain, and, where
 * no stopped process could have written it late, as long as a sender waits.
 */
function createLateness({ faults }: Facts): (request: BuyerRequest, row: DeliveryDoc) => number {
  const stops = faults.filter(({ type }) => type === 'stop');
  const permittedUntil = (row: DeliveryDoc, at: Instant): Instant => {
    const openedAt = row.created_at.getTime();
    const stoodStill = stops.some((fault) => fault.at < at && (fault.ended ?? Infinity) > openedAt);
    const waitedFor = stoodStill ? row.send_by.getTime() : row.answer_by.getTime();
    return Math.max(waitedFor, givenUpAt(row, at) ?? 0);
  };
  return ({ at }, row) => {
    if (at <= row.send_by.getTime() + ON_THE_WAY_MS) return 0;
    const until = permittedUntil(row, at);
    return at - until - lagWithin(faults, until, at);
  };
}

/** When its own sender recorded that no answer came; a run that resumes a dead run's row records another reason. */
function givenUpAt(
  { settled_at, reason, http_status }: DeliveryDoc,
  at: Instant,
): Instant | undefined {
  const settledAt = settled_at?.getTime() ?? Infinity;
  const isOwn = http_status === undefined && reason !== NO_ANSWER_RECORDED;
  return isOwn && settledAt < at ? settledAt : undefined;
}

function changedKeys(own: readonly BuyerRequest[]): Violation[] {
  const keys = [...new Set(own.map(({ idempotency_key }) => idempotency_key))];
  const [first] = own;
  if (!first || keys.length < 2) return [];
  const what = `requests for lead ${first.lead_id} came to buyer ${first.buyer_id} with the keys ${keys.join(', ')}`;
  return [{ total: 'doubled', rule: 'key_changed', what, lead_id: first.lead_id }];
}

/** Decisions after which only the buyer knows whether it has the lead. */
const MAY_HAVE_IT: readonly BuyerDecision[] = ['accepted', 'rejected', 'hung', 'reset'];

/** A complete answer that shows the buyer does not have the lead: busy, or a redirect. Any other may be a yes. */
function surelyHasItNot({ decision, ending, status }: BuyerRequest): boolean {
  if (MAY_HAVE_IT.includes(decision) || ending === 'cut') return false;
  return decision !== 'garbage' || (status !== undefined && status >= 300 && status < 400);
}

/** A buyer that does not honor keys gets a lead again only if it certainly did not accept it. */
function resentBlindly(own: readonly BuyerRequest[], { leads, buyerLink }: Facts): Violation[] {
  const [first] = own;
  const lead = first && leads.get(first.lead_id);
  if (!lead || buyerLink(lead.campaign_id, first.buyer_id)?.honours_idempotency_key !== false)
    return [];
  return own.slice(1).flatMap((again, index): Violation[] => {
    const before = own[index];
    if (!before || surelyHasItNot(before)) return [];
    const what = `lead ${lead._id} was sent again to buyer ${again.buyer_id} in request ${again.request}, after request ${before.request} (${before.decision}, ${before.ending ?? 'no end known'})`;
    return [{ total: 'doubled', rule: 'resent_blindly', what, lead_id: lead._id }];
  });
}
