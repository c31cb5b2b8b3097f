/** Stores decided pings, all that are ready together. */
import type { PingDoc } from './store/pingDocs.js';
import type { PingStore } from './store/pings.js';

export interface Storing {
  doc: PingDoc;
  /** On the monotonic clock. */
  refuseAt: number;
}

/** Called when a ping can be redeemed from now on, with the end of that time. It must not throw, and is not awaited. */
export type OnStored = (expiresAt: Date) => void;

/** Returns the ids of the stored pings. */
export function createStoring(pings: Pick<PingStore, 'insert'>, onStored: OnStored) {
  return async (group: readonly Storing[]): Promise<PromiseSettledResult<string>[]> => {
    const docs = group.map(({ doc }) => doc);
    await pings.insert(docs);
    for (const { state, expires_at } of docs) if (state === 'open') onStored(expires_at);
    return docs.map(({ _id: value }) => ({ status: 'fulfilled', value }));
  };
}
