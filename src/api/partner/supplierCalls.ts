/** Every call of the supplier's portal, and its files. */
import type { PartnerCall, PartnerFile } from './call.js';

export const SUPPLIER_CALLS: readonly PartnerCall[] = [];
export const SUPPLIER_FILES: readonly PartnerFile[] = [];
