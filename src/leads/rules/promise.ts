/** The promise of a decision (contract 2.4.4), and the refusal by a source's cap, of which none is kept. */
import type { Lead } from './lead.js';

/** Its supplier was answered `pending`: that stays its answer, whatever became of the lead. */
export const isPromised = ({ pending_at }: Pick<Lead, 'pending_at'>): boolean =>
  Boolean(pending_at);

/** It was refused by the cap of its source; a promised lead that the cap ended was not. */
export const isCapped = (lead: Pick<Lead, 'pending_at' | 'refusal'>): boolean =>
  lead.refusal !== undefined && !isPromised(lead);
