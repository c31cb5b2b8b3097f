/** A new campaign from another. */
import { z } from 'zod';
import { copyCampaign } from '../../../account/campaigns/copyCampaign.js';
import { defineAction } from '../action.js';
import { ADDRESS, type Exit } from '../exits.js';
import { id, NewName, recordId, recordName } from '../schemas/common.js';

/** A link may override where the leads of its campaign are sent. */
const WITH_BUYERS: Exit<{ buyers: boolean }> = {
  ...ADDRESS,
  when: 'buyers is not false',
  isFor: ({ buyers }) => buyers,
};

export const copyCampaignAction = defineAction({
  name: 'copy_campaign',
  cli: ['campaigns', 'copy'],
  summary: 'Copy a campaign',
  description:
    'Creates a campaign with the settings of another, PAUSED by default: methods, fields, filters, duplicates, limits and ' +
    'ping settings, and its buyers and suppliers on the same terms. Leads, counts and history are not copied, nor what ' +
    'belongs to the one campaign alone: suppression lists, automations and funnels. Archived buyers are left out.',
  permission: 'campaigns:write',
  letsOut: [WITH_BUYERS],
  alsoNeeds: {
    permission: 'buyers:write',
    when: 'a copied buyer has a delivery of its own in the campaign',
  },
  input: z.strictObject({
    campaign_id: id('campaign'),
    name: NewName,
    status: z.enum(['ACTIVE', 'PAUSED']).default('PAUSED').describe('Of the new campaign'),
    buyers: z.boolean().default(true).describe('false: without its buyers'),
    suppliers: z.boolean().default(true).describe('false: without its suppliers'),
  }),
  example: { campaign_id: '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11', name: 'Auto insurance, Texas' },
  output: z.object({
    id: recordId('new campaign'),
    name: recordName('new campaign'),
    copied_from: recordId('campaign that was copied'),
    status: z.enum(['ACTIVE', 'PAUSED']).describe('Of the new campaign'),
    buyers: z.number().int().describe('How many buyers it has'),
    suppliers: z.number().int().describe('How many suppliers it has'),
    left_out: z
      .array(z.object({ buyer_id: recordId('buyer'), name: recordName('buyer') }))
      .describe('Archived buyers, which it does not have'),
  }),
  async run({ campaign_id: copied_from, name, ...order }, context) {
    const mayRedirect = context.holdsFurther;
    const copy = await copyCampaign(context, copied_from, { ...order, name, mayRedirect });
    const { campaign_id, ...linked } = copy;
    return { id: campaign_id, name: name.trim(), copied_from, status: order.status, ...linked };
  },
});
