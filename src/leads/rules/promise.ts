/** The promise of a decision (contract 2.4.4), and the refusal by a source's cap, of which none is kept. */
import type { Lead } from './lead.js';

/** Its supplier was answered `pending`: that stays its answer, whatever the decision is. */
export const isPromised = ({ pending_at }: Pick<Lead, 'pending_at'>): boolean =>
  Boolean(pending_at);

/** It was refused by the cap of its source; a promised lead that the cap ended was not. */
export const isCapped = (lead: Pick<Lead, 'pending_at' | 'refusal'>): boolean =>
  lead.refusal !== undefined && !isPromised(lead);

/**
 * The supplier that waits for the decision of a lead: it received `pending`. For a lead that is sold again none waits:
 * the supplier has the answer for its origin, and gets no other (contract 3.5).
 */
export const awaitedBy = ({
  supplier_id,
  pending_at,
  resale,
}: Pick<Lead, 'supplier_id' | 'pending_at' | 'resale'>): string | null =>
  pending_at && !resale ? supplier_id : null;
