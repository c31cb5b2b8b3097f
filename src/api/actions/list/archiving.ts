/** Campaigns and buyers that are no longer used: archived, so that lists and choices are without them. */
import { z } from 'zod';
import { archiveBuyer, findBuyer } from '../../../account/buyers/buyers.js';
import { findCampaign, updateCampaign } from '../../../account/campaigns/campaigns.js';
import { listBuyerIds } from '../../../account/store/linkedIds.js';
import { listPublished } from '../../../funnels/campaign.js';
import { defineAction } from '../action.js';
import { id, Instant, recordId, recordName } from '../schemas/common.js';
import { countWaiting, dry_run, WaitingView } from '../waiting.js';

const archived = z
  .boolean()
  .describe('false: a dry run, which changes nothing, of a record that is not archived');

export const archiveCampaign = defineAction({
  name: 'archive_campaign',
  cli: ['campaigns', 'archive'],
  summary: 'Archive a campaign',
  description:
    'Sets a campaign to ARCHIVED: it accepts no leads and no pings (403), and lists leave it out. Its leads, reports and ' +
    'history stay. Leads that wait for a buyer are still decided: waiting says how many. update_campaign with a status ' +
    'brings it back.',
  idempotent: true,
  permission: 'campaigns:write',
  input: z.strictObject({ campaign_id: id('campaign'), dry_run }),
  example: { campaign_id: '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11' },
  output: z.object({
    id: recordId('campaign'),
    name: recordName('campaign'),
    archived,
    version: z.number().int().describe('Its version now'),
    waiting: WaitingView,
    published_funnels: z
      .array(z.object({ id: recordId('funnel'), name: recordName('funnel') }))
      .describe('Its funnels whose visitors can send nothing while it is archived; at most 20'),
  }),
  async run({ campaign_id, dry_run: isDry }, context) {
    const before = await findCampaign(context, campaign_id);
    const isToChange = !isDry && before.status !== 'ARCHIVED';
    const campaign = isToChange
      ? await updateCampaign(context, campaign_id, { status: 'ARCHIVED' })
      : before;
    const buyer_ids = await listBuyerIds(context, campaign_id);
    const funnels = await listPublished(context.collections, { campaign_id });
    return {
      id: campaign_id,
      name: campaign.name,
      archived: campaign.status === 'ARCHIVED',
      version: campaign.plan_version,
      waiting: await countWaiting({ buyer_ids, campaign_id }, context),
      published_funnels: funnels.map(({ _id, name }) => ({ id: _id, name })),
    };
  },
});

export const archiveBuyerAction = defineAction({
  name: 'archive_buyer',
  cli: ['buyers', 'archive'],
  summary: 'Archive a buyer',
  description:
    'Pauses a buyer for good: no campaign sells to it, it can be linked to none, and lists leave it out. Its leads, ' +
    'outcomes, returns and reports stay. Leads that wait for it keep their promise until their time limit: waiting says ' +
    'how many, drop_deliveries ends them. update_buyer with a status brings it back.',
  idempotent: true,
  permission: 'buyers:write',
  input: z.strictObject({ buyer_id: id('buyer'), dry_run }),
  example: { buyer_id: '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7' },
  output: z.object({
    id: recordId('buyer'),
    name: recordName('buyer'),
    archived,
    archived_at: Instant.nullable().describe('Since when; null: it is not archived'),
    waiting: WaitingView,
  }),
  async run({ buyer_id, dry_run: isDry }, context) {
    const buyer = isDry
      ? await findBuyer(context, buyer_id)
      : await archiveBuyer(context, buyer_id);
    const archived_at = buyer.archived_at ?? null;
    return {
      id: buyer_id,
      name: buyer.name,
      archived: archived_at !== null,
      archived_at,
      waiting: await countWaiting({ buyer_ids: [buyer_id] }, context),
    };
  },
});
