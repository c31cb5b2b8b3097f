/** Who made a version. */
import type { OutputOf } from '../../lib/useActions.js';

export type Version = OutputOf<'get_plan_history'>['versions'][number];

export function authorName(by: Version['by'] | undefined): string {
  if (!by) return 'Somebody';
  if (by.kind === 'local') return 'A command on the server';
  const name = by.name ?? 'one that is gone';
  return by.kind === 'key' ? `The key ${name}` : name;
}
