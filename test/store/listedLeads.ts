import type { Lead } from '../../src/domain/lead.js';
import { aLead, before } from './builders.js';

const FINAL = ['ACCEPTED', 'UNMATCHED', 'DUPLICATE', 'REJECTED', 'EXPIRED'] as const;
const MINUTE = 60_000;

/** Of an organisation of their own: what lists of leads are filtered by differs, and three came at each instant. */
export const listedLead = (n: number): Lead =>
  aLead({
    _id: `listed-${n}`,
    org_id: 'lister',
    campaign_id: `campaigns-${n % 5}`,
    supplier_id: `suppliers-${n % 7}`,
    buyer_id: n % 3 === 0 ? `buyers-${n % 4}` : null,
    status: FINAL[n % FINAL.length] ?? 'ACCEPTED',
    is_test: n % 10 === 9,
    created_at: before(Math.floor(n / 3) * MINUTE),
    keys: [`phone:+1555000000${n % 20}`, `email:listed.${n}@example.com`],
    takes: 1,
  });
