/** Settings of a file in the form that the account stores, by the account's own checks. */
import { checkBuyerPing } from '../../src/account/buyers/buyerPing.js';
import { checkBuyerReturns } from '../../src/account/buyers/buyerReturns.js';
import { mergeFields } from '../../src/account/plans/compilePlan.js';
import { checkDelivery, type DeliveryInput } from '../../src/account/buyers/delivery.js';
import { checkOverrides } from '../../src/account/links/deliveryOverrides.js';
import { withGivenMethod } from '../../src/account/buyers/delivery/givenMethod.js';
import { isSameOrigin } from '../../src/account/buyers/delivery/origin.js';
import { HIDDEN_HEADER } from '../../src/account/buyers/delivery/headers.js';
import { checkPingSettings, pingSettingsView } from '../../src/account/campaigns/pingSettings.js';
import {
  checkRateLimit,
  LEAD_RATE,
  PING_RATE,
  POSTBACK_RATE,
  type Rate,
} from '../../src/account/rateLimit.js';
import { checkFilterInput } from '../../src/account/campaigns/targeting.js';
import { checkCaps } from '../../src/account/capsSchema.js';
import { BUYER_LINK } from '../../src/account/settings/buyerLinkTerms.js';
import { CAMPAIGN } from '../../src/account/settings/campaignSettings.js';
import type { Settings } from '../../src/account/settings/settingsTable.js';
import { SUPPLIER_LINK } from '../../src/account/settings/supplierLinkTerms.js';
import { checkValue } from '../../src/account/values.js';
import { shownBy } from '../../src/lib/schema/wireOf.js';
import { checkFieldRules } from '../../src/fields/mapping.js';
import type { DeliverySettings } from '../../src/account/rules/deliverySettings.js';
import type { FieldRule } from '../../src/fields/fieldRule.js';
import { sameShape, type Shape } from '../../src/account/rules/planShape.js';
import type { RateLimit } from '../../src/platform/rateLimits/store/rateDoc.js';
import { AppError } from '../../src/lib/errors.js';
import { isRow, type Row } from '../output/rows.js';
import type { Complain, Path, Terms } from './model.js';
import { getOwn } from '../../src/lib/getOwn.js';

/** The server checks whether it can send mail or write sheets, and where leads may be sent. */
const POLICY = { allowPrivate: true, mail: true, sheets: true };

export interface Context {
  /** Fields of any campaign, which deliveries may name. */
  fieldNames: readonly string[];
  /** Values of existing headers are sent, too. */
  withHeaders: boolean;
}

type Check = (value: unknown) => unknown;

/** Each named setting in normal form; one with a problem is reported and left out. */
function normalize(
  written: Terms,
  checks: Record<string, Check>,
  path: Path,
  complain: Complain,
): Terms {
  const entries = Object.entries(written).flatMap(([key, value]): [string, unknown][] => {
    const check = getOwn(checks, key);
    if (!check || (value === null && key !== 'caps')) return [[key, value]];
    try {
      return [[key, check(value)]];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      for (const { message } of error.extras.field_errors ?? [{ message: error.message }])
        complain([...path, key], `: ${message}`);
      return [];
    }
  });
  return Object.fromEntries(entries);
}

/** Checked by its rules; stored as it is written, without absent limits. */
const capsOf: Check = (value) => {
  const given = isRow(value) ? value : {};
  const known = checkCaps(given);
  return Object.fromEntries(Object.entries(given).filter(([key]) => Object.hasOwn(known, key)));
};

/** Each setting read as the account reads it, and written as answers show it. */
const inNormalForm = (settings: Settings): Record<string, Check> =>
  Object.fromEntries(
    Object.entries(settings).map(([key, { schema }]) => [
      key,
      (value) => shownBy(schema, checkValue(key, schema, value)),
    ]),
  );

/** @param before the existing settings; absent for a new record */
export function normalizeBuyer(
  written: Terms,
  before: Terms | undefined,
  context: Context,
  path: Path,
  complain: Complain,
): Terms {
  const delivery = (value: unknown) => {
    const current = before?.delivery as Parameters<typeof checkDelivery>[2];
    const input = deliveryInput(value, current, context);
    // The stored delivery may name a field that was removed since; that is no problem while it stays unchanged.
    if (current && isSame(input, current)) return current;
    const policy = { policy: POLICY, fieldNames: context.fieldNames };
    return checkDelivery(input, policy, current);
  };
  const ping = (value: unknown) => {
    const current = before?.ping as Parameters<typeof checkBuyerPing>[2];
    const input = headersInput(value, current, context);
    if (current && isSame(input, current)) return current;
    const policy = { policy: POLICY, fieldNames: context.fieldNames };
    const { response = null, ...settings } = checkBuyerPing(input, policy, withoutNull(current));
    return { ...settings, response };
  };
  const returns = (value: unknown) =>
    checkBuyerReturns(rowOf(value), before?.returns as Parameters<typeof checkBuyerReturns>[1]);
  const rate_limit = rateOf(POSTBACK_RATE, before);
  return normalize(written, { delivery, ping, returns, rate_limit }, path, complain);
}

