/** How many leads a workflow may carry: one search attribute lists all of them, and a server limits its length. */
import { chunks } from '../../lib/chunks.js';
import type { Log } from '../../lib/log.js';

/** This number of ids fits in 2 KB, which every server accepts: 52 would. */
export const LISTED_ANYWHERE = 48;

/** Each process learns what its server accepts. */
export function createListing(log: Pick<Log, 'warn'>) {
  let most = Infinity;
  return {
    /** In as few groups as the server accepts; one, until it has refused one. */
    groupsOf<T>(leads: readonly T[]): T[][] {
      return leads.length <= most ? [[...leads]] : chunks(leads, most);
    },
    /** Whether the server refused a group for its length. From then on groups are shorter. */
    isTooLong(error: unknown): boolean {
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

/**
 * By the server's message, in the error or in one that it wraps: `search attribute LeadId value size … exceeds size
 * limit …`.
 */
function isSizeRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { details } = error as { details?: unknown };
  const messages = [error.message, typeof details === 'string' ? details : ''].join(' ');
  return /search attribute.*exceeds size limit/.test(messages) || isSizeRefusal(error.cause);
}
