import type { PlanAuthor } from '../rules/plan.js';
import type { AccountCollections } from '../store/collections.js';
import type { CampaignBuyerDoc } from '../store/accountDocs.js';
import type { FilterNodeInput } from '../../fields/filterSchema.js';
import type { ScheduleInput } from '../../fields/scheduleSchema.js';
import type { ZipAreaInput } from '../../fields/zipsSchema.js';
import type { FieldRule } from '../../fields/fieldRule.js';
import { sealSettings } from '../buyers/sealedHeaders.js';
import type { Keyring } from '../../platform/security/seal.js';
import { findBuyer } from '../buyers/buyers.js';
import { findCampaign } from '../campaigns/campaigns.js';
import { systemClock } from '../../lib/clock.js';
import { definedOnly, pickDefined } from '../../lib/defined.js';
import { fieldNamesOf, type DeliveryInput, type OutboundPolicy } from '../buyers/delivery.js';
import { keepRecipients } from '../buyers/delivery/keepRecipients.js';
import { claimNamedSheet } from '../buyers/delivery/spreadsheet.js';
import { checkOverrides } from './deliveryOverrides.js';
import {
  changeLink,
  foundLink,
  linkId,
  publishLink,
  requireRoom,
  upsertLink,
  type LinkKey,
  type StoredLink,
} from './storeLink.js';
import { checkMargin } from '../campaigns/pingSettings.js';
import type { MarginInput } from '../campaigns/pingSchema.js';
import { checkFilterInput, checkScheduleInput, checkZipsInput } from '../campaigns/targeting.js';
import { requirePlanFits } from '../plans/planSize.js';
import { checkCaps, DailyPingCap, type CapInput } from '../capsSchema.js';
import { checkEach, checkMoney, checkValue } from '../values.js';
import { ExactWeight, Priority, StateCodes } from './termsSchema.js';

/** The terms on which a buyer accepts a campaign's leads; every one has a default. */
export interface BuyerLinkInput extends Partial<
  Pick<CampaignBuyerDoc, 'status' | 'when_unavailable' | 'when_closed'>
> {
  /** In currency, at most 4 decimals. */
  price?: number;
  /** Lower goes first; null goes last. */
  priority?: number | null;
  /** Share of a WEIGHTED campaign, relative to the others', at most 4 decimals; 0 gets nothing. */
  weight?: number;
  /** Two-letter codes; empty is every state. */
  states?: readonly string[];
  /** A list or a radius; null or an empty list is everywhere. */
  zips?: ZipAreaInput | null;
  /** Uses the campaign's fields; null is none. */
  filters?: FilterNodeInput | null;
  /** When the buyer accepts leads; null is always. */
  schedule?: ScheduleInput | null;
  caps?: CapInput;
  /** What the organization keeps of its price in ping-post; null: the campaign's margin. */
  margin?: MarginInput | null;
  /** Maximum pings per day; null: no limit. */
  daily_ping_cap?: number | null;
  /** Revenue of a conversion for which the buyer reports no sum, in currency; null is the price. */
  conversion_price?: number | null;
  /** Delivery settings that replace the buyer's own in this campaign; null: none. */
  overrides?: { settings: DeliveryInput | null; policy: OutboundPolicy; keyring: Keyring };
}

/** Terms that a buyer may request, as the link stores them. */
export type AgreedTerms = Partial<
  Pick<CampaignBuyerDoc, 'status' | 'price' | 'caps' | 'states' | 'filters' | 'agreed_by'>
>;

/** A buyer and a campaign of one organization. */
export interface BuyerLinkKey {
  org_id: string;
  campaign_id: string;
  buyer_id: string;
}

/**
 * Links a buyer to a campaign and publishes it. An existing link gets the given terms.
 * @param isNew an existing link is refused instead, however many are made at once
 * @throws {AppError} `not_found` for either side, `validation_failed` for a bad value or one buyer too many,
 * `action_refused`
 */
