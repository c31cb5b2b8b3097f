/** Every call of the buyer's portal, and its files. */
import type { PartnerCall, PartnerFile } from './call.js';

export const BUYER_CALLS: readonly PartnerCall[] = [];
export const BUYER_FILES: readonly PartnerFile[] = [];
