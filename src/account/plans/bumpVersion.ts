import type { ClientSession } from 'mongodb';
import type { AccountCollections } from '../store/collections.js';

/** Notifies every process that the organization's account has changed (contract 1.2). Always the last write. */
export async function bumpVersion(
  collections: AccountCollections,
  orgId: string,
  session?: ClientSession,
): Promise<void> {
  const options = { upsert: true, ...(session ? { session } : {}) };
  await collections.versions.updateOne({ _id: orgId }, { $inc: { version: 1 } }, options);
}
