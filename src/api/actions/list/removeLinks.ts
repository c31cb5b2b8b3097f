/** Taking a buyer or a supplier out of a campaign. */
import { z } from 'zod';
import { findCampaign } from '../../../account/campaigns/campaigns.js';
import { buyerPlace } from '../../../account/links/buyerLinks.js';
import { removeLink } from '../../../account/links/removeLink.js';
import { findLink, type LinkPlace } from '../../../account/links/storeLink.js';
import { supplierPlace } from '../../../account/links/supplierLinks.js';
import type { LinkDoc } from '../../../account/store/accountDocs.js';
import { listBuyerIds } from '../../../account/store/linkedIds.js';
import { requireNoFunnel } from '../../../funnels/campaign.js';
import { defineAction, type ActionContext } from '../action.js';
import { id, recordId } from '../schemas/common.js';
import { countWaiting, dry_run, WaitingView } from '../waiting.js';

const CAMPAIGN_ID = '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11';

const removed = {
  campaign_id: recordId('campaign'),
  removed: z.boolean().describe('false: a dry run, which changes nothing'),
  version: z
    .number()
    .int()
    .describe('The version of the campaign now; revert_plan to an earlier one links it again'),
};

export const removeBuyerFromCampaign = defineAction({
  name: 'remove_buyer_from_campaign',
  cli: ['campaigns', 'remove-buyer'],
  summary: 'Take a buyer out of a campaign',
  description:
    'Ends the link of a buyer to a campaign: new leads are no longer offered to it. Leads that are being sent to it are ' +
    'sold to it all the same; those that wait for it keep their promise: they wait until their time limit, as for a ' +
    'paused buyer. waiting says how many; drop_deliveries ends them. Its terms stay in the history of the campaign.',
  effect: 'destroy',
  permission: 'campaigns:write',
  input: z.strictObject({ campaign_id: id('campaign'), buyer_id: id('buyer'), dry_run }),
  example: { campaign_id: CAMPAIGN_ID, buyer_id: '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7' },
  output: z.object({ ...removed, buyer_id: recordId('buyer'), waiting: WaitingView }),
  async run({ dry_run: isDry, ...key }, context) {
    const { campaign_id, buyer_id } = key;
    const done = await remove(buyerPlace(context, key), isDry, context);
    // Counted last: a lead may have begun to wait meanwhile.
    const waiting = await countWaiting({ buyer_ids: [buyer_id], campaign_id }, context);
    return { ...key, ...done, waiting };
  },
});

export const removeSupplierFromCampaign = defineAction({
  name: 'remove_supplier_from_campaign',
  cli: ['campaigns', 'remove-supplier'],
  summary: 'Take a supplier out of a campaign',
  description:
    'Ends the link of a supplier to a campaign: its leads are refused there from now on (403). Leads that were accepted ' +
    'before are decided on the terms they came with; waiting says how many of them wait for a buyer. The call is refused ' +
    'while a published funnel sends its leads for the supplier. Its terms stay in the history of the campaign.',
  effect: 'destroy',
  permission: 'campaigns:write',
  input: z.strictObject({ campaign_id: id('campaign'), supplier_id: id('supplier'), dry_run }),
  example: { campaign_id: CAMPAIGN_ID, supplier_id: 'c1b7d1e4-5b0a-4a43-9f0d-54f9f8d2b6e3' },
  output: z.object({ ...removed, supplier_id: recordId('supplier'), waiting: WaitingView }),
  async run({ dry_run: isDry, ...key }, context) {
    const { campaign_id, supplier_id } = key;
    const place = supplierPlace(context, key);
    await findLink(context, place);
    await requireNoFunnel(context.collections, key);
    const done = await remove(place, isDry, context);
    const buyer_ids = await listBuyerIds(context, campaign_id);
    const waiting = await countWaiting({ buyer_ids, campaign_id, supplier_id }, context);
    return { ...key, ...done, waiting };
  },
});

async function remove<T extends LinkDoc>(
  place: LinkPlace<T>,
  isDry: boolean,
  context: ActionContext,
): Promise<{ removed: boolean; version: number }> {
  if (!isDry) return { removed: true, version: await removeLink(context, place) };
  await findLink(context, place);
  const { plan_version: version } = await findCampaign(context, place.campaign_id);
  return { removed: false, version };
}
