/**
 * Reads sessions with their persons, and the memberships that requests name. Each request is answered by a read that
 * begins after it came: what was ended before is ended for it. The requests of one screen come together, and share it.
 */
import { createGroupCommit } from '../../lib/groupCommit.js';
import type { PeopleDeps } from '../deps.js';
import { hashOfToken } from '../security/tokens.js';
import type { MembershipDoc, PersonDoc, SessionDoc } from '../store/personDocs.js';

/** How long a request waits for the others of its screen, in milliseconds. */
const TOGETHER_MS = 2;
const TOGETHER_MAX = 100;
/** Two, so that one slow query does not delay every request. */
const IN_FLIGHT_MAX = 2;
const QUEUE_MAX = 2_000;
/** How long a request may wait for its query before it is refused, in milliseconds. */
const WAIT_MAX_MS = 5_000;

/** A session that goes on. */
export interface LiveSession {
  doc: SessionDoc;
  person: PersonDoc;
  /** The membership asked for; null where none was, or it is not this person's. */
  membership: MembershipDoc | null;
}

interface Wanted {
  /** The hash of the token. */
  _id: string;
  membershipId: string | undefined;
}

type Found = SessionDoc & { owners: PersonDoc[]; memberships?: MembershipDoc[] };

export function createSessionReader({
  collections,
  clock,
}: Pick<PeopleDeps, 'collections' | 'clock'>) {
  const { sessions, people, memberships } = collections;

  const readAll = async (wanted: readonly Wanted[]): Promise<Map<string, Found>> => {
    const ids = [...new Set(wanted.map(({ _id }) => _id))];
    const named = [...new Set(wanted.flatMap(({ membershipId }) => membershipId ?? []))];
    const found = await sessions
      .aggregate<Found>([
        { $match: { _id: { $in: ids } } },
        {
          $lookup: {
            from: people.collectionName,
            localField: 'person_id',
            foreignField: '_id',
            as: 'owners',
          },
        },
        ...(named.length === 0 ? [] : [ownMemberships(memberships.collectionName, named)]),
      ])
      .toArray();
    return new Map(found.map((one) => [one._id, one]));
  };

  const groups = createGroupCommit<Wanted, Found | undefined>({
    gatherMs: TOGETHER_MS,
    groupMax: TOGETHER_MAX,
    maxInFlight: IN_FLIGHT_MAX,
    queueMax: QUEUE_MAX,
    noun: 'request',
    refuseAt: () => performance.now() + WAIT_MAX_MS,
    async commit(wanted) {
      const all = await readAll(wanted);
      return wanted.map(({ _id }) => ({ status: 'fulfilled', value: all.get(_id) }));
    },
  });

  /**
   * Null for every token that is not one of a session that goes on.
   * @throws {AppError} `unavailable` when too many requests wait
   */
  return async (token: string | undefined, membershipId?: string): Promise<LiveSession | null> => {
    const _id = hashOfToken(token);
    const found = _id === null ? undefined : await groups.submit({ _id, membershipId });
    if (!found || found.expires_at <= clock.now()) return null;
    const { owners, memberships: own = [], ...doc } = found;
    const person = owners.find(({ epoch }) => epoch === doc.epoch);
    const membership = own.find((one) => one._id === membershipId) ?? null;
    return person ? { doc, person, membership } : null;
  };
}

/** Those of these memberships that are the session's person's. */
const ownMemberships = (from: string, ids: readonly string[]) => ({
  $lookup: {
    from,
    localField: 'person_id',
    foreignField: 'person_id',
    pipeline: [{ $match: { _id: { $in: ids } } }],
    as: 'memberships',
  },
});
