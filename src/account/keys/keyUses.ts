/**
 * When suppliers last used their keys. A use is kept in memory and written with others once a minute, so that no lead costs a
 * write: a process that is killed loses a minute of them.
 */
import type { Clock } from '../../lib/clock.js';
import type { Log } from '../../lib/log.js';
import type { AccountCollections } from '../store/collections.js';

const FLUSH_INTERVAL_MS = 60_000;
/** Keys that wait to be written; a use of a further one is not recorded. */
const KEYS_MAX = 10_000;

export type KeyUses = ReturnType<typeof createKeyUses>;

export function createKeyUses({
  collections: { apiKeys },
  clock,
  log,
}: {
  collections: Pick<AccountCollections, 'apiKeys'>;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'warn'>;
}) {
  let uses = new Map<string, Date>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const batch = [...uses];
    uses = new Map();
    if (batch.length === 0) return;
    const updates = batch.map(([_id, last_used_at]) => ({
      // Another process may have written a later use.
      updateOne: { filter: { _id }, update: { $max: { last_used_at } } },
    }));
    try {
      await apiKeys.bulkWrite(updates, { ordered: false, writeConcern: { w: 1, journal: false } });
    } catch (error) {
      log.warn({ err: error, keys: batch.length }, 'last uses of keys were not written');
    }
  };
  const flush = (): Promise<void> => (writing = writing.then(write));
  return {
    /** @param keyHash of a key that exists */
    used(keyHash: string): void {
      if (uses.size >= KEYS_MAX && !uses.has(keyHash)) return;
      uses.set(keyHash, clock.now());
      timer ??= setTimeout(() => void flush(), FLUSH_INTERVAL_MS).unref();
    },
    /** Writes the uses that are still in memory. */
    flush,
  };
}
