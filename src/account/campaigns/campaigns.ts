import { randomUUID } from 'node:crypto';
import type { PlanAuthor } from '../rules/plan.js';
import type { Unpublished } from '../store/accountDocs.js';
import type { CampaignDoc } from '../store/campaignDoc.js';
import type { AccountCollections } from '../store/collections.js';
import type { FilterNodeInput } from '../../fields/filterSchema.js';
import { checkFieldRules } from '../../fields/mapping.js';
import type { DedupeSettings } from '../rules/plan.js';
import type { FieldRule } from '../../fields/fieldRule.js';
import { readVertical, VERTICAL_MAX, verticalFields } from '../rules/vertical.js';
import { AppError, invalidFields } from '../../lib/errors.js';
import { retryOnConflict } from '../../lib/retry.js';
import { requirePlanFits } from '../plans/planSize.js';
import { publishCampaign } from '../plans/publish.js';
import { definedOnly, pickDefined } from '../../lib/defined.js';
import { AnswerWithinMs, ConversionWindowDays, MaxSells } from './campaignSchema.js';
import { checkDedupe, dedupeSince, keepDedupeFields } from './dedupe.js';
import { checkPingSettings } from './pingSettings.js';
import type { PingSettingsInput } from './pingSchema.js';
import { checkFilterInput } from './targeting.js';
import { markPublished, unpublishedNow } from '../plans/unpublished.js';
import { checkCaps, type CapInput } from '../capsSchema.js';
import { checkEach, checkName, checkValue, invalidValue, refuseTakenName } from '../values.js';

/** What a person may set on a campaign; all but the name has a default (contract 4.1). */
export interface CampaignInput extends Partial<
  Pick<
    CampaignDoc,
    | 'status'
    | 'routing_method'
    | 'distribution_method'
    | 'answer_within_ms'
    | 'max_sells'
    | 'fields'
    | 'conversion_window_days'
    | 'share_outcomes'
    | 'campaign_type'
    | 'vertical'
  >
> {
  name: string;
  /** Over the campaign's fields; null is none. */
  filters?: FilterNodeInput | null;
  caps?: CapInput;
  dedupe?: Partial<DedupeSettings>;
  /** How it answers pings. */
  ping?: PingSettingsInput;
}

/** Duplicates by phone or email within 30 days are refused (contract 3.1). */
const DEFAULT_DEDUPE: DedupeSettings = {
  window_days: 30,
  fields: ['phone', 'email'],
  match: 'ANY',
  on_duplicate: 'REJECT',
};

/**
 * Creates a campaign, paused by default, and publishes its first plan.
 * @throws {AppError} `validation_failed` for a bad value or a taken name
 */
export async function createCampaign(
  collections: AccountCollections,
  orgId: string,
  input: CampaignInput,
  author?: PlanAuthor,
): Promise<CampaignDoc> {
  const { campaign, unpublished } = await storeCampaign(collections, orgId, input, author);
  const plan = await publishCampaign(collections, campaign._id, author);
  await markPublished(collections.campaigns, campaign._id, unpublished);
  return { ...campaign, plan_version: plan.version };
}

/** The same without publishing, for a caller that stores several records and then publishes once. */
export async function storeCampaign(
  collections: AccountCollections,
  orgId: string,
  input: CampaignInput,
  author?: PlanAuthor,
): Promise<{ campaign: CampaignDoc; unpublished: Unpublished }> {
  const campaign: CampaignDoc = {
    _id: randomUUID(),
    org_id: orgId,
    name: '',
    status: 'PAUSED',
    ...verticalFields(null),
    campaign_type: 'LEADS',
    routing_method: 'DIRECT_POST',
    distribution_method: 'WATERFALL',
    answer_within_ms: 2_000,
    max_sells: 1,
    caps: {},
    fields: [],
    filters: null,
    dedupe: DEFAULT_DEDUPE,
    plan_version: 0,
    created_at: new Date(),
    ...checkCampaign(input, { dedupe: DEFAULT_DEDUPE, fields: [], filters: null }),
  };
  const unpublished = unpublishedNow(author);
  await refuseTakenName('campaign', campaign.name, () =>
    collections.campaigns.insertOne({ ...campaign, unpublished }),
  );
  return { campaign, unpublished };
}

