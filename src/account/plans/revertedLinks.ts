/** The links of a campaign that is reverted. */
import type { AnyBulkWriteOperation, ClientSession, Collection } from 'mongodb';
import { isDuplicateKey } from '../../platform/mongo/databaseErrors.js';
import type { CampaignBuyerDoc, CampaignSupplierDoc } from '../store/accountDocs.js';
import { conflict } from './seenVersion.js';

/** Replaces the links of the campaign. Fields that a plan does not have stay. */
export async function replaceLinks<L extends CampaignBuyerDoc | CampaignSupplierDoc>(
  links: Collection<L>,
  campaignId: string,
  wanted: readonly L[],
  session: ClientSession,
): Promise<void> {
  const others = { campaign_id: campaignId, _id: { $nin: wanted.map(({ _id }) => _id) } };
  const writes = [
    { deleteMany: { filter: others } },
    ...wanted.map(({ _id, ...terms }) => ({
      updateOne: { filter: { _id }, update: { $set: terms }, upsert: true },
    })),
  ];
  try {
    await links.bulkWrite(writes as unknown as AnyBulkWriteOperation<L>[], { session });
  } catch (error) {
    // Another caller has just created one of these links.
    if (isDuplicateKey(error)) throw conflict('Its links were changed at the same time.');
    throw error;
  }
}
