/** The leads that a drain has sold, in the search attribute by which an operator finds them in the Temporal UI. */
import { patched, upsertSearchAttributes } from '@temporalio/workflow';
import { defineSearchAttributeKey } from '@temporalio/common';

/** This number of ids fits in 2 KB, which every server accepts for one attribute. */
const LISTED_MAX = 48;

/** The name is that of `src/platform/temporal/names.ts`, which is not bundled. */
const LEAD_ID = defineSearchAttributeKey('LeadId', 'KEYWORD_LIST');

/** A run lists what it has sold; what no longer fits is listed by the run that continues it. */
export function createSoldLeads() {
  let listed: string[] = [];
  return {
    /** Lists these, and returns those for which this run has no room. */
    list(leadIds: readonly string[]): string[] {
      // Asked only where there is something to list: other runs stay such as an older version can continue.
      if (leadIds.length === 0 || !patched('sold-leads')) return [];
      const all = [...new Set([...listed, ...leadIds])];
      const room = all.slice(0, LISTED_MAX);
      if (room.length > listed.length) {
        listed = room;
        upsertSearchAttributes([{ key: LEAD_ID, value: room }]);
      }
      return all.slice(LISTED_MAX);
    },
  };
}
