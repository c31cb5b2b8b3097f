/** Settings of a file in the form that the account stores, by the account's own checks. */
import { checkBuyerPing } from '../../src/account/buyers/buyerPing.js';
import { checkBuyerReturns } from '../../src/account/buyers/buyerReturns.js';
import { mergeFields } from '../../src/account/plans/compilePlan.js';
import { checkDelivery, type DeliveryInput } from '../../src/account/buyers/delivery.js';
import { checkOverrides } from '../../src/account/links/deliveryOverrides.js';
import { withGivenMethod } from '../../src/account/buyers/delivery/givenMethod.js';
import { HIDDEN_HEADER, isSameOrigin } from '../../src/account/buyers/delivery/headers.js';
import { checkPingSettings, pingSettingsView } from '../../src/account/campaigns/pingSettings.js';
import { checkFilterInput } from '../../src/account/campaigns/targeting.js';
import { BUYER } from '../../src/account/settings/buyerSettings.js';
import { BUYER_LINK } from '../../src/account/settings/buyerLinkTerms.js';
import { CAMPAIGN } from '../../src/account/settings/campaignSettings.js';
import type { Settings } from '../../src/account/settings/settingsTable.js';
import { SUPPLIER } from '../../src/account/settings/supplierSettings.js';
import { SUPPLIER_LINK } from '../../src/account/settings/supplierLinkTerms.js';
import { checkValue } from '../../src/account/values.js';
import { shownBy } from '../../src/lib/schema/wireOf.js';
import { checkFieldRules } from '../../src/fields/mapping.js';
import type { DeliverySettings } from '../../src/account/rules/deliverySettings.js';
import type { FieldRule } from '../../src/fields/fieldRule.js';
import { sameShape, type Shape } from '../../src/account/rules/planShape.js';
import { AppError } from '../../src/lib/errors.js';
import { isRow, type Row } from '../output/rows.js';
import type { Comparison, Terms, Written } from './model.js';
import { withoutNull } from '../../src/lib/defined.js';
import { getOwn } from '../../src/lib/getOwn.js';

/** The server checks whether it can send mail or write sheets, and where leads may be sent. */
const POLICY = { allowPrivate: true, mail: true, sheets: true };

type Check = (value: unknown) => unknown;

