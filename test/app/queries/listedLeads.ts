import type { Lead } from '../../../src/leads/rules/lead.js';
import { aLead, before } from '../../support/storedRows.js';
import { MATCHED_CAMPAIGN, MATCHED_LEAD } from './postbackQueries.js';

const FINAL = ['ACCEPTED', 'UNMATCHED', 'DUPLICATE', 'REJECTED', 'EXPIRED'] as const;
const MINUTE = 60_000;

const soldTo = (buyer_id: string) => ({ buyer_id, attempt: 1, price: 1, cost: 0, at: before(0) });

/** Leads of an organization of their own, with different values for every list filter, and three at each instant. */
export function listedLead(n: number): Lead {
  const status = FINAL[n % FINAL.length] ?? 'ACCEPTED';
  return aLead({
    _id: `listed-${n}`,
    org_id: 'lister',
    campaign_id: `campaigns-${n % 5}`,
    supplier_id: `suppliers-${n % 7}`,
    buyer_id: status === 'ACCEPTED' ? `buyers-${n % 4}` : null,
    status,
    ...(status === 'ACCEPTED' ? { sales: [soldTo(`buyers-${n % 4}`)] } : {}),
    is_test: n % 10 === 9,
    created_at: before(Math.floor(n / 3) * MINUTE),
    keys: [`phone:+1555000000${n % 20}`, `email:listed.${n}@example.com`],
    takes: 1,
  });
}

/** Leads of one phone in a campaign that postbacks name, half of them unsold. */
export const matchedLeads = (): Lead[] =>
  Array.from({ length: 20 }, (_, n) =>
    aLead({
      ...(n === 0 ? { _id: MATCHED_LEAD } : {}),
      org_id: 'lister',
      campaign_id: MATCHED_CAMPAIGN,
      takes: 1,
      status: n % 2 === 0 ? 'ACCEPTED' : 'UNMATCHED',
      created_at: before(n * MINUTE),
      keys: ['phone:+15550000005', `email:matched.${n}@example.com`],
    }),
  );
