/** Decided pings on their way into the database, all that are ready together. */
import type { PingDoc } from './store/pingDocs.js';
import type { PingStore } from './store/pings.js';

export interface Storing {
  doc: PingDoc;
  /** On the monotonic clock. */
  refuseAt: number;
}

/** Told when a ping can be redeemed from now on, and when that ends. It must not throw, and nobody waits for it. */
export type OnStored = (expiresAt: Date) => void;

/** Gives the ids of the pings that are stored. */
export function createStoring(pings: Pick<PingStore, 'insert'>, onStored: OnStored) {
  return async (group: readonly Storing[]): Promise<PromiseSettledResult<string>[]> => {
    const docs = group.map(({ doc }) => doc);
    await pings.insert(docs);
    for (const { state, expires_at } of docs) if (state === 'open') onStored(expires_at);
    return docs.map(({ _id: value }) => ({ status: 'fulfilled', value }));
  };
}
