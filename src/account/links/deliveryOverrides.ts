/** Settings of a buyer's delivery that one campaign overrides (contract 4.10). */
import type { DeliveryOverrides, DeliverySettings } from '../rules/deliverySettings.js';
import { getOwn } from '../../lib/getOwn.js';
import type { BuyerTerms } from '../rules/plan.js';
import { placeholdersOf } from '../rules/template.js';
import { AppError } from '../../lib/errors.js';
import type { AccountCollections } from '../store/collections.js';
import {
  checkDelivery,
  defaultsOf,
  parseMethod,
  settingsOf,
  type DeliveryInput,
} from '../buyers/delivery.js';
import { COMMON_KEYS } from '../buyers/deliverySchema.js';
import { givenMethod } from '../buyers/delivery/givenMethod.js';
import type { MethodContext } from '../buyers/delivery/method.js';
import { isSameOrigin } from '../buyers/delivery/headers.js';
import { invalidValue } from '../values.js';

/** How fast the buyer's queue is drained: a buyer has one queue for the leads of all campaigns. */
const OF_THE_QUEUE = ['max_concurrent', 'max_per_second'] as const;

/**
 * Settings that another method inherits from the buyer's delivery. How long an answer may take, and whether the receiver recognizes
 * the idempotency key, depend on the receiver: those two keep the method's defaults.
 */
const OF_THE_BUYER = ['on_unknown', 'hold_max_age_ms', 'max_age_ms', ...OF_THE_QUEUE] as const;

/**
 * The complete delivery settings of a campaign. Overrides for another method than the buyer has now are completed with
 * that method's defaults. The buyer's own headers go only to the origin that they were given for.
 */
export function mergeDelivery(
  buyer: DeliverySettings,
  overrides: DeliveryOverrides | null | undefined,
): DeliverySettings {
  if (!overrides) return buyer;
  const { method = buyer.method } = overrides;
  const base =
    method === buyer.method ? buyer : { ...defaultsOf(method), ...pick(buyer, OF_THE_BUYER) };
  // Recipients that a campaign names must have confirmed, however long the buyer's own recipients have been set.
  const checked = 'to' in overrides || 'cc' in overrides ? { checked: true } : {};
  const headers = isElsewhere(base, overrides) ? { headers: {} } : {};
  return { ...base, ...headers, ...overrides, method, ...checked } as DeliverySettings;
}

const isElsewhere = (buyer: DeliverySettings, { url }: DeliveryOverrides): boolean =>
  buyer.method === 'WEBHOOK' && url !== undefined && !isSameOrigin(buyer.url, url);

/** For the terms in a plan: the settings that the link overrides; empty where it overrides none. */
export const overriddenBy = (
  overrides: DeliveryOverrides | null | undefined,
): Pick<BuyerTerms, 'delivery_overrides'> =>
  overrides ? { delivery_overrides: Object.keys(overrides).toSorted() } : {};

/** The inverse: which of the buyer's settings the link of these terms overrode; null: none. */
export const overridesOf = ({
  delivery,
  delivery_overrides: keys,
}: Pick<BuyerTerms, 'delivery' | 'delivery_overrides'>): DeliveryOverrides | null =>
  keys ? pick(delivery, keys) : null;

/**
 * Lays what was given over the stored overrides. Null resets a setting to the buyer's own; an address
 * means that leads are posted there, whichever method the buyer has.
 * @param input null removes all of them
 * @param buyer the buyer's own delivery: the two combined must be valid
 * @returns null where nothing is overridden from then on
 * @throws {AppError} `validation_failed` naming every setting that is not valid
 */
export function checkOverrides(
  input: DeliveryInput | null,
  context: MethodContext,
  buyer: DeliverySettings,
  current: DeliveryOverrides | null | undefined,
): DeliveryOverrides | null {
  if (input === null) return null;
  const given = Object.entries(input).filter(([, value]) => value != null);
  refuseOfQueue(given);
  const method = parseMethod(overridingMethod(input, current) ?? buyer.method);
  const has = settingsOf(method);
  const left = Object.entries(current ?? {}).filter(
    ([key]) => has.includes(key) && getOwn<unknown>({ ...input }, key) !== null,
  );
  const stays = Object.fromEntries(left);
  const base = mergeDelivery(buyer, { ...stays, method });
  const full = checkDelivery(
    { ...addressOf(base), ...Object.fromEntries(given), method },
    context,
    withAddressOfHeaders(base, buyer, 'headers' in stays ? current : null),
  );
  const named = new Set([...left, ...given].map(([key]) => key));
  const keys = has.filter((key) => named.has(key));
  const isOfAll = keys.every((key) => COMMON_KEYS.some((common) => common === key));
  if (!isOfAll || method !== buyer.method) return { method, ...pick(full, keys) };
  return keys.length === 0 ? null : pick(full, keys);
}

