/** No lead appears that no supplier sent: neither on record nor at a buyer. */
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { Violation } from '../evidence/evidence.js';
import { personOf, personPosted, stateOf, type Facts, type Property } from './facts.js';

export const phantom: Property = (facts) => [...leadsNobodyPosted(facts), ...wrongRequests(facts)];

function leadsNobodyPosted({ evidence, operationsOfLead }: Facts): Violation[] {
  const wasPosted = (lead: Lead): boolean =>
    operationsOfLead(lead).some(({ asked }) => personPosted(asked) === personOf(lead));
  return evidence.record.leads
    .filter((lead) => !wasPosted(lead))
    .map((lead) => ({
      total: 'false answers',
      rule: 'lead_nobody_posted',
      what: `${stateOf(lead)}, of ${personOf(lead)}, whom no supplier posted`,
      lead_id: lead._id,
    }));
}

/** What a buyer receives follows the contract: signed, with a key, a lead on record, with its person. */
function wrongRequests({ requests, leads }: Facts): Violation[] {
  return requests.flatMap((request): Violation[] => {
    const { request: number, buyer_id, lead_id, email, flaw } = request;
    const wrong = flaw ?? (request.idempotency_key === '' ? 'there is no Idempotency-Key' : null);
    if (wrong !== null) {
      const what = `request ${number} to buyer ${buyer_id} is not what the contract says: ${wrong}`;
      return [{ total: 'false answers', rule: 'request_flawed', what, lead_id }];
    }
    const lead = leads.get(lead_id);
    if (!lead) {
      const what = `request ${number} brought buyer ${buyer_id} lead "${lead_id}" (${request.decision}), which the record does not have`;
      return [{ total: 'false answers', rule: 'request_for_unknown_lead', what, lead_id }];
    }
    const own = String(lead.fields.email ?? '');
    if (own.toLowerCase() === email.toLowerCase()) return [];
    const what = `request ${number} brought buyer ${buyer_id} lead ${lead_id} with "${email}" on it, but the lead is of "${own}"`;
    return [{ total: 'false answers', rule: 'request_for_wrong_person', what, lead_id }];
  });
}