/**
 * Sets what is given, leaves the rest, and publishes.
 * @param from the version that the changes were made from; of two changes from one version the second is refused.
 * Absent: the version that it finds, as often as another caller is faster, so that no change is lost
 * @throws {AppError} `not_found`, `validation_failed` for a bad value or a taken name, `version_conflict`
 */
export function updateCampaign(
  collections: AccountCollections,
  orgId: string,
  campaignId: string,
  changes: Partial<CampaignInput>,
  from?: number,
  author?: PlanAuthor,
): Promise<CampaignDoc> {
  const attempt = async () => {
    const current = await findCampaign(collections, orgId, campaignId);
    return change(collections, current, changes, { from: from ?? current.plan_version, author });
  };
  return from === undefined ? retryOnConflict(attempt) : attempt();
}

async function change(
  collections: AccountCollections,
  current: CampaignDoc,
  changes: Partial<CampaignInput>,
  { from, author }: { from: number; author: PlanAuthor | undefined },
): Promise<CampaignDoc> {
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
      (account) => ({ ...account, campaign: { ...account.campaign, ...checked } }),
    );
  const unpublished = unpublishedNow(author);
  const { matchedCount } = await refuseTakenName('campaign', checked.name ?? current.name, () =>
    collections.campaigns.updateOne(
      { _id: campaignId, org_id: orgId, ...unchanged },
      { $set: { ...checked, ...since, ...changedFrom(from, author), unpublished } },
    ),
  );
  if (matchedCount === 0) throw await tooLate(collections, campaignId, from);
  const plan = await publishCampaign(collections, campaignId, author);
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
    ? (await publishCampaign(collections, campaignId, authorOfChange(found))).version
    : found?.plan_version;
  const text = `The campaign has version ${version ?? 'none'}, not ${from}`;
  return new AppError('version_conflict', `${text}: it has since been changed. Read it again.`);
}

/** @throws {AppError} `not_found` when the organization has no such campaign */
export async function findCampaign(
  collections: AccountCollections,
  orgId: string,
  campaignId: string,
): Promise<CampaignDoc> {
  const campaign = await collections.campaigns.findOne({ _id: campaignId, org_id: orgId });
  if (campaign) return campaign;
  throw new AppError('not_found', `There is no campaign ${campaignId}.`);
}

const PLAIN = [
  'status',
  'routing_method',
  'distribution_method',
  'share_outcomes',
  'campaign_type',
] as const satisfies readonly (keyof CampaignInput)[];

function checkCampaign(
  input: Partial<CampaignInput>,
  current: Pick<CampaignDoc, 'dedupe' | 'fields' | 'filters' | 'ping'>,
) {
  const { name, caps, dedupe, fields, ping, max_sells, answer_within_ms: answerWithin } = input;
  const { conversion_window_days: window } = input;
  const mapping = fields && checkFields(fields, current.fields);
  // Stored filters that are kept must match the new fields.
  const filters = input.filters === undefined && mapping ? current.filters : input.filters;
  return definedOnly({
    ...pickDefined(input, PLAIN),
    ...(input.vertical === undefined ? {} : verticalFields(checkVertical(input.vertical))),
    fields: mapping,
    ...checkEach({
      name: () => (name === undefined ? undefined : checkName(name)),
      caps: () => (caps === undefined ? undefined : checkCaps(caps)),
      filters: () =>
        filters === undefined ? undefined : checkFilterInput(filters, mapping ?? current.fields),
      dedupe: () => {
        if (mapping && !dedupe?.fields) keepDedupeFields(current, mapping);
        return dedupe && checkDedupe(dedupe, current.dedupe, mapping ?? current.fields);
      },
      ping: () => (ping === undefined ? undefined : checkPingSettings(ping, current.ping)),
      max_sells: () => checkValue('max_sells', MaxSells.optional(), max_sells),
      conversion_window_days: () =>
        window == null
          ? window
          : checkValue('conversion_window_days', ConversionWindowDays, window),
      answer_within_ms: () =>
        checkValue('answer_within_ms', AnswerWithinMs.optional(), answerWithin),
    }),
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

function checkVertical(vertical: string | null): string | null {
  const read = readVertical(vertical);
  if (read === null || read.length <= VERTICAL_MAX) return read;
  const rule = `vertical must have at most ${VERTICAL_MAX} characters`;
  throw invalidValue('vertical', 'too_long', `${rule}, such as "Auto insurance".`);
}