export async function linkBuyer(
  collections: AccountCollections,
  key: BuyerLinkKey,
  input: BuyerLinkInput,
  author?: PlanAuthor,
  isNew = false,
): Promise<CampaignBuyerDoc> {
  const stored = await storeBuyerLink(collections, key, input, author, isNew);
  return publishLink(collections, collections.campaignBuyers, stored, author);
}

/** The same without publishing, for a caller that stores several records and then publishes once. */
export async function storeBuyerLink(
  collections: AccountCollections,
  key: BuyerLinkKey,
  input: BuyerLinkInput,
  author?: PlanAuthor,
  isNew = false,
): Promise<StoredLink<CampaignBuyerDoc>> {
  const campaign = await findCampaign(collections, key.org_id, key.campaign_id);
  const buyer = await findBuyer({ collections, orgId: key.org_id }, key.buyer_id);
  const terms = {
    ...checkBuyerTerms(input, campaign.fields),
    ...(await deliveryTerms(collections, key, input, {})),
  };
  const defaults: Omit<CampaignBuyerDoc, '_id'> = {
    ...key,
    status: 'active',
    price: 0,
    priority: null,
    weight: 1,
    states: [],
    zips: null,
    filters: null,
    schedule: null,
    when_closed: 'SKIP',
    caps: {},
    when_unavailable: 'NEXT',
  };
  await requireRoom(collections.campaignBuyers, named(key));
  await requirePlanFits(collections, key.campaign_id, fieldThatGrows(terms), (account) => {
    const others = account.buyers.filter((one) => one.buyer._id !== buyer._id);
    const known = account.buyers.find((one) => one.buyer._id === buyer._id)?.link;
    const link = { _id: linkId(key.campaign_id, key.buyer_id), ...defaults, ...known, ...terms };
    return { ...account, buyers: [...others, { link, buyer }] };
  });
  if (terms.delivery)
    await claimNamedSheet({ collections, orgId: key.org_id }, terms.delivery, 'delivery');
  return upsertLink(collections.campaignBuyers, named(key), { terms, defaults, isNew }, author);
}

/**
 * Sets what is given, leaves the rest, and publishes.
 * @param seen the link that the changes were made from; refused when its caps, or the delivery that is changed, have
 * changed since; null: there was none
 * @throws {AppError} `version_conflict`, `not_found` for the campaign or the link, `validation_failed` for a bad value
 */
export async function updateBuyerLink(
  collections: AccountCollections,
  key: BuyerLinkKey,
  changes: BuyerLinkInput,
  seen?: Pick<CampaignBuyerDoc, 'caps' | 'delivery'> | null,
  author?: PlanAuthor,
): Promise<CampaignBuyerDoc> {
  const campaign = await findCampaign(collections, key.org_id, key.campaign_id);
  const terms = {
    ...checkBuyerTerms(changes, campaign.fields),
    ...byOperator(changes),
    ...(await deliveryTerms(collections, key, changes, seen ?? {})),
  };
  if (seen === null) foundLink(seen, named(key));
  await requireTermsFit(collections, key, terms);
  if (terms.delivery)
    await claimNamedSheet({ collections, orgId: key.org_id }, terms.delivery, 'delivery');
  const deliverySeen =
    seen && terms.delivery !== undefined ? { delivery: seen.delivery ?? null } : {};
  return changeLink(
    collections,
    collections.campaignBuyers,
    named(key),
    {
      terms,
      seen: seen ? { caps: seen.caps, ...deliverySeen } : null,
      conflict: 'Its limits or its delivery were changed at the same time.',
    },
    author,
  );
}

/** Pausing a link, or removing its zip codes altogether, is never checked. */
async function requireTermsFit(
  collections: AccountCollections,
  { campaign_id, buyer_id }: BuyerLinkKey,
  terms: Partial<CampaignBuyerDoc>,
): Promise<void> {
  if (!terms.zips && !terms.filters && !terms.schedule && !terms.delivery) return;
  await requirePlanFits(collections, campaign_id, fieldThatGrows(terms), (account) => ({
    ...account,
    buyers: account.buyers.map((one) =>
      one.buyer._id === buyer_id ? { ...one, link: { ...one.link, ...terms } } : one,
    ),
  }));
}

