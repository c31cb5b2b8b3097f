import { randomUUID } from 'node:crypto';
import type { FieldRule } from '../../fields/fieldRule.js';
import { checkFieldRules } from '../../fields/mapping.js';
import { definedOnly } from '../../lib/defined.js';
import { AppError, invalidFields } from '../../lib/errors.js';
import { retryOnConflict } from '../../lib/retry.js';
import type { AccountContext } from '../context.js';
import { requirePlanFits } from '../plans/planSize.js';
import { publishCampaign } from '../plans/publish.js';
import { markPublished, unpublishedNow } from '../plans/unpublished.js';
import type { PlanAuthor } from '../rules/plan.js';
import { verticalFields } from '../rules/vertical.js';
import { CAMPAIGN } from '../settings/campaignSettings.js';
import { gathered } from '../settings/cappedTable.js';
import type { InputOf } from '../settings/settingsTable.js';
import type { Unpublished } from '../store/accountDocs.js';
import type { CampaignDoc } from '../store/campaignDoc.js';
import type { AccountCollections } from '../store/collections.js';
import { checkEach, checkName, invalidValue, refuseTakenName } from '../values.js';
import { checkDedupe, dedupeSince, keepDedupeFields } from './dedupe.js';
import type { PingSettingsInput } from './pingSchema.js';
import { checkPingSettings } from './pingSettings.js';
import { checkFilterInput } from './targeting.js';

/** What a person may set on a campaign; all but the name has a default (contract 4.1). */
export interface CampaignInput extends InputOf<typeof CAMPAIGN> {
  name: string;
  fields?: FieldRule[];
  /** How it answers pings. */
  ping?: PingSettingsInput;
}

type Account = Pick<AccountContext, 'collections' | 'orgId' | 'author'>;

/**
 * Creates a campaign, paused by default, and publishes its first plan.
 * @throws {AppError} `validation_failed` for a bad value or a taken name
 */
export async function createCampaign(account: Account, input: CampaignInput): Promise<CampaignDoc> {
  const { campaign, unpublished } = await storeCampaign(account, input);
  const plan = await publishCampaign(account, campaign._id);
  await markPublished(account.collections.campaigns, campaign._id, unpublished);
  return { ...campaign, plan_version: plan.version };
}

/** The same without publishing, for a caller that stores several records and then publishes once. */
export async function storeCampaign(
  { collections, orgId, author }: Account,
  input: CampaignInput,
): Promise<{ campaign: CampaignDoc; unpublished: Unpublished }> {
  const none = { ...CAMPAIGN.defaults, fields: [] };
  const campaign: CampaignDoc = {
    _id: randomUUID(),
    org_id: orgId,
    name: '',
    ...none,
    ...verticalFields(null),
    campaign_type: 'LEADS',
    plan_version: 0,
    created_at: new Date(),
    ...checkCampaign(input, none),
  };
  const unpublished = unpublishedNow(author);
  await refuseTakenName('campaign', campaign.name, () =>
    collections.campaigns.insertOne({ ...campaign, unpublished }),
  );
  return { campaign, unpublished };
}

interface CampaignChange {
  /** The version that the change was made from. Absent: the one it finds, as often as another caller is faster. */
  from?: number;
  /** Refuses a change that something else does not allow. */
  check?: (current: CampaignDoc, changes: Partial<CampaignInput>) => Promise<void>;
}

/**
 * Sets what is given, leaves the rest, and publishes. Of two changes from one version the second is refused, or made
 * again from the version that the first made, so that no change is lost.
 * @param changes a function where they depend on what the campaign is
 * @throws {AppError} `not_found`, `validation_failed` for a bad value or a taken name, `version_conflict`
 */
export function updateCampaign(
  account: Account,
  campaignId: string,
  changes: Partial<CampaignInput> | ((current: CampaignDoc) => Partial<CampaignInput>),
  { from, check }: CampaignChange = {},
): Promise<CampaignDoc> {
  const attempt = async () => {
    const current = await findCampaign(account, campaignId);
    const given = typeof changes === 'function' ? changes(current) : changes;
    await check?.(current, given);
    return change(account, current, given, from ?? current.plan_version);
  };
  return from === undefined ? retryOnConflict(attempt) : attempt();
}

