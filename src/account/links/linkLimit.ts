/** How many buyers, and how many suppliers, a campaign may have. */
import type { Collection, Filter } from 'mongodb';
import { invalidValue } from '../values.js';

/** Each buyer is looked at for every lead, and each of both kinds is in the plan and shown with the campaign. */
export const LINKS_PER_CAMPAIGN = 500;

/**
 * Several that are linked in the same instant may pass it by so many.
 * @throws {AppError} `validation_failed` when the link would be one too many
 */
export async function requireRoom<T extends { _id: string; campaign_id: string }>(
  links: Collection<T>,
  campaignId: string,
  otherId: string,
  kind: 'buyer' | 'supplier',
): Promise<void> {
  const ofCampaign = { campaign_id: campaignId } as Filter<T>;
  const count = await links.countDocuments(ofCampaign, { limit: LINKS_PER_CAMPAIGN });
  if (count < LINKS_PER_CAMPAIGN) return;
  const known = { _id: `${campaignId}:${otherId}` } as Filter<T>;
  if (await links.findOne(known, { projection: { _id: 1 } })) return;
  const message = `A campaign can have at most ${LINKS_PER_CAMPAIGN} ${kind}s. Create another campaign for the others.`;
  throw invalidValue(`${kind}_id`, 'not_allowed', message);
}
