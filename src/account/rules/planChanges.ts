/** How one version of a campaign differs from another, as people read it. */
import { capsShape, Hidden, plain, sameShape, type Shape } from './planShape.js';
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
 * method and the names of differing settings are listed: the values are the buyer's own, and may be secret.
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
  const { name, status, routing_method, distribution_method, time_zone } = plan;
  const { answer_within_ms, max_sells, caps, filters, dedupe, suppression = [], ping } = plan;
  return {
    name,
    status,
    routing_method,
    distribution_method,
    time_zone,
    answer_within_ms,
    max_sells,
    ...capsShape(caps),
    dedupe: { ...dedupe },
    vertical: plan.vertical ?? null,
    conversion_window_days: plan.conversion_window_days ?? null,
    share_outcomes: plan.share_outcomes ?? false,
    ping: pingShape(ping ?? DEFAULT_PING_SETTINGS),
    fields: fieldsOf(plan.fields),
    filters: filters as Shape,
    buyers: new Map(
      plan.buyers.map((terms) => [terms.buyer_id, { label: terms.name, value: buyerShape(terms) }]),
    ),
    suppliers: new Map(
      Object.values(plan.suppliers).map((terms) => {
        const named = terms.name ?? getOwn(other?.suppliers, terms.supplier_id)?.name;
        const label = named ?? terms.supplier_id;
        return [terms.supplier_id, { label, value: { name: label, ...supplierShape(terms) } }];
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
  const { name, status, test_mode, price, priority, weight, states, zips, filters } = terms;
  const { schedule, when_closed, when_unavailable, caps, delivery, signing_secret } = terms;
  const { margin, daily_ping_cap = null, conversion_price = null, ping } = terms;
  const { method, ...settings } = delivery;
  return {
    name,
    status,
    test_mode,
    price: fromMicros(price),
    priority,
    weight,
    states,
    zips: zips as Shape,
    filters: filters as Shape,
    schedule: schedule as Shape,
    when_closed,
    when_unavailable,
    ...capsShape(caps),
    daily_ping_cap,
    margin: margin ? marginShape(margin) : null,
    conversion_price: conversion_price === null ? null : fromMicros(conversion_price),
    delivery: { method, ...hidden(settings) },
    delivery_overrides: terms.delivery_overrides ?? [],
    ping: ping ? { enabled: true, ...hidden(ping) } : null,
    signing_secret: new Hidden(signing_secret),
  };
}

function supplierShape({ status, test_mode, cost_mode, ...terms }: SupplierTerms) {
  const { revenue_share, caps, daily_ping_cap = null } = terms;
  const cost_per_lead = fromMicros(terms.cost_per_lead);
  const costs = { cost_mode, cost_per_lead, revenue_share };
  return { status, test_mode, ...costs, ...capsShape(caps), daily_ping_cap };
}

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