async function change(
  account: Account,
  current: CampaignDoc,
  changes: Partial<CampaignInput>,
  from: number,
): Promise<CampaignDoc> {
  const { collections, author } = account;
  const { _id: campaignId, org_id: orgId } = current;
  const checked = checkCampaign(changes, current);
  const since = checked.dedupe ? dedupeSince(current.dedupe, checked.dedupe, new Date()) : {};
  if (checked.fields) await keepLinkFilters(collections, campaignId, checked.fields);
  const unchanged = { plan_version: from, changed_from: { $ne: from } };
  if (checked.fields || checked.filters)
    await requirePlanFits(
      collections,
      campaignId,
      checked.fields ? 'fields' : 'filters',
      (plan) => ({ ...plan, campaign: { ...plan.campaign, ...checked } }),
    );
  const unpublished = unpublishedNow(author);
  const { matchedCount } = await refuseTakenName('campaign', checked.name ?? current.name, () =>
    collections.campaigns.updateOne(
      { _id: campaignId, org_id: orgId, ...unchanged },
      { $set: { ...checked, ...since, ...changedFrom(from, author), unpublished } },
    ),
  );
  if (matchedCount === 0) throw await tooLate(collections, campaignId, from);
  const plan = await publishCampaign(account, campaignId);
  await markPublished(collections.campaigns, campaignId, unpublished);
  return { ...current, ...checked, ...since, plan_version: plan.version };
}

/** Marks a change with the version it was made from and its author. */
export const changedFrom = (from: number, author: PlanAuthor = {}) => ({
  changed_from: from,
  changed_by: author,
});

/** The author of a change that has no version yet. */
export function authorOfChange({
  changed_by,
  changed_from,
  plan_version,
}: CampaignDoc): PlanAuthor {
  const isItsOwn = changed_by !== undefined && changed_from === plan_version;
  return isItsOwn ? changed_by : { unknown: true };
}

/** Another change came first. If it has no version yet, its process may have stopped: this call publishes it. */
async function tooLate(
  collections: AccountCollections,
  campaignId: string,
  from: number,
): Promise<AppError> {
  const found = await collections.campaigns.findOne({ _id: campaignId });
  const isUnpublished = found !== null && found.plan_version === from;
  const version = isUnpublished
    ? (await publishCampaign({ collections, author: authorOfChange(found) }, campaignId)).version
    : found?.plan_version;
  const text = `The campaign has version ${version ?? 'none'}, not ${from}`;
  return new AppError('version_conflict', `${text}: it has since been changed. Read it again.`);
}

/** @throws {AppError} `not_found` when the organization has no such campaign */
export async function findCampaign(
  { collections, orgId }: { collections: Pick<AccountCollections, 'campaigns'>; orgId: string },
  campaignId: string,
): Promise<CampaignDoc> {
  const campaign = await collections.campaigns.findOne({ _id: campaignId, org_id: orgId });
  if (campaign) return campaign;
  throw new AppError('not_found', `There is no campaign ${campaignId}.`);
}

/**
 * What is given, as the campaign stores it.
 * @throws {AppError} `validation_failed` naming every bad value
 */
export function checkCampaign(
  input: Partial<CampaignInput>,
  current: Pick<CampaignDoc, 'caps' | 'dedupe' | 'fields' | 'filters' | 'ping'>,
) {
  const { name, fields, ping } = input;
  const mapping = fields && checkFields(fields, current.fields);
  const inForce = mapping ?? current.fields;
  // Stored filters that are kept must match the new fields.
  const filters = input.filters === undefined && mapping ? current.filters : input.filters;
  const { settings, ...others } = checkEach({
    name: () => (name === undefined ? undefined : checkName(name)),
    ping: () => ping && checkPingSettings(ping, current.ping),
    fields() {
      if (mapping && !input.dedupe?.fields) keepDedupeFields(current, mapping);
      return mapping;
    },
    settings: () =>
      CAMPAIGN.read(gathered({ ...input, filters }, current.caps), {
        filters: (given) => checkFilterInput(given, inForce),
        dedupe: (given) => checkDedupe(given, current.dedupe, inForce),
      }),
  });
  const { vertical } = settings;
  return definedOnly({
    ...others,
    ...settings,
    ...(vertical === undefined ? {} : verticalFields(vertical)),
  });
}

/**
 * A field that a buyer's filters use cannot be removed.
 * @throws {AppError} `validation_failed` naming the first buyer whose filters do not match the fields
 */
async function keepLinkFilters(
  collections: AccountCollections,
  campaignId: string,
  fields: readonly FieldRule[],
): Promise<void> {
  const links = await collections.campaignBuyers
    .find({ campaign_id: campaignId, filters: { $ne: null } })
    .toArray();
  for (const { buyer_id: buyerId, filters } of links) {
    try {
      checkFilterInput(filters, fields);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const rule = `fields must suit the filters of buyer ${buyerId}; change those first`;
      throw invalidValue('fields', 'not_allowed', `${rule}. ${error.message}`);
    }
  }
}

function checkFields(fields: FieldRule[], stored: readonly FieldRule[]): FieldRule[] {
  const problems = checkFieldRules(fields, stored).map((problem) => `${problem}.`);
  if (problems.length === 0) return fields;
  throw invalidFields(
    problems.map((message) => ({ field: 'fields', code: 'invalid_format', message })),
  );
}
