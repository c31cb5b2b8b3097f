/** How a lead that repeats another one is decided (contract 3.1). */
import type { TrailEntry } from './trail.js';
import type { BuyerTerms, DedupeSettings } from '../../account/rules/plan.js';

/** The earlier lead that claims the same person. */
export interface Original {
  lead_id: string;
  /** The buyer that has it; null when none is known to. */
  buyer_id: string | null;
  /** The request of the original was sent again: it receives the original's answer. */
  resend: boolean;
}

export type DuplicateDecision =
  | { kind: 'ended'; status: 'DUPLICATE' | 'UNMATCHED'; entry: TrailEntry }
  /** It may go to this buyer, or to none. */
  | { kind: 'routed'; route_to: string; candidates: BuyerTerms[]; entry: TrailEntry };

/** Refused, answered as its original was, or sent to the buyer that has its original. */
export function judgeDuplicate(
  { on_duplicate }: Pick<DedupeSettings, 'on_duplicate'>,
  original: Original,
  candidates: readonly BuyerTerms[],
  at: Date,
): DuplicateDecision {
  const { lead_id: of, buyer_id: route_to, resend } = original;
  const step = 'duplicates';
  if (resend || on_duplicate === 'REJECT') {
    const detail = { of, resend: resend || undefined };
    const entry: TrailEntry = { at, step, result: 'duplicate', detail };
    return { kind: 'ended', status: 'DUPLICATE', entry };
  }
  if (route_to === null) {
    // The buyer of the first lead is not known yet, so the second cannot be sent to it.
    const reason = 'original_undecided';
    const entry: TrailEntry = { at, step, result: 'duplicate', reason, detail: { of } };
    return { kind: 'ended', status: 'UNMATCHED', entry };
  }
  return {
    kind: 'routed',
    route_to,
    candidates: candidates.filter(({ buyer_id }) => buyer_id === route_to),
    entry: { at, step, result: 'routed', buyer_id: route_to, detail: { of } },
  };
}