/**
 * Sets terms that were checked when the buyer asked for them, and publishes.
 * @param seen the terms at that time: all of them must still be the same
 * @throws {AppError} `version_conflict` when one of them has changed since, or the link is gone; `validation_failed`
 * when the campaign's fields, or its size, no longer allow them
 */
export async function agreeOnTerms(
  collections: AccountCollections,
  key: BuyerLinkKey,
  terms: AgreedTerms,
  seen: AgreedTerms,
  author?: PlanAuthor,
): Promise<void> {
  const campaign = await findCampaign(collections, key.org_id, key.campaign_id);
  if (terms.filters) checkFilterInput(terms.filters, campaign.fields);
  await requireTermsFit(collections, key, terms);
  await changeLink<CampaignBuyerDoc>(
    collections,
    collections.campaignBuyers,
    named(key),
    {
      terms: { ...terms, ...byOperator(terms) },
      seen,
      conflict: 'These terms were changed at the same time.',
    },
    author,
  );
}

/** A status that the operator sets: from then on only the operator resumes the link. */
const byOperator = ({
  status,
}: {
  status?: string | undefined;
}): Pick<CampaignBuyerDoc, 'paused_by'> => (status === undefined ? {} : { paused_by: null });

/** The field that most likely makes a plan too big. */
const fieldThatGrows = (terms: Partial<CampaignBuyerDoc>): string =>
  (['zips', 'filters', 'schedule', 'delivery'] as const).find((key) => terms[key]) ?? 'buyer_id';

/** Delivery settings that the link has in place of the buyer's own; empty where none are given. */
async function deliveryTerms(
  collections: AccountCollections,
  { org_id, buyer_id }: BuyerLinkKey,
  { overrides }: Pick<BuyerLinkInput, 'overrides'>,
  { delivery: current }: Pick<CampaignBuyerDoc, 'delivery'>,
): Promise<Pick<CampaignBuyerDoc, 'delivery'>> {
  if (!overrides) return {};
  const { settings, policy, keyring } = overrides;
  const account = { collections, orgId: org_id, clock: systemClock };
  const buyer = await findBuyer(account, buyer_id);
  await keepRecipients(account, buyer.delivery);
  const fieldNames = settings === null ? [] : await fieldNamesOf(account);
  const context = { policy, fieldNames };
  const delivery = checkOverrides(settings, context, buyer.delivery, current);
  return { delivery: delivery && sealSettings(delivery, buyer_id, keyring) };
}

const named = ({ org_id, campaign_id, buyer_id }: BuyerLinkKey): LinkKey => ({
  org_id,
  campaign_id,
  kind: 'buyer',
  partner_id: buyer_id,
});

/**
 * The terms as the link stores them.
 * @param fields of the campaign
 * @throws {AppError} `validation_failed` naming every bad value
 */
export function checkBuyerTerms(input: BuyerLinkInput, fields: readonly FieldRule[]) {
  const { price, priority, weight, states, zips, filters, schedule, caps, margin } = input;
  const { conversion_price: perConversion } = input;
  return definedOnly({
    ...pickDefined(input, ['status', 'when_unavailable', 'when_closed']),
    ...checkEach({
      price: () => (price === undefined ? undefined : checkMoney('price', price)),
      priority: () => checkValue('priority', Priority.optional(), priority),
      weight: () => (weight === undefined ? undefined : checkValue('weight', ExactWeight, weight)),
      states: () => (states === undefined ? undefined : checkValue('states', StateCodes, states)),
      zips: () => (zips === undefined ? undefined : checkZipsInput(zips)),
      filters: () => (filters === undefined ? undefined : checkFilterInput(filters, fields)),
      schedule: () => (schedule === undefined ? undefined : checkScheduleInput(schedule)),
      caps: () => (caps === undefined ? undefined : checkCaps(caps)),
      margin: () => (margin == null ? margin : checkMargin(margin)),
      daily_ping_cap: () =>
        checkValue('daily_ping_cap', DailyPingCap.optional(), input.daily_ping_cap),
      conversion_price: () =>
        perConversion == null ? perConversion : checkMoney('conversion_price', perConversion),
    }),
  });
}
