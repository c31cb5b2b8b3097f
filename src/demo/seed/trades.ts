/** The trades of which an account can be seeded: what a lead says, who sends leads, and who buys them on which terms. */
import type { FieldRule } from '../../fields/fieldRule.js';
import type { FilterNodeInput } from '../../fields/filterSchema.js';
import type { BuyerLinkInput } from '../../account/links/buyerLinks.js';
import type { SupplierLinkInput } from '../../account/links/supplierLinks.js';
import type { Random } from './random.js';

export interface SeedBuyer {
  name: string;
  terms: BuyerLinkInput;
  /** Its share of acceptances among the leads that it is sent, 0 to 1. */
  accepts: number;
  /** The reasons that it gives otherwise. */
  reasons: readonly string[];
  /** In the last hours of the week it does not answer, and its leads wait. */
  isDown?: true;
}

export interface SeedSupplier {
  name: string;
  terms: SupplierLinkInput;
  /** Its share of the leads, relative to the others'. */
  weight: number;
}

export interface Trade {
  /** Of the organization and the campaign, after `Demo: `. */
  title: string;
  vertical: string;
  fields: readonly FieldRule[];
  filters: FilterNodeInput;
  buyers: readonly SeedBuyer[];
  suppliers: readonly SeedSupplier[];
  /** Values of its own fields. */
  draw(random: Random): Record<string, string | number | boolean>;
}

const field = (name: string, type: FieldRule['type']): FieldRule => ({
  name,
  type,
  required: false,
  ping_required: false,
});

const SUPPLIERS: readonly SeedSupplier[] = [
  { name: 'Bright Web Leads', terms: { cost_mode: 'FIXED', cost_per_lead: 14 }, weight: 5 },
  { name: 'Partner Network', terms: { cost_mode: 'REVENUE_SHARE', revenue_share: 60 }, weight: 3 },
  { name: 'Search & Social', terms: { cost_mode: 'FIXED', cost_per_lead: 9 }, weight: 2 },
];

const between = (random: Random, from: number, to: number, step: number): number =>
  from + Math.floor((random.next() * (to - from)) / step) * step;

export const TRADES = {
  solar: {
    title: 'Solar',
    vertical: 'Solar',
    fields: [
      field('homeowner', 'Boolean'),
      field('monthly_bill', 'Number'),
      field('roof_age', 'Number'),
    ],
    filters: [
      {
        id: 'homeowners',
        field: 'homeowner',
        operator: '==',
        value: true,
        reason: 'This campaign buys leads of homeowners only.',
      },
    ],
    buyers: [
      {
        name: 'Sunline Solar',
        terms: { price: 62, priority: 1, states: ['CA', 'TX', 'AZ'], daily_cap: 14 },
        accepts: 0.82,
        reasons: ['credit_too_low', 'roof_too_old'],
      },
      {
        name: 'Helio Homes',
        terms: { price: 44, priority: 2, daily_cap: 25, when_unavailable: 'WAIT' },
        accepts: 0.74,
        reasons: ['already_a_customer', 'bill_too_low'],
        isDown: true,
      },
      {
        name: 'Panel & Co',
        terms: { price: 27, priority: 3, states: ['CA', 'TX', 'AZ', 'NV', 'FL'] },
        accepts: 0.9,
        reasons: ['out_of_area'],
      },
    ],
    suppliers: SUPPLIERS,
    draw: (random) => ({
      homeowner: random.next() < 0.93,
      monthly_bill: between(random, 60, 420, 5),
      roof_age: between(random, 0, 32, 1),
    }),
  },
  insurance: {
    title: 'Auto insurance',
    vertical: 'Auto insurance',
    fields: [
      field('vehicle_year', 'Number'),
      field('currently_insured', 'Boolean'),
      field('accidents', 'Number'),
    ],
    filters: [
      {
        id: 'few-accidents',
        field: 'accidents',
        operator: '<=',
        value: 2,
        reason: 'This campaign buys leads with at most two accidents.',
      },
    ],
    buyers: [
      {
        name: 'Harbor Mutual',
        terms: { price: 21, priority: 1, states: ['CA', 'TX', 'FL'], daily_cap: 18 },
        accepts: 0.78,
        reasons: ['risk_not_written', 'duplicate_quote'],
      },
      {
        name: 'Northway Insurance',
        terms: { price: 16, priority: 2, daily_cap: 30, when_unavailable: 'WAIT' },
        accepts: 0.7,
        reasons: ['vehicle_too_old', 'already_a_customer'],
        isDown: true,
      },
      {
        name: 'Open Road Agency',
        terms: { price: 9, priority: 3 },
        accepts: 0.88,
        reasons: ['agent_unavailable'],
      },
    ],
    suppliers: SUPPLIERS.map((one) => ({
      ...one,
      terms: { cost_mode: 'REVENUE_SHARE', revenue_share: 55 },
    })),
    draw: (random) => ({
      vehicle_year: between(random, 2004, 2026, 1),
      currently_insured: random.next() < 0.7,
      accidents: Math.floor(random.next() ** 3 * 4),
    }),
  },
  roofing: {
    title: 'Roofing',
    vertical: 'Roofing',
    fields: [
      field('project', 'String'),
      field('roof_age', 'Number'),
      field('homeowner', 'Boolean'),
    ],
    filters: [
      {
        id: 'homeowners',
        field: 'homeowner',
        operator: '==',
        value: true,
        reason: 'This campaign buys leads of homeowners only.',
      },
    ],
    buyers: [
      {
        name: 'Summit Roofing',
        terms: { price: 85, priority: 1, states: ['TX', 'FL'], daily_cap: 10 },
        accepts: 0.8,
        reasons: ['schedule_full', 'out_of_area'],
      },
      {
        name: 'Steady & Sons',
        terms: { price: 58, priority: 2, daily_cap: 20, when_unavailable: 'WAIT' },
        accepts: 0.72,
        reasons: ['repair_too_small', 'already_a_customer'],
        isDown: true,
      },
      {
        name: 'Open Market Roofs',
        terms: { price: 31, priority: 3, states: ['CA', 'TX', 'FL', 'AZ', 'NV'] },
        accepts: 0.9,
        reasons: ['no_capacity'],
      },
    ],
    suppliers: SUPPLIERS,
    draw: (random) => ({
      project: random.pick(['replacement', 'repair', 'inspection']),
      roof_age: between(random, 1, 40, 1),
      homeowner: random.next() < 0.95,
    }),
  },
} as const satisfies Record<string, Trade>;

export type TradeName = keyof typeof TRADES;
export const TRADE_NAMES = Object.keys(TRADES) as TradeName[];
