/** One try at a group of changes: those whose lead is not ready are left for another call. */
import type { ChangeName, ChangesResult } from '../../workflows/messages.js';
import { applyChanges, type ApplyChangesDeps } from './applyChanges.js';
import type { ChangeDoc } from './store/outcomeDocs.js';

/** Applies a group of changes, and names those that are left. */
export async function tryChanges(
  changes: readonly ChangeName[],
  deps: ApplyChangesDeps,
): Promise<ChangesResult> {
  const { unsold, left } = await applyChanges(changes, deps);
  return { open: [...left, ...unsold].map(nameOf) };
}

/** What Temporal knows of a change. */
export const nameOf = ({ _id: id, lead_id }: Pick<ChangeDoc, '_id' | 'lead_id'>): ChangeName => ({
  id,
  lead_id,
});
