/** Stored leads whose replayed decision differs from the stored one. */
import {
  replayLeads,
  type ReplayChoice,
  type ReplayedLead,
} from '../../src/routing/replay/replayLeads.js';
import type { Collections } from '../../src/app/database.js';

export interface Replays {
  count: number;
  different: ReplayedLead[];
}

export async function replayAll(
  collections: Collections,
  choice: Omit<ReplayChoice, 'limit'> = {},
): Promise<Replays> {
  const replays: Replays = { count: 0, different: [] };
  for await (const one of replayLeads(collections, { ...choice, limit: 100_000 })) {
    replays.count += 1;
    if (one.verdict.kind !== 'equal') replays.different.push(one);
  }
  return replays;
}
