/** Keys by their hash, for all calls that arrive within a moment: calls that come at the same time share one query. */
import type { ApiKeyDoc } from '../../account/store/keyDocs.js';
import type { AccountCollections } from '../../account/store/collections.js';
import { createGroupCommit } from '../../lib/groupCommit.js';
import { findByIds } from '../../platform/mongo/findByIds.js';
import { createUnknownKeys } from '../../platform/security/keys.js';

export type KeyLookup = ReturnType<typeof createKeyLookup>;

/** Two, so that one slow query does not delay every call. A lone call is looked up at once, by itself. */
const IN_FLIGHT_MAX = 2;
const GROUP_MAX = 200;
const QUEUE_MAX = 2_000;
/** How long a call may wait for its query before it is refused, in milliseconds. */
const WAIT_MAX_MS = 5_000;

export function createKeyLookup({ apiKeys }: Pick<AccountCollections, 'apiKeys'>) {
  const unknown = createUnknownKeys();
  const groups = createGroupCommit<string, ApiKeyDoc | null>({
    maxInFlight: IN_FLIGHT_MAX,
    groupMax: GROUP_MAX,
    queueMax: QUEUE_MAX,
    noun: 'call',
    refuseAt: () => performance.now() + WAIT_MAX_MS,
    async commit(hashes) {
      const keys = await findByIds(apiKeys, hashes);
      return hashes.map((hash) => ({ status: 'fulfilled', value: keys.get(hash) ?? null }));
    },
  });
  return {
    /**
     * The key as it is after the call has begun: every process refuses a revoked key from the next call on. Null when
     * there is none; one that was not found a moment ago is not looked up again.
     * @throws {AppError} `unavailable` when too many calls wait; and the errors of the database
     */
    async find(hash: string): Promise<ApiKeyDoc | null> {
      if (unknown.has(hash)) return null;
      const key = await groups.submit(hash);
      if (!key) unknown.add(hash);
      return key;
    },
  };
}
