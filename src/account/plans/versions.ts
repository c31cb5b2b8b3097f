import type { Collections } from '../../platform/mongo/collections.js';

/** Tells every process that the organisation's account has changed (contract 1.2). Always the last write. */
export async function bumpVersion(collections: Collections, orgId: string): Promise<void> {
  await collections.versions.updateOne({ _id: orgId }, { $inc: { version: 1 } }, { upsert: true });
}
