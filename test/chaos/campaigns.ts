/** The campaigns of a run: each puts one kind of promise to the test, with buyers of its own. */
import type { UnknownPolicy } from '../../src/domain/deliverySettings.js';
import type { CapLimits } from '../../src/domain/plan.js';
import type { Shares } from './buyers/behaviours.js';

/** Money in currency, as a person types it. */
export interface BuyerSpec {
  price: number;
  honours: boolean;
  on_unknown?: UnknownPolicy;
  caps?: CapLimits;
  timeout_ms?: number;
  /** Misbehaves in every way all the time, though mostly well. */
  flaky?: boolean;
  /** The share, 0 to 1, of leads that it refuses while it is well. */
  rejects?: number;
  /** What a `flaky` one does, instead of misbehaving in every way. */
  shares?: Shares;
}

export interface SupplierSpec {
  cost: number;
  caps?: CapLimits;
}

export interface CampaignSpec {
  /** Of all leads, so many in a hundred. */
  weight: number;
  dedupe_fields: string[];
  caps?: CapLimits;
  /** Suppliers post the same person several times, nearly at once. */
  duplicates?: boolean;
  /** Its buyers are made to park leads around the loss of Temporal's store. */
  parking?: boolean;
  /** In order of priority. */
  buyers: Record<string, BuyerSpec>;
  suppliers: SupplierSpec[];
}

export type CampaignSpecs = Record<string, CampaignSpec>;

/** A buyer takes at most so much of its time limit, in milliseconds. */
const TIMEOUT_MS = 1_500;
/** Of the leads that are posted at the full rate, so many get through a run full of faults at the least. */
const EXPECTED_SHARE = 0.5;

const twoOf = (spec: Omit<BuyerSpec, 'price'>): Record<string, BuyerSpec> => ({
  a: { price: 10, ...spec },
  b: { price: 8, ...spec },
});

/** @param leads how many leads are posted in the whole run, about */
export function campaignSpecs(leads: number): CampaignSpecs {
  const suppliers = [{ cost: 4 }, { cost: 3.25 }];
  // A lead that is sent again without a key is known by its claims, so every campaign has some.
  const plain = { dedupe_fields: ['email'], suppliers };
  const holding = { honours: false, on_unknown: 'hold' as const };
  return {
    honouring: { ...plain, weight: 30, parking: true, buyers: twoOf({ honours: true }) },
    holding: { ...plain, weight: 15, buyers: twoOf(holding) },
    failing_over: {
      ...plain,
      weight: 6,
      buyers: twoOf({ honours: false, on_unknown: 'fail_over' }),
    },
    assuming: {
      ...plain,
      weight: 6,
      buyers: twoOf({ honours: false, on_unknown: 'assume_accepted' }),
    },
    capped: cappedSpec(leads),
    duplicates: {
      weight: 14,
      dedupe_fields: ['phone', 'email'],
      duplicates: true,
      suppliers,
      buyers: { a: { price: 10, honours: true }, b: { price: 9, honours: false } },
    },
    flaky: {
      ...plain,
      weight: 14,
      parking: true,
      buyers: twoOf({ honours: true, flaky: true, timeout_ms: 1_000 }),
    },
  };
}

const CAPPED_WEIGHT = 15;

/** Every limit of it is reached in the run: each buyer's, two suppliers' and the campaign's own. */
function cappedSpec(leads: number): CampaignSpec {
  const expected = (leads * CAPPED_WEIGHT * EXPECTED_SHARE) / 100;
  const part = (share: number): number => Math.max(2, Math.round(expected * share));
  return {
    weight: CAPPED_WEIGHT,
    dedupe_fields: ['email'],
    caps: { total_cap: part(0.5) },
    buyers: {
      a: { price: 20, honours: true, caps: { total_cap: part(0.12) } },
      b: { price: 15, honours: false, caps: { daily_cap: part(0.12), total_cap: part(0.12) } },
      c: { price: 12.5, honours: true, caps: { total_budget: 12.5 * part(0.1) } },
      d: { price: 9, honours: false },
    },
    suppliers: [
      { cost: 5, caps: { total_cap: part(0.15) } },
      { cost: 4.5, caps: { total_budget: 4.5 * part(0.15) } },
      { cost: 4 },
    ],
  };
}

/** The name of a buyer among all campaigns' buyers; it is its path and its name in faults, too. */
export const buyerName = (campaign: string, buyer: string): string => `${campaign}-${buyer}`;

export const timeoutOf = ({ timeout_ms }: BuyerSpec): number => timeout_ms ?? TIMEOUT_MS;
