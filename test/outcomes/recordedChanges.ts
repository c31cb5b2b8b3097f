import { AppError } from '../../src/lib/errors.js';
import type { ChangeAnswer } from '../../src/leads/rules/saleChange.js';
import type { SaleChange, SaleChanges } from '../../src/outcomes/types.js';

export interface RecordedChanges extends SaleChanges {
  /** The requested changes, without repeats. */
  made: SaleChange[];
  /** The lead of an earlier change. */
  earlier: (id: string) => Promise<Pick<SaleChange, 'lead_id' | 'campaign_id'> | null>;
}

/** Stores changes by their ids, as the service does, and leaves the leads unchanged. */
export function recordedChanges(): RecordedChanges {
  const made: SaleChange[] = [];
  const answers = new Map<SaleChange, ChangeAnswer>();
  const known = (id: string | undefined) => made.find((one) => id !== undefined && one.id === id);
  return {
    made,
    earlier: (id) => Promise.resolve(known(id) ?? null),
    make(change) {
      const first = known(change.id);
      if (first && first.body_hash !== change.body_hash)
        return Promise.reject(new AppError('conflict', 'The key was used with another body.'));
      const answer = first && answers.get(first);
      if (answer) return Promise.resolve({ answer, replayed: true });
      const { outcome, conversion_revenue, lead_value, note } = said(change);
      const fresh: ChangeAnswer = {
        lead_id: change.lead_id,
        status: outcome ?? 'ACCEPTED',
        outcome: outcome ?? null,
        conversion_revenue: conversion_revenue ?? null,
        lead_value: lead_value ?? null,
        note: note ?? null,
        updated_at: new Date(),
      };
      made.push(change);
      answers.set(change, fresh);
      return Promise.resolve({ answer: fresh, replayed: false });
    },
  };
}

function said({ ask }: SaleChange) {
  if (ask.kind !== 'outcome') throw new Error(`A buyer asked for a ${ask.kind}`);
  return ask;
}
