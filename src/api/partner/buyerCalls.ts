/** Every call of the buyer's portal, and its files. */
import { importOutcomes } from './buyer/importOutcomes.js';
import { recordOutcome } from './buyer/outcomes.js';
import { getReturnAllowance, listReturns, requestReturn } from './buyer/returns.js';
import { getSale, listSales } from './buyer/sales.js';
import type { PartnerCall, PartnerFile } from './call.js';

export const BUYER_CALLS: readonly PartnerCall[] = [
  listSales,
  getSale,
  recordOutcome,
  importOutcomes,
  listReturns,
  requestReturn,
  getReturnAllowance,
];
export const BUYER_FILES: readonly PartnerFile[] = [];
