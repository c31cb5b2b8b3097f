import type { Lead } from './lead.js';

/**
 * The supplier that waits for the decision of a lead: it received `pending`. Nobody waits for a lead that is sold again:
 * its supplier was told of its origin, and is not told of it (contract 3.5).
 */
export const awaitedBy = ({
  supplier_id,
  pending_at,
  resale,
}: Pick<Lead, 'supplier_id' | 'pending_at' | 'resale'>): string | null =>
  pending_at && !resale ? supplier_id : null;
