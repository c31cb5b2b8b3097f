/** What is typed into the links of a campaign and not saved yet. Its screens share it; other screens keep it, too. */
import { useSyncExternalStore } from 'react';
import { cellsOf, NO_EDITS, type Edits } from '../../ui/grid/edits.js';

export type Side = 'buyer' | 'supplier';

export interface Draft {
  buyer: Edits;
  supplier: Edits;
}

const NONE: Draft = { buyer: NO_EDITS, supplier: NO_EDITS };
/** Steps that can be taken back. */
const STEPS_MAX = 100;

/** By campaign, the newest last. A page that is loaded again begins without them, after it has asked. */
const drafts = new Map<string, readonly Draft[]>();
const listeners = new Set<() => void>();

function keep(campaignId: string, steps: readonly Draft[]): void {
  const last = steps.at(-1);
  if (!last || countOf(last) === 0) drafts.delete(campaignId);
  else drafts.set(campaignId, steps.slice(-STEPS_MAX));
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Cells that are changed and not saved. */
const countOf = ({ buyer, supplier }: Draft): number =>
  cellsOf(buyer).length + cellsOf(supplier).length;

const draftOf = (campaignId: string): Draft => drafts.get(campaignId)?.at(-1) ?? NONE;

export interface DraftHandle {
  draft: Draft;
  count: number;
  set(side: Side, edits: Edits): void;
  undo(): void;
  discard(): void;
}

export function useDraft(campaignId: string): DraftHandle {
  const draft = useSyncExternalStore(subscribe, () => draftOf(campaignId));
  return {
    draft,
    count: countOf(draft),
    set(side, edits) {
      const now = draftOf(campaignId);
      if (now[side] === edits) return;
      keep(campaignId, [...(drafts.get(campaignId) ?? [NONE]), { ...now, [side]: edits }]);
    },
    undo: () => keep(campaignId, drafts.get(campaignId)?.slice(0, -1) ?? []),
    discard: () => keep(campaignId, []),
  };
}