/** The address of the settings, to compare with the one that headers were given for. */
const addressOf = (settings: DeliverySettings): DeliveryInput =>
  settings.method === 'WEBHOOK' && settings.url !== '' ? { url: settings.url } : {};

/**
 * The settings with the address that their headers were given for: that of the campaign where they are its own
 * (`owner`), else the buyer's.
 */
function withAddressOfHeaders(
  settings: DeliverySettings,
  buyer: DeliverySettings,
  owner: DeliveryOverrides | null | undefined,
): DeliverySettings {
  const before = owner ? mergeDelivery(buyer, owner) : buyer;
  if (settings.method !== 'WEBHOOK' || before.method !== 'WEBHOOK') return settings;
  return { ...settings, url: before.url };
}

/** Null resets the method to the buyer's too, unless an address implies another. */
const overridingMethod = (
  input: DeliveryInput,
  current: DeliveryOverrides | null | undefined,
): string | undefined =>
  givenMethod(input) ?? (input.method === null ? undefined : current?.method);

function refuseOfQueue(given: readonly [string, unknown][]): void {
  const key = OF_THE_QUEUE.find((one) => given.some(([name]) => name === one));
  if (key === undefined) return;
  const field = `delivery.${key}`;
  const text = `${field} cannot be set for one campaign: a buyer has one queue for all of them. Set it with set_buyer_delivery.`;
  throw invalidValue(field, 'not_allowed', text);
}

/** Maximum shown for one buyer. */
const CAMPAIGNS_MAX = 500;

/** Which campaigns override which settings of the buyer's delivery, up to 500. */
export async function overridingCampaigns(
  { campaignBuyers }: Pick<AccountCollections, 'campaignBuyers'>,
  buyerId: string,
): Promise<{ campaign_id: string; settings: string[] }[]> {
  const links = await campaignBuyers
    .find(overriding(buyerId), { projection: { campaign_id: 1, delivery: 1 } })
    .limit(CAMPAIGNS_MAX)
    .toArray();
  return links.map(({ campaign_id, delivery }) => ({
    campaign_id,
    settings: Object.keys(delivery ?? {}).toSorted(),
  }));
}

const overriding = (buyer_id: string) => ({ buyer_id, delivery: { $type: 'object' as const } });

/**
 * Checks before a buyer's own delivery changes whether the overrides of its campaigns still fit it.
 * @throws {AppError} `validation_failed` naming the campaign; nothing was changed
 */
export async function requireOverridesFit(
  { campaignBuyers, campaigns }: AccountCollections,
  buyerId: string,
  before: DeliverySettings,
  after: DeliverySettings,
): Promise<void> {
  const links = campaignBuyers.find(overriding(buyerId), {
    projection: { campaign_id: 1, delivery: 1 },
  });
  for await (const { campaign_id, delivery } of links) {
    const problem = delivery ? misfit(before, after, delivery) : null;
    if (problem === null) continue;
    const campaign = await campaigns.findOne({ _id: campaign_id }, { projection: { name: 1 } });
    const settings = Object.keys(delivery ?? {}).join(', ');
    const advice =
      'First remove them with update_campaign_buyer (delivery: null), and set them again afterwards';
    throw invalidValue(
      'delivery',
      'not_allowed',
      `The campaign "${campaign?.name ?? campaign_id}" overrides settings of this delivery (${settings}), and ${problem}. ${advice}. Nothing was changed.`,
    );
  }
}

function misfit(
  before: DeliverySettings,
  after: DeliverySettings,
  overrides: DeliveryOverrides,
): string | null {
  if (overrides.method === before.method && after.method !== before.method)
    return `they belong to the method ${before.method}, not ${after.method}`;
  const merged = mergeDelivery(after, overrides);
  if (merged.method !== 'WEBHOOK') return null;
  if (headersFollow(mergeDelivery(before, overrides), merged, overrides))
    return 'its headers would be sent to another origin';
  // A body and its format must match. A field that has since been removed is no reason to refuse another change.
  const fieldNames = placeholdersOf(merged.template ?? {});
  try {
    checkDelivery(merged, { policy: { allowPrivate: true }, fieldNames }, merged);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `together: ${error.message.replace(/\.$/, '')}`;
  }
}

/** Whether headers that a campaign sets would go to another origin than they were given for. */
export function headersFollow(
  before: DeliverySettings,
  after: DeliverySettings,
  { headers = {} }: DeliveryOverrides,
): boolean {
  if (before.method !== 'WEBHOOK' || after.method !== 'WEBHOOK') return false;
  return Object.keys(headers).length > 0 && !isSameOrigin(before.url, after.url);
}

const pick = (from: object, keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    keys.flatMap((key) => {
      const value = getOwn(from as Record<string, unknown>, key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