/** As it is stored: values shown as null are absent. */
const withoutNull = <T extends object>(settings: T | undefined): T | undefined =>
  settings && (Object.fromEntries(Object.entries(settings).filter(([, one]) => one !== null)) as T);

const isSame = (input: object, current: object): boolean =>
  Object.entries(input).every(([key, value]) =>
    sameShape(value as Shape, getOwn(current as Record<string, Shape>, key)),
  );

/** A delivery as it is sent, with the method that the action derives from it. */
export const deliveryInput = (
  value: unknown,
  current: unknown,
  options: Pick<Context, 'withHeaders'>,
): DeliveryInput => withGivenMethod(headersInput(value, current, options));

/**
 * Settings with headers as they are sent. Header values cannot be compared: by default an existing header
 * keeps its value, as long as the address has the same origin.
 */
export function headersInput(
  value: unknown,
  current: unknown,
  { withHeaders }: Pick<Context, 'withHeaders'>,
): Row {
  const given = isRow(value) ? value : {};
  const known = isRow(current) && isRow(current.headers) ? Object.keys(current.headers) : [];
  const names = new Set(known.map((name) => name.toLowerCase()));
  // No value is kept for another origin: there the values of the file are sent.
  const isMoved =
    given.url !== undefined &&
    isRow(current) &&
    !isSameOrigin(given.url, getOwn(current, 'url') ?? null);
  const kept = ([name, text]: [string, unknown]): [string, unknown] => [
    name,
    names.has(name.toLowerCase()) ? HIDDEN_HEADER : text,
  ];
  const headers: unknown =
    isRow(given.headers) && !withHeaders && !isMoved
      ? Object.fromEntries(Object.entries(given.headers).map(kept))
      : given.headers;
  return { ...given, ...(headers === undefined ? {} : { headers }) };
}

export const normalizeSupplier = (
  written: Terms,
  before: Terms | undefined,
  path: Path,
  complain: Complain,
): Terms =>
  normalize(
    written,
    { rate_limit: rateOf(LEAD_RATE, before), ping_rate_limit: rateOf(PING_RATE, before) },
    path,
    complain,
  );

const rateOf =
  (rate: Rate, before: Terms | undefined): Check =>
  (value) =>
    checkRateLimit(rate, rowOf(value), before?.[rate.name] as RateLimit | undefined);

export function normalizeCampaign(
  written: Terms,
  before: Terms | undefined,
  path: Path,
  complain: Complain,
): Terms {
  const fields = (value: unknown) => {
    const rules = value as FieldRule[];
    const problems = checkFieldRules(rules).map((message) => ({ message: `${message}.` }));
    if (problems.length === 0) return mergeFields(rules);
    for (const { message } of problems) complain([...path, 'fields'], `: ${message}`);
    return before?.fields ?? [];
  };
  const fieldsFirst = normalize(written, { fields }, path, complain);
  const rules = fieldsOf(fieldsFirst, before);
  return normalize(
    fieldsFirst,
    {
      ...inNormalForm(CAMPAIGN.settings),
      caps: capsOf,
      ping: (value) =>
        pingSettingsView(checkPingSettings({ ...rowOf(before?.ping), ...rowOf(value) })),
      dedupe: (value) => ({ ...rowOf(before?.dedupe), ...rowOf(value) }),
      filters: (value) => checkFilterInput(value, rules),
    },
    path,
    complain,
  );
}

/** The fields of a campaign: those in the file, or the existing ones. */
export const fieldsOf = (...terms: (Terms | undefined)[]): FieldRule[] =>
  (terms.find((one) => one?.fields !== undefined)?.fields ?? []) as FieldRule[];

/** A link's delivery in place of its buyer's own: over the existing one, and the file's settings of the buyer. */
export interface LinkedDelivery {
  /** Complete; undefined where it is not known. */
  buyer: unknown;
  before: unknown;
  context: Context;
}

function overridesOf(value: unknown, { buyer, before, context }: LinkedDelivery): unknown {
  const base = (isRow(buyer) ? buyer : undefined) as DeliverySettings | undefined;
  const current = isRow(before) ? before : null;
  const input = headersInput(value, current, context);
  if (current && isSame(input, current)) return current;
  const { fieldNames } = context;
  return checkOverrides(input, { policy: POLICY, fieldNames }, base ?? NOT_SENT, current);
}

/** For a buyer that the file creates without a delivery. */
const NOT_SENT = checkDelivery({ method: 'STORE' }, { policy: POLICY, fieldNames: [] });

export const normalizeBuyerLink = (
  written: Terms,
  rules: readonly FieldRule[],
  delivery: LinkedDelivery,
  path: Path,
  complain: Complain,
): Terms =>
  normalize(
    written,
    {
      ...inNormalForm(BUYER_LINK.settings),
      delivery: (value) => overridesOf(value, delivery),
      caps: capsOf,
      filters: (value) => checkFilterInput(value, rules),
    },
    path,
    complain,
  );

export const normalizeSupplierLink = (written: Terms, path: Path, complain: Complain): Terms =>
  normalize(written, { ...inNormalForm(SUPPLIER_LINK.settings), caps: capsOf }, path, complain);

const rowOf = (value: unknown) => (isRow(value) ? value : {});
