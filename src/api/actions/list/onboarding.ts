/** What is still missing before leads can flow. */
import { z } from 'zod';
import { findCampaign } from '../../../account/campaigns/campaigns.js';
import { campaignFacts } from '../../../ingest/onboarding/onboarding.js';
import { isReady, stepsOf, type Step } from '../../../ingest/onboarding/onboardingSteps.js';
import type { CampaignDoc } from '../../../account/store/campaignDoc.js';
import { definePagedAction, type ActionContext } from '../action.js';
import { readTextCursor, writeTextCursor } from '../cursor.js';
import { id, orNull, recordId, recordName } from '../schemas/common.js';

const LIST = 'get_onboarding_status';

const StepView = z.object({
  id: z.string().describe('The id of the step'),
  title: z.string().describe('What is true when the step is done'),
  done: z.boolean().describe('Whether the step is done'),
  required: z.boolean().describe('true: no live lead is sold without it; false: advice'),
  detail: z.string().describe('What exists, or what is missing'),
  action: z
    .object({
      name: z.string().describe('The action'),
      input: z.looseObject({}).describe('An input of the action'),
    })
    .nullable()
    .describe('The call that does the step; its names, prices and addresses are examples'),
});

const Status = z.enum(['ACTIVE', 'PAUSED', 'ARCHIVED']).describe('The status of the campaign');

export const getOnboardingStatus = definePagedAction({
  name: 'get_onboarding_status',
  cli: ['onboarding', 'status'],
  summary: 'Show what is missing before leads can flow',
  description:
    'With a campaign: each step of setting it up, in order, whether it is done, and the action that does it. Without ' +
    'one: the steps of the account, and for each of its campaigns which steps are missing.',
  permission: 'campaigns:read',
  input: z.strictObject({
    campaign_id: id('campaign').optional(),
    limit: z.number().int().min(1).max(50).default(20).describe('Maximum campaigns per page'),
    cursor: z.string().max(1_000).optional().describe('next_cursor of the previous page'),
  }),
  example: { campaign_id: '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11' },
  output: z.object({
    ready: z
      .boolean()
      .describe('The campaign accepts live leads; for the account: a campaign of this page does'),
    campaign: orNull(
      z.object({ id: recordId('campaign'), name: recordName('campaign'), status: Status }),
    ).describe('The campaign given; null without one'),
    steps: z.array(StepView).describe('In the recommended order'),
    campaigns: orNull(
      z.array(
        z.object({
          id: recordId('campaign'),
          name: recordName('campaign'),
          status: Status,
          ready: z.boolean().describe('It accepts live leads'),
          missing: z.array(z.string()).describe('Ids of required steps that are not done'),
        }),
      ),
    ).describe('For the account, by name; null with a campaign'),
    next_cursor: z.string().nullable().describe('The same as next_cursor next to data'),
  }),
  async run(input, context) {
    if (input.campaign_id === undefined) {
      const data = await accountStatus(input, context);
      return { data, next_cursor: data.next_cursor };
    }
    const { collections, caller } = context;
    const campaign = await findCampaign({ collections, orgId: caller.org_id }, input.campaign_id);
    const [status] = await statusOf([campaign], context);
    const steps = status?.steps ?? [];
    const shown = { ...campaign, id: campaign._id };
    const data = { ready: isReady(steps), campaign: shown, steps, next_cursor: null };
    return { data, next_cursor: null };
  },
});

async function statusOf(campaigns: CampaignDoc[], { collections, caller }: ActionContext) {
  const facts = await campaignFacts(collections, caller.org_id, campaigns);
  return facts.map((one) => ({ ...one, steps: stepsOf(one) }));
}

async function accountStatus(
  { limit, cursor }: { limit: number; cursor?: string },
  context: ActionContext,
) {
  const { collections, caller } = context;
  const { org_id } = caller;
  const name = cursor === undefined ? undefined : { $gt: readTextCursor(LIST, cursor) };
  const found = await collections.campaigns
    .find({ org_id, name })
    .sort({ org_id: 1, name: 1 })
    .limit(limit + 1)
    .toArray();
  const page = found.slice(0, limit);
  const [statuses, buyer, supplier] = await Promise.all([
    statusOf(page, context),
    collections.buyers.findOne({ org_id }, { projection: { name: 1 } }),
    collections.suppliers.findOne({ org_id }, { projection: { name: 1 } }),
  ]);
  const campaigns = statuses.map(({ campaign, steps }) => ({
    ...campaign,
    id: campaign._id,
    ready: isReady(steps),
    missing: steps.filter(({ done, required }) => required && !done).map((step) => step.id),
  }));
  const steps = [
    has('campaign', 'There is a campaign', page.length > 0 || cursor !== undefined, {
      name: 'create_campaign',
      input: { name: 'First campaign' },
    }),
    has('buyer', 'There is a buyer', buyer !== null, {
      name: 'create_buyer',
      input: { name: 'First buyer' },
    }),
    has('supplier', 'There is a supplier', supplier !== null, {
      name: 'create_supplier',
      input: { name: 'First supplier' },
    }),
  ];
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    ready: campaigns.some(({ ready }) => ready),
    steps,
    campaigns,
    next_cursor: last ? writeTextCursor(LIST, last.name) : null,
  };
}

const has = (stepId: string, title: string, done: boolean, action: Step['action']): Step => ({
  id: stepId,
  title,
  done,
  required: true,
  ...(done
    ? { detail: 'At least one.', action: null }
    : { detail: `There is no ${stepId} yet.`, action }),
});