/** Each setting in normal form; one with a problem is reported and left out. */
function normalize(
  { terms, path }: Written,
  checks: Record<string, Check>,
  { complain }: Comparison,
): Terms {
  const entries = Object.entries(terms).flatMap(([key, value]): [string, unknown][] => {
    const check = getOwn(checks, key);
    if (!check) return [[key, value]];
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

/** Each setting read as the account reads it, and written as answers show it; null is its default. */
const inNormalForm = (settings: Settings, before?: Terms): Record<string, Check> =>
  Object.fromEntries(
    Object.entries(settings).map(([key, { schema, default: unset, inParts }]) => [
      key,
      (value) => {
        const given = inParts ? { ...rowOf(getOwn(before ?? {}, key)), ...rowOf(value) } : value;
        return shownBy(schema, given === null ? unset : checkValue(key, schema, given));
      },
    ]),
  );

/** @param before the existing settings; absent for a new record */
export function normalizeBuyer(
  written: Written,
  before: Terms | undefined,
  comparison: Comparison,
): Terms {
  const context = { policy: POLICY, fieldNames: comparison.fieldNames };
  const delivery = (value: unknown) => {
    const current = before?.delivery as Parameters<typeof checkDelivery>[2];
    const input = deliveryInput(value, current, comparison);
    // The stored delivery may name a field that was removed since; that is no problem while it stays unchanged.
    if (current && isSame(input, current)) return current;
    return checkDelivery(input, context, current);
  };
  const ping = (value: unknown) => {
    const current = before?.ping as Parameters<typeof checkBuyerPing>[2];
    const input = headersInput(value, current, comparison);
    if (current && isSame(input, current)) return current;
    // As it is stored: values shown as null are absent.
    const stored = current && withoutNull(current);
    const { response = null, ...settings } = checkBuyerPing(input, context, stored);
    return { ...settings, response };
  };
  const returns = (value: unknown) =>
    checkBuyerReturns(rowOf(value), before?.returns as Parameters<typeof checkBuyerReturns>[1]);
  const settings = inNormalForm(BUYER.settings, before);
  return normalize(written, { ...settings, delivery, ping, returns }, comparison);
}

const isSame = (input: object, current: object): boolean =>
  Object.entries(input).every(([key, value]) =>
    sameShape(value as Shape, getOwn(current as Record<string, Shape>, key)),
  );

/** A delivery as it is sent, with the method that the action derives from it. */
export const deliveryInput = (
  value: unknown,
  current: unknown,
  options: Pick<Comparison, 'withHeaders'>,
): DeliveryInput => withGivenMethod(headersInput(value, current, options));

/**
 * Settings with headers as they are sent. Header values cannot be compared: by default an existing header
 * keeps its value, as long as the address has the same origin.
 */
export function headersInput(
  value: unknown,
  current: unknown,
  { withHeaders }: Pick<Comparison, 'withHeaders'>,
): Row {
  const given = rowOf(value);
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
  if (!isRow(given.headers) || withHeaders || isMoved) return given;
  return { ...given, headers: Object.fromEntries(Object.entries(given.headers).map(kept)) };
}

export const normalizeSupplier = (
  written: Written,
  before: Terms | undefined,
  comparison: Comparison,
): Terms => normalize(written, inNormalForm(SUPPLIER.settings, before), comparison);

export function normalizeCampaign(
  written: Written,
  before: Terms | undefined,
  comparison: Comparison,
): Terms {
  const fields = (value: unknown) => {
    const rules = value as FieldRule[];
    const problems = checkFieldRules(rules);
    if (problems.length === 0) return mergeFields(rules);
    for (const message of problems)
      comparison.complain([...written.path, 'fields'], `: ${message}.`);
    return before?.fields ?? [];
  };
  const terms = normalize(written, { fields }, comparison);
  const rules = fieldsOf(terms, before);
  return normalize(
    { ...written, terms },
    {
      ...inNormalForm(CAMPAIGN.settings, before),
      ping: (value) =>
        pingSettingsView(checkPingSettings({ ...rowOf(before?.ping), ...rowOf(value) })),
      filters: (value) => checkFilterInput(value, rules),
    },
    comparison,
  );
}

/** The fields of a campaign: those in the file, or the existing ones. */
export const fieldsOf = (...terms: (Terms | undefined)[]): FieldRule[] =>
  (terms.find((one) => one?.fields !== undefined)?.fields ?? []) as FieldRule[];

/** What a link's settings depend on. */
interface LinkBase {
  /** The campaign's fields, for filters. */
  rules: readonly FieldRule[];
  /** The buyer's own delivery after the file is applied, which that of the link is over; undefined where it is not known. */
  delivery: unknown;
  /** The delivery of the link as it is. */
  before: unknown;
}

export const normalizeBuyerLink = (
  written: Written,
  base: LinkBase,
  comparison: Comparison,
): Terms =>
  normalize(
    written,
    {
      ...inNormalForm(BUYER_LINK.settings),
      delivery: (value) => (value === null ? null : overridesOf(value, base, comparison)),
      filters: (value) => checkFilterInput(value, base.rules),
    },
    comparison,
  );

function overridesOf(value: unknown, { delivery, before }: LinkBase, comparison: Comparison) {
  const buyer = (isRow(delivery) ? delivery : NOT_SENT) as DeliverySettings;
  const current = isRow(before) ? before : null;
  const input = headersInput(value, current, comparison);
  if (current && isSame(input, current)) return current;
  const { fieldNames } = comparison;
  return checkOverrides(input, { policy: POLICY, fieldNames }, buyer, current);
}

/** For a buyer that the file creates without a delivery. */
const NOT_SENT = checkDelivery({ method: 'STORE' }, { policy: POLICY, fieldNames: [] });

export const normalizeSupplierLink = (written: Written, comparison: Comparison): Terms =>
  normalize(written, inNormalForm(SUPPLIER_LINK.settings), comparison);

/** The conditions of an automation, on these fields; undefined where they have a problem. */
export const conditionsOf = (
  written: Written,
  rules: readonly FieldRule[],
  comparison: Comparison,
): unknown => {
  const check = (value: unknown) =>
    value === null ? null : checkFilterInput(value, rules, 'conditions');
  const { conditions } = written.terms;
  return normalize({ ...written, terms: { conditions } }, { conditions: check }, comparison)
    .conditions;
};

export const rowOf = (value: unknown): Row => (isRow(value) ? value : {});
