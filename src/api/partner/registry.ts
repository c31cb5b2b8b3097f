/** Every call and every file of the partners' portals. */
import { BUYER_CALLS, BUYER_FILES } from './buyerCalls.js';
import type { PartnerCall, PartnerFile } from './call.js';
import { SUPPLIER_CALLS, SUPPLIER_FILES } from './supplierCalls.js';
import { TEAM_CALLS } from './team.js';

export const PARTNER_CALLS: readonly PartnerCall[] = [
  ...BUYER_CALLS,
  ...SUPPLIER_CALLS,
  ...TEAM_CALLS,
];
export const PARTNER_FILES: readonly PartnerFile[] = [...BUYER_FILES, ...SUPPLIER_FILES];
