/** How many leads a workflow may carry: all of them are in one search attribute, whose length a server limits. */
import { chunks } from '../../lib/chunks.js';
import type { Log } from '../../lib/log.js';

/** So many ids fit in 2 KB, which every server takes: 52 would. */
export const LISTED_ANYWHERE = 48;

export interface Listing {
  /** In as few groups as the server takes; one, until it has refused one. */
  groupsOf<T>(leads: readonly T[]): T[][];
  /** Whether that is why the server refused a group. Then no group is that long any more. */
  isTooLong(error: unknown): boolean;
}

/** Each process learns what its server takes. */
export function createListing(log: Pick<Log, 'warn'>): Listing {
  let most = Infinity;
  return {
    groupsOf(leads) {
      return leads.length <= most ? [[...leads]] : chunks(leads, most);
    },
    isTooLong(error) {
      if (!isSizeRefusal(error)) return false;
      if (most === Infinity)
        log.warn(
          `Temporal takes a search attribute of ${LISTED_ANYWHERE} ids and not of a whole group: each group is started ` +
            'in parts. Raise frontend.searchAttributesSizeOfValueLimit, or lower INTAKE_GROUP_MAX to ' +
            `${LISTED_ANYWHERE}.`,
        );
      most = LISTED_ANYWHERE;
      return true;
    },
  };
}

/** As the server says it, in the error or in one that it wraps: `search attribute LeadId value size … exceeds size limit …`. */
function isSizeRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { details } = error as { details?: unknown };
  const said = [error.message, typeof details === 'string' ? details : ''].join(' ');
  return /search attribute.*exceeds size limit/.test(said) || isSizeRefusal(error.cause);
}
