/** Where repeats are wanted, each goes to the buyer that has the original lead, or to no buyer. */
import type { Violation } from '../evidence/evidence.js';
import { isSold, stateOf, type Facts, type Property } from './facts.js';

export const repeats: Property = (facts) =>
  facts.evidence.record.leads
    .filter(
      ({ campaign_id, duplicate_of }) =>
        duplicate_of !== undefined &&
        facts.campaigns.get(campaign_id)?.on_duplicate === 'ROUTE_TO_ORIGINAL',
    )
    .flatMap((lead): Violation[] => {
      const found = (rule: string, why: string): Violation[] => [
        { total: 'false answers', rule, what: `${stateOf(lead)}, ${why}`, lead_id: lead._id },
      ];
      // A replay of the first sending's answer.
      if (lead.status === 'DUPLICATE' && lead.replay_of === undefined) {
        return found('repeat_refused', 'though repeats go to the buyer of the original');
      }
      const owner = ownerOf(lead.duplicate_of, facts);
      const asked = facts.requestsOf(lead._id).map(({ buyer_id }) => buyer_id);
      const sold = isSold(lead) ? lead.sales.map(({ buyer_id }) => buyer_id) : [];
      const stranger = [...sold, ...asked].find((buyerId) => buyerId !== owner);
      if (stranger === undefined) return [];
      const original = `lead ${lead.duplicate_of ?? ''}, which it repeats, is of ${owner ?? 'nobody'}`;
      return found('repeat_to_stranger', `and went to buyer ${stranger}, but ${original}`);
    });

/** Its first buyer. */
const ownerOf = (leadId: string | undefined, { leads }: Facts): string | null =>
  leads.get(leadId ?? '')?.buyer_id ?? null;
