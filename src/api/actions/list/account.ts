/** The account as a whole: its name, its time zone, its size. */
import { z } from 'zod';
import { limitsOf } from '../../../account/keys/keyLimits.js';
import { findOrgKey } from '../../../account/keys/keys.js';
import { LINKS_PER_CAMPAIGN } from '../../../account/links/storeLink.js';
import { checkTimeZone, checkZoneOfDatabase, findOrg, renameOrg } from '../../../account/orgs.js';
import { PLAN_BYTES_MAX } from '../../../account/plans/planSize.js';
import { countRecords } from '../../../account/store/recordCounts.js';
import { changeTimeZone } from '../../../account/timeZone.js';
import { checkName } from '../../../account/values.js';
import { moveWindows } from '../../../distribution/moveWindows.js';
import { FIELDS_MAX } from '../../../fields/fieldRule.js';
import { recountAllDays } from '../../../reports/recountAllDays.js';
import { defineAction, type ActionContext } from '../action.js';
import { Instant, NewName, orNull, recordId, recordName } from '../schemas/common.js';
import { dry_run } from '../waiting.js';
import { zoneEffects, type Effect } from '../zoneEffects.js';

const account = {
  id: recordId('organization'),
  name: z.string().describe('Its name'),
  time_zone: z.string().describe('IANA name: caps, schedules and days of reports follow it'),
  currency: z.string().describe('ISO 4217 code; all amounts are in it, and it never changes'),
};
const perStatus = (what: string) =>
  z.record(z.string(), z.number().int()).describe(`How many ${what}, by status`);
const most = (what: string) => z.number().int().describe(`Maximum ${what}`);

export const getAccount = defineAction({
  name: 'get_account',
  cli: ['account', 'get'],
  summary: 'Show the account',
  description:
    'The name, time zone and currency of the organization, how many records it has, its limits, and what the caller may do.',
  permission: 'campaigns:read',
  input: z.strictObject({}),
  example: {},
  output: z.object({
    ...account,
    created_at: Instant.describe('When it was created, in UTC'),
    counts: z
      .object({
        campaigns: perStatus('campaigns'),
        buyers: perStatus('buyers'),
        suppliers: perStatus('suppliers'),
        automations: perStatus('automations'),
        keys: z.number().int().describe('API keys that are not revoked'),
      })
      .describe('Records by status; archived buyers are counted as archived'),
    limits: z
      .object({
        buyers_per_campaign: most('buyers of a campaign'),
        suppliers_per_campaign: most('suppliers of a campaign'),
        fields_per_campaign: most('fields of a campaign'),
        campaign_bytes: z.number().int().describe('Of a campaign with all its terms'),
        calls_per_minute: orNull(z.number().int()).describe('Of this key; null: no key calls'),
        writes_per_minute: orNull(z.number().int()).describe('Of these, those that write'),
      })
      .describe('What no record may exceed'),
    caller: z
      .object({
        kind: z.enum(['key', 'person']).describe('What calls'),
        id: recordId('key or person'),
        name: recordName('key or person'),
        permissions: z.array(z.string()).describe('What it may do; write implies read'),
      })
      .describe('The key or person that calls'),
  }),
  async run(_input, context) {
    const { actor, permissions } = context.caller;
    const [org, counts, ofKey] = await Promise.all([
      findOrg(context),
      countRecords(context),
      actor.kind === 'key' ? findOrgKey(context, actor.id).then(limitsOf) : undefined,
    ]);
    const { _id: id, name, time_zone, currency, created_at } = org;
    return {
      id,
      name,
      time_zone,
      currency,
      created_at,
      counts,
      limits: {
        buyers_per_campaign: LINKS_PER_CAMPAIGN,
        suppliers_per_campaign: LINKS_PER_CAMPAIGN,
        fields_per_campaign: FIELDS_MAX,
        campaign_bytes: PLAN_BYTES_MAX,
        calls_per_minute: ofKey?.calls_per_minute,
        writes_per_minute: ofKey?.writes_per_minute,
      },
      caller: {
        kind: actor.kind,
        id: actor.id,
        name: actor.name,
        permissions: [...permissions],
      },
    };
  },
});

export const updateAccount = defineAction({
  name: 'update_account',
  cli: ['account', 'update'],
  summary: 'Change the name or the time zone of the account',
  description:
    'Changes the name or the time zone of the organization. effects says what another time zone changes: when caps end, ' +
    'when schedules open, which days reports have; dry_run says it beforehand. No cap is passed by it. The currency cannot ' +
    'be changed: every amount that is stored is in it.',
  idempotent: true,
  permission: 'settings:write',
  input: z.strictObject({
    name: NewName.optional().describe('The new name'),
    time_zone: z.string().min(1).max(60).optional().describe('IANA name, such as America/New_York'),
    dry_run,
  }),
  example: { time_zone: 'America/Los_Angeles', dry_run: true },
  output: z.object({
    ...account,
    dry_run: z.boolean().describe('true: nothing was changed, and the account is shown as it is'),
    changes: z
      .array(
        z.object({
          path: z.string().describe('The setting: name or time_zone'),
          from: z.string().describe('Its value before'),
          to: z.string().describe('Its value afterwards'),
        }),
      )
      .describe('Settings that differ; empty: none'),
    effects: z
      .array(
        z.object({
          what: z.enum(['caps', 'schedules', 'reports']).describe('What is affected'),
          text: z.string().describe('What it changes, in words'),
        }),
      )
      .describe('Of another time zone; empty: it stays'),
  }),
  async run({ name, time_zone, dry_run: isDry }, context) {
    const before = await findOrg(context);
    const wanted = {
      name: name === undefined ? before.name : checkName(name),
      time_zone: time_zone === undefined ? before.time_zone : checkTimeZone(time_zone),
    };
    const changes = (['name', 'time_zone'] as const)
      .filter((path) => before[path] !== wanted[path])
      .map((path) => ({ path, from: before[path], to: wanted[path] }));
    const move = changes.find(({ path }) => path === 'time_zone');
    if (move) await checkZoneOfDatabase(context, move.to);
    const effects: Effect[] = move ? await zoneEffects(move, context) : [];
    if (!isDry) await change(wanted, changes, context);
    const { _id: id, currency, ...org } = isDry ? before : await findOrg(context);
    return {
      id,
      name: org.name,
      time_zone: org.time_zone,
      currency,
      dry_run: isDry,
      changes,
      effects,
    };
  },
});

/** The zone first: it may be refused, and then nothing is changed. */
async function change(
  { name, time_zone }: { name: string; time_zone: string },
  changes: readonly { path: string }[],
  context: ActionContext,
): Promise<void> {
  const { collections, clock } = context;
  const differs = (path: string) => changes.some((one) => one.path === path);
  if (differs('time_zone'))
    await changeTimeZone(context, time_zone, {
      moveCaps: (move) => moveWindows(move, { collections, clock }),
      recountReports: (orgId) => recountAllDays(orgId, { collections, clock }),
    });
  if (differs('name')) await renameOrg(context, name);
}
