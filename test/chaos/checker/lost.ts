/** No acknowledged lead is lost, no sale is lost, and none is invented. */
import type { Lead } from '../../../src/leads/rules/lead.js';
import { isOpen } from '../../../src/leads/rules/leadStatus.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import type { BuyerLinkFacts, Violation } from '../evidence/evidence.js';
import { saidYes } from './around.js';
import {
  isSold,
  isSoldTo,
  stateOf,
  type BuyerRequest,
  type Facts,
  type Property,
} from './facts.js';

export const lost: Property = (facts) => [
  ...missingLeads(facts),
  ...acceptsWithoutSale(facts),
  ...acceptedRowsWithoutSale(facts),
  ...salesWithoutAccept(facts),
];

/** Every lead whose id a supplier received is on record. */
function missingLeads({ operations, leads }: Facts): Violation[] {
  return operations.flatMap(({ asked, told }): Violation[] => {
    if (told?.outcome !== 'ok' || told.lead_id === null || leads.has(told.lead_id)) return [];
    return [
      {
        total: 'lost',
        rule: 'acknowledged_lead_missing',
        what: `operation ${asked.op} was answered ${told.answer ?? ''} with lead ${told.lead_id}, which the record does not have`,
        lead_id: told.lead_id,
        intent: asked.intent,
      },
    ];
  });
}

/** A buyer that accepted a lead has bought it, unless its answer may be lost and its policy allows for that. */
function acceptsWithoutSale(facts: Facts): Violation[] {
  const { requests, leads, rowsOf, buyerLink } = facts;
  return requests.flatMap((request): Violation[] => {
    if (request.decision !== 'accepted') return [];
    const lead = leads.get(request.lead_id);
    // A lead that is not on record is judged as a phantom.
    if (!lead || isSoldTo(lead, request.buyer_id)) return [];
    const link = buyerLink(lead.campaign_id, request.buyer_id);
    const rows = rowsOf(lead._id).filter((row) => row.buyer_id === request.buyer_id);
    const isExcused = link && !saidYes(lead._id, link, facts);
    if (isExcused && rows.some((row) => mayBeUnsold(row, lead, link))) return [];
    const states = rows.map(({ _id, state }) => `row ${_id} is ${state}`).join(', ');
    return [
      {
        total: 'lost',
        rule: 'accept_without_sale',
        what: `buyer ${request.buyer_id} accepted in request ${request.request} (${request.ending ?? 'no end known'}), but ${stateOf(lead)}, ${states || 'without a row'}`,
        lead_id: lead._id,
      },
    ];
  });
}

/**
 * Whether a lead may stand as it does although the buyer accepted it, where the answer may be lost (cut,
 * late, or its sender was killed). A buyer that honors keys is asked again; `hold` waits for its age limit;
 * `fail_over` moves on. Leads still open are judged by their deadline, not here.
 */
function mayBeUnsold(row: DeliveryDoc, lead: Lead, link: BuyerLinkFacts): boolean {
  const { honours_idempotency_key: honours, on_unknown } = link;
  const open = isOpen(lead.status);
  switch (row.state) {
    case 'sending':
      return open;
    case 'parked':
      return open && honours;
    case 'unknown':
      return open && !honours && on_unknown === 'hold';
    case 'abandoned':
      return !honours && on_unknown === 'fail_over';
    case 'expired':
      return (honours || on_unknown === 'hold') && endedByAge(row);
    case 'accepted':
    case 'rejected':
    case 'failed':
      return false;
  }
}

/** Where a row counts silence as an acceptance, the lead is sold too. */
function acceptedRowsWithoutSale({ evidence, leads, requestsOf }: Facts): Violation[] {
  return evidence.record.deliveries.flatMap((row): Violation[] => {
    const lead = leads.get(row.lead_id);
    if (row.state !== 'accepted' || !lead) return [];
    if (isSoldTo(lead, row.buyer_id)) return [];
    // Acceptances in the journal are judged by `accept_without_sale`.
    const said = requestsOf(lead._id).filter(({ buyer_id }) => buyer_id === row.buyer_id);
    if (said.some(({ decision }) => decision === 'accepted')) return [];
    const what = `row ${row._id} says that buyer ${row.buyer_id} accepted, but ${stateOf(lead)}`;
    return [{ total: 'lost', rule: 'accepted_row_without_sale', what, lead_id: lead._id }];
  });
}

const endedByAge = ({ settled_at, expires_at }: DeliveryDoc): boolean =>
  settled_at !== undefined && settled_at >= expires_at;

/** Every sale has a buyer that accepted the lead, or one whose policy is to assume so. */
function salesWithoutAccept({ evidence, requestsOf, rowsOf, buyerLink }: Facts): Violation[] {
  return evidence.record.leads.filter(isSold).flatMap((lead) =>
    lead.sales.flatMap(({ buyer_id }): Violation[] => {
      const asked = requestsOf(lead._id).filter((request) => request.buyer_id === buyer_id);
      if (asked.some(({ decision }) => decision === 'accepted')) return [];
      const link = buyerLink(lead.campaign_id, buyer_id);
      if (link && rowsOf(lead._id).some((row) => isAssumed(row, buyer_id, link))) return [];
      return [
        {
          total: 'lost',
          rule: 'sale_without_accept',
          what: `${stateOf(lead)} and sold to ${buyer_id}, but that buyer's journal has ${said(asked)}`,
          lead_id: lead._id,
        },
      ];
    }),
  );
}

/** No answer came (it would have left its status), and the buyer's policy counts silence as an acceptance. */
const isAssumed = (row: DeliveryDoc, buyerId: string, link: BuyerLinkFacts): boolean =>
  row.buyer_id === buyerId &&
  row.state === 'accepted' &&
  row.http_status === undefined &&
  !link.honours_idempotency_key &&
  link.on_unknown === 'assume_accepted';

const said = (requests: readonly BuyerRequest[]): string =>
  requests.length === 0
    ? 'no request for it'
    : `only ${requests.map(({ decision }) => decision).join(', ')}`;
