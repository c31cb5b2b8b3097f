/** How one version of a campaign differs from another, as people read it. */
import { BUYER_LINK } from '../settings/buyerLinkTerms.js';
import { CAMPAIGN } from '../settings/campaignSettings.js';
import { SUPPLIER_LINK } from '../settings/supplierLinkTerms.js';
import { Hidden, plain, sameShape, type Shape } from './planShape.js';
import type { BuyerTerms, Plan, SupplierTerms } from './plan.js';
import { DEFAULT_PING_SETTINGS, type Margin, type PingSettings } from './pingSettings.js';
import { fromMicros } from '../../fields/money.js';
import { SYSTEM_FIELDS } from '../../fields/systemFields.js';
import { getOwn } from '../../lib/getOwn.js';

/** One value that differs; null is a value that is absent or empty. */
export interface PlanChange {
  /** Such as `max_sells`, `fields["loan_amount"].min` or `buyers["Acme"].price`. */
  path: string;
  from: unknown;
  to: unknown;
}

/**
 * Every value that differs, money in currency, lists and filters as a whole, long ones cut. Of a delivery only its
 * method and the names of differing settings are listed: the values belong to the buyer, and may be secret.
 * @param before null for the first version: then every value is new
 */
export function planChanges(before: Plan | null, after: Plan): PlanChange[] {
  const old: Shape = before
    ? shapeOf(before, after)
    : {
        fields: fieldsOf(SYSTEM_FIELDS),
        ping: pingShape(DEFAULT_PING_SETTINGS),
        share_outcomes: false,
      };
  return shapeChanges('', old, shapeOf(after, before));
}

/** Compared as a whole: half a filter means nothing. */
const WHOLE: ReadonlySet<string> = new Set(['filters', 'zips', 'schedule']);

/**
 * Every value that differs, by its path; lists, filters, areas and schedules are compared as a whole.
 * @param path of both; empty at the top
 */
export function shapeChanges(path: string, from: Shape, to: Shape): PlanChange[] {
  if (sameShape(from, to)) return [];
  if (from instanceof Map || to instanceof Map) return entriesOf(path, mapOf(from), mapOf(to));
  if (!isRecord(from) || !isRecord(to)) return [{ path, from: plain(from), to: plain(to) }];
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return keys.flatMap((key) => {
    const at = path === '' ? key : `${path}.${key}`;
    const [a = null, b = null] = [getOwn(from, key), getOwn(to, key)];
    if (!WHOLE.has(key)) return shapeChanges(at, a, b);
    return sameShape(a, b) ? [] : [{ path: at, from: plain(a), to: plain(b) }];
  });
}

type Entries = ReadonlyMap<string, { label: string; value: Shape }>;

/** Records are matched by their id, and listed by their name. */
function entriesOf(path: string, from: Entries, to: Entries): PlanChange[] {
  const ids = [...new Set([...from.keys(), ...to.keys()])];
  return ids.flatMap((id) => {
    const [a, b] = [from.get(id), to.get(id)];
    const at = `${path}[${JSON.stringify(b?.label ?? a?.label ?? id)}]`;
    return shapeChanges(at, a?.value ?? null, b?.value ?? null);
  });
}

const mapOf = (shape: Shape): Entries => (shape instanceof Map ? shape : new Map());
const isRecord = (shape: Shape): shape is { [key: string]: Shape } =>
  typeof shape === 'object' &&
  shape !== null &&
  !Array.isArray(shape) &&
  !(shape instanceof Map) &&
  !(shape instanceof Hidden);

/** @param other the version it is compared with: a name that only one of the two recorded is not a difference */
function shapeOf(plan: Plan, other: Plan | null): Shape {
  const { name, time_zone, suppression = [], ping } = plan;
  return {
    name,
    time_zone,
    ...(CAMPAIGN.show(plan) as object),
    ping: pingShape(ping ?? DEFAULT_PING_SETTINGS),
    fields: fieldsOf(plan.fields),
    buyers: new Map(
      plan.buyers.map((terms) => [terms.buyer_id, { label: terms.name, value: buyerShape(terms) }]),
    ),
    suppliers: new Map(
      Object.values(plan.suppliers).map((terms) => {
        const named = terms.name ?? getOwn(other?.suppliers, terms.supplier_id)?.name;
        const label = named ?? terms.supplier_id;
        return [terms.supplier_id, { label, value: supplierShape(terms, label) }];
      }),
    ),
    suppression_lists: new Map(
      suppression.map(({ list_id, scope, buyer_id = null }) => [
        list_id,
        { label: list_id, value: { scope, buyer_id } },
      ]),
    ),
  };
}

const fieldsOf = (rules: Plan['fields']): Shape =>
  new Map(rules.map((rule) => [rule.name, { label: rule.name, value: { ...rule } }]));

function buyerShape(terms: BuyerTerms): Shape {
  const { name, test_mode, delivery, delivery_overrides = [], signing_secret, ping } = terms;
  const { method, ...settings } = delivery;
  return {
    name,
    test_mode,
    ...(BUYER_LINK.show(terms) as object),
    delivery: { method, ...hidden(settings) },
    delivery_overrides,
    ping: ping ? { enabled: true, ...hidden(ping) } : null,
    signing_secret: new Hidden(signing_secret),
  };
}

const supplierShape = (terms: SupplierTerms, name: string): Shape => ({
  name,
  test_mode: terms.test_mode,
  ...(SUPPLIER_LINK.show(terms) as object),
});

const hidden = (settings: object): Record<string, Hidden> =>
  Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, new Hidden(value)]));

const marginShape = (margin: Margin): Shape =>
  'percent' in margin ? { ...margin } : { fixed: fromMicros(margin.fixed) };

const pingShape = ({ margin, min_bid, max_bid, ...settings }: PingSettings): Shape => ({
  ...settings,
  margin: marginShape(margin),
  min_bid: min_bid === null ? null : fromMicros(min_bid),
  max_bid: max_bid === null ? null : fromMicros(max_bid),
});
