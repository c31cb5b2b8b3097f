/** What is still missing before leads can flow. */
import { z } from 'zod';
import { findCampaign } from '../../../account/campaigns/campaigns.js';
import { campaignFacts } from '../../../ingest/onboarding/onboarding.js';
import type { Step } from '../../../ingest/onboarding/onboardingFacts.js';
import { isReady, stepsOf } from '../../../ingest/onboarding/onboardingSteps.js';
import type { CampaignDoc } from '../../../account/store/campaignDoc.js';
import { definePagedAction, type ActionContext } from '../action.js';
import { readTextCursor, writeTextCursor } from '../cursor.js';
import { id, recordId, recordName } from '../schemas/common.js';

const LIST = 'get_onboarding_status';

const StepView = z.object({
  id: z.string().describe('What the step is called by'),
  title: z.string().describe('What is so when it is done'),
  done: z.boolean().describe('Whether it is'),
  required: z.boolean().describe('Without it no live lead is sold; else it is advice'),
  detail: z.string().describe('What there is, or what is missing'),
  action: z
    .object({
      name: z.string().describe('The action'),
      input: z.looseObject({}).describe('An input of it'),
    })
    .nullable()
    .describe('What would do it; names, prices and addresses in it are examples'),
});

const Status = z.enum(['ACTIVE', 'PAUSED', 'ARCHIVED']).describe('Whether it takes leads');

export const getOnboardingStatus = definePagedAction({
  name: 'get_onboarding_status',
  cli: ['onboarding', 'status'],
  summary: 'Show what is missing before leads can flow',
  description:
    'With a campaign: each step of setting it up, in order, whether it is done, and the action that does it. Without ' +
    'one: the steps of the account, and for each of its campaigns which steps are missing.',
  effect: 'read',
  idempotent: true,
  permission: 'campaigns:read',
  input: z.strictObject({
    campaign_id: id('campaign').optional(),
    limit: z.number().int().min(1).max(50).default(20).describe('Most campaigns of a page'),
    cursor: z.string().max(1_000).optional().describe('next_cursor of the page before'),
  }),
  example: { campaign_id: '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11' },
  output: z.object({
    ready: z
      .boolean()
      .describe('The campaign takes live leads; of the account: a campaign of this page does'),
    campaign: z
      .object({ id: recordId('campaign'), name: recordName('campaign'), status: Status })
      .nullable()
      .describe('The one that was named; null without one'),
    steps: z.array(StepView).describe('In the order in which they are best done'),
    campaigns: z
      .array(
        z.object({
          id: recordId('campaign'),
          name: recordName('campaign'),
          status: Status,
          ready: z.boolean().describe('It takes live leads'),
          missing: z
            .array(z.string())
            .describe('Steps that are required and not done, by their id'),
        }),
      )
      .nullable()
      .describe('Of the account, by name; null with a campaign'),
    next_cursor: z.string().nullable().describe('As beside data'),
  }),
  async run(input, context) {
    if (input.campaign_id === undefined) {
      const data = await accountStatus(input, context);
      return { data, next_cursor: data.next_cursor };
    }
    const { collections, caller } = context;
    const campaign = await findCampaign(collections, caller.org_id, input.campaign_id);
    const [status] = await statusOf([campaign], context);
    const steps = status?.steps ?? [];
    const { _id, name } = campaign;
    const data = {
      ready: isReady(steps),
      campaign: { id: _id, name, status: campaign.status },
      steps,
      campaigns: null,
      next_cursor: null,
    };
    return { data, next_cursor: null };
  },
});

async function statusOf(campaigns: CampaignDoc[], { collections, caller }: ActionContext) {
  const facts = await campaignFacts(collections, caller.org_id, campaigns);
  return facts.map((one) => ({ ...one, steps: stepsOf(one) }));
}

async function accountStatus(
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  context: ActionContext,
) {
  const { collections, caller } = context;
  const { org_id } = caller;
  const after = cursor === undefined ? {} : { name: { $gt: readTextCursor(LIST, cursor) } };
  const found = await collections.campaigns
    .find({ org_id, ...after })
    .sort({ org_id: 1, name: 1 })
    .limit(limit + 1)
    .toArray();
  const page = found.slice(0, limit);
  const [statuses, buyer, supplier] = await Promise.all([
    statusOf(page, context),
    collections.buyers.findOne({ org_id }, { projection: { name: 1 } }),
    collections.suppliers.findOne({ org_id }, { projection: { name: 1 } }),
  ]);
  const campaigns = statuses.map(({ campaign: { _id, name, status }, steps }) => ({
    id: _id,
    name,
    status,
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
    campaign: null,
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
