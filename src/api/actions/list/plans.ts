/** Versions of a campaign: what each changed, and restoring one. */
import { z } from 'zod';
import { findCampaign } from '../../../account/campaigns/campaigns.js';
import {
  comparePlanVersions,
  listPlanVersions,
  type PlanVersion,
} from '../../../account/plans/listPlanVersions.js';
import type { PlanAuthor } from '../../../account/rules/plan.js';
import { revertCampaign } from '../../../account/plans/revertCampaign.js';
import { requireFunnelsFit } from '../../../funnels/campaign.js';
import { defineAction, definePagedAction } from '../action.js';
import { ADDRESS } from '../exits.js';
import { notGiven, readTextCursor, writeTextCursor } from '../cursor.js';
import { invalidField } from '../readInput.js';
import { id, recordId, Instant, orNull } from '../schemas/common.js';
import { retryOnConflict } from '../../../lib/retry.js';

const LIST = 'get_plan_history';

const ChangeView = z.object({
  path: z
    .string()
    .describe(
      'The setting that changed, such as max_sells, fields["age"].min or buyers["Acme"].price',
    ),
  from: z.unknown().describe('The previous value; null: absent. Long values are truncated'),
  to: z.unknown().describe('The new value; null: absent'),
});

const VersionView = z.object({
  version: z.number().int().describe('Counts up from 1'),
  at: orNull(Instant).describe('When it was created; null: the time was not yet recorded'),
  by: z
    .object({
      kind: z
        .enum(['key', 'person', 'local'])
        .describe('local: on the machine itself, by a command or during setup'),
      id: orNull(z.string()).describe('The id of the key or person; null without one'),
      name: orNull(z.string()).describe('The name of the key or person; null without one'),
    })
    .nullable()
    .describe('Who made the change; null: not recorded'),
  action: orNull(z.string()).describe('The action that created it'),
  reverted_to: orNull(z.number().int()).describe('The version that was restored'),
  changes: z
    .array(ChangeView)
    .describe(
      'Changes since the previous version, money in currency; delivery settings are hidden',
    ),
  more_changes: z.number().int().describe('Changes beyond the first 50'),
});

const DifferenceView = z.object({
  from_version: z.number().int().describe('The version that is compared'),
  to_version: z.number().int().describe('The one with which'),
  changes: z.array(ChangeView).describe('Every value that differs between the two'),
  more_changes: z.number().int().describe('Changes beyond the first 500'),
});
const campaign_id = id('campaign');
const EXAMPLE_ID = '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11';
const version = z.number().int().min(1);

export const getPlanHistory = definePagedAction({
  name: 'get_plan_history',
  cli: ['campaigns', 'history'],
  summary: 'Show the changes of a campaign',
  description:
    'The versions of a campaign, newest first: when each was created, by which key or person and which action, and every value it ' +
    'changed in the campaign and in the terms of its buyers and suppliers. A lead names the version that decided it. ' +
    'from_version also compares two versions.',
  permission: 'campaigns:read',
  input: z.strictObject({
    campaign_id,
    limit: z.number().int().min(1).max(50).default(20).describe('Maximum versions per page'),
    cursor: z.string().max(200).optional().describe('next_cursor of the previous page'),
    from_version: version.optional().describe('Compare this version with to_version'),
    to_version: version.optional().describe('Default the current version'),
  }),
  example: { campaign_id: EXAMPLE_ID, limit: 10 },
  output: z.object({
    campaign_id: recordId('campaign'),
    version: z.number().int().describe('The version that decides new leads'),
    versions: z.array(VersionView).describe('Newest first'),
    difference: DifferenceView.optional().describe('Only with from_version'),
    next_cursor: z.string().nullable().describe('The same as next_cursor next to data'),
  }),
  async run({ campaign_id: campaignId, limit, cursor, ...compared }, context) {
    const campaign = await findCampaign(context, campaignId);
    const { from_version: from, to_version: to = campaign.plan_version } = compared;
    if (from === undefined && compared.to_version !== undefined)
      throw invalidField('from_version', 'required', 'from_version is required with to_version.');
    const newest = cursor === undefined ? campaign.plan_version : versionAt(cursor);
    const history = await listPlanVersions(context, campaignId, newest, limit);
    const last = history.at(-1)?.version ?? 1;
    const next_cursor = last > 1 ? writeTextCursor(LIST, String(last - 1)) : null;
    const versions = history.map(versionView);
    const difference =
      from === undefined ? undefined : await comparePlanVersions(context, campaignId, { from, to });
    const { plan_version } = campaign;
    return {
      data: { campaign_id: campaignId, version: plan_version, versions, difference, next_cursor },
      next_cursor,
    };
  },
});

export const revertPlan = defineAction({
  name: 'revert_plan',
  cli: ['campaigns', 'revert'],
  summary: 'Revert a campaign to an earlier version',
  description:
    'Creates a new version with the settings of an earlier one: name, status, methods, fields, filters, duplicates, ' +
    'limits, and the terms of each buyer and supplier. Links that the earlier version does not have are removed. ' +
    'Settings of buyers, suppliers and the organization itself (deliveries, test mode, suppression lists) stay as ' +
    'they are; differences that result are listed. The call is refused when a buyer of that version has since been ' +
    'deleted, or when its header overrides would be sent to another origin than they were given for. A deleted ' +
    'supplier is left out, and named.',
  idempotent: true,
  permission: 'campaigns:write',
  letsOut: [ADDRESS],
  alsoNeeds: {
    permission: 'buyers:write',
    when: 'that version has another delivery override for a buyer than the campaign has now',
  },
  input: z.strictObject({
    campaign_id,
    version: version.describe('The version to go back to, as get_plan_history shows it'),
    expected_version: z
      .number()
      .int()
      .optional()
      .describe('Refuse the change unless the campaign has this version'),
  }),
  example: { campaign_id: EXAMPLE_ID, version: 3, expected_version: 5 },
  output: z.object({
    campaign_id: recordId('campaign'),
    version: z.number().int().describe('The new version'),
    reverted_to: z.number().int().describe('The version that was restored'),
    left_out: z
      .array(
        z.object({
          supplier_id: recordId('supplier'),
          name: z.string().nullable().describe('Its value in that version; null: not kept'),
        }),
      )
      .describe('Suppliers of that version that have since been deleted'),
    still_different: z
      .array(ChangeView)
      .describe('Differences between the new version and the restored one'),
  }),
  async run({ campaign_id: campaignId, version: to, expected_version }, context) {
    const attempt = async () => {
      const current = await findCampaign(context, campaignId);
      return revertCampaign(context, campaignId, to, {
        expected: expected_version,
        mayRedirect: context.holdsFurther,
        checkTarget: (target) => requireFunnelsFit(context.collections, current, target),
      });
    };
    const made = await (expected_version === undefined ? retryOnConflict(attempt) : attempt());
    return { ...made, campaign_id: campaignId, version: made.plan.version, reverted_to: to };
  },
});

function versionView({ published, ...version }: PlanVersion) {
  return {
    ...version,
    ...published,
    by: published && !published.unknown ? authorView(published) : null,
  };
}

const authorView = ({ key, person }: PlanAuthor) =>
  ({ kind: key ? 'key' : person ? 'person' : 'local', ...(key ?? person) }) as const;

function versionAt(cursor: string): number {
  const text = readTextCursor(LIST, cursor);
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text);
  throw notGiven(LIST);
}
