/** The campaigns of a run: each tests one kind of promise, with buyers of its own. */
import type { BuyerSpec, CampaignSpec, CampaignSpecs } from './campaignSpec.js';
import type { Instant } from '../evidence/evidence.js';
import { inTurns } from './hours.js';
import { BUSY_AFTER_MS } from './midnight.js';

/** At least this share of the leads posted at the full rate gets through a run full of faults. */
const EXPECTED_SHARE = 0.5;
/** Nearly at once: while the first posting is undecided. */
const AT_ONCE_MS = 25;
/** Most repeats come after the first posting is sold. */
const LATER_MS = 6_000;

const twoOf = (spec: Omit<BuyerSpec, 'price'>): Record<string, BuyerSpec> => ({
  a: { price: 10, ...spec },
  b: { price: 8, ...spec },
});

// A lead that is sent again without a key is recognized by its claims, so every campaign has some.
const plain = {
  dedupe_fields: ['email'],
  suppliers: [{ cost: 4 }, { cost: 3.25 }],
} satisfies Partial<CampaignSpec>;

/** The approximate number of leads: in the whole run, and per second. */
export interface Load {
  leads: number;
  perSecond: number;
}

/** @param now when the run begins: opening hours are relative to it */
export function campaignSpecs({ leads, perSecond }: Load, now: Instant): CampaignSpecs {
  return {
    ...oneBuyerEach(),
    ...methods(),
    capped: capped(expected(leads, WEIGHTS.capped)),
    several: several(expected(leads, WEIGHTS.several)),
    booked: booked(expected(leads, WEIGHTS.booked)),
    held_open: heldOpen(now),
    ...acrossMidnight(perSecond),
  };
}

/** Campaigns whose limits depend on the number of leads they get. */
const WEIGHTS = { capped: 10, several: 12, booked: 6, midnight: 4 };

/** A share of the leads that a campaign of that weight gets, so that a limit is reached. */
type PartOf = (share: number) => number;

const expected =
  (leads: number, weight: number): PartOf =>
  (share) =>
    Math.max(2, Math.round((leads * weight * EXPECTED_SHARE * share) / 100));

const cents = (amount: number): number => Math.round(amount * 100) / 100;

/** Waterfalls with one buyer: policies for lost answers, duplicates and misbehavior. */
function oneBuyerEach(): CampaignSpecs {
  const failingOver = { honours: false, on_unknown: 'fail_over' as const };
  const assuming = { honours: false, on_unknown: 'assume_accepted' as const };
  const flaky = { honours: true, flaky: true, timeout_ms: 1_000, max_per_second: 30 };
  return {
    honouring: {
      ...plain,
      weight: 11,
      parking: true,
      announced: true,
      buyers: twoOf({ honours: true }),
    },
    holding: { ...plain, weight: 7, buyers: twoOf({ honours: false, on_unknown: 'hold' }) },
    failing_over: { ...plain, weight: 4, changesMode: true, buyers: twoOf(failingOver) },
    assuming: { ...plain, weight: 4, buyers: twoOf(assuming) },
    duplicates: {
      ...plain,
      weight: 8,
      dedupe_fields: ['phone', 'email'],
      repeatedWithinMs: AT_ONCE_MS,
      buyers: { a: { price: 10, honours: true }, b: { price: 9, honours: false } },
    },
    originals: {
      ...plain,
      weight: 4,
      dedupe_fields: ['phone', 'email'],
      on_duplicate: 'ROUTE_TO_ORIGINAL',
      repeatedWithinMs: LATER_MS,
      buyers: { a: { price: 10, honours: true, rejects: 0.3 }, b: { price: 9, honours: false } },
    },
    flaky: { ...plain, weight: 7, parking: true, buyers: twoOf(flaky) },
  };
}

/** The order of buyers: by turns, by a draw, by price. */
function methods(): CampaignSpecs {
  const well = { honours: true };
  const equal = { ...well, priority: 1 };
  return {
    turns: {
      ...plain,
      weight: 7,
      method: 'ROUND_ROBIN',
      parking: true,
      buyers: {
        a: { price: 10, ...well },
        b: { price: 10, honours: false },
        c: { price: 10, ...well, flaky: true, max_per_second: 20 },
      },
    },
    weighted: {
      ...plain,
      weight: 4,
      method: 'WEIGHTED',
      buyers: {
        a: { price: 10, ...well, weight: 50 },
        b: { price: 10, honours: false, weight: 30 },
        c: { price: 10, ...well, weight: 20 },
      },
    },
    bids: {
      ...plain,
      weight: 4,
      method: 'HIGHEST_BID',
      buyers: {
        a: { price: 11, ...equal },
        b: { price: 11, ...equal, honours: false },
        c: { price: 9.5, ...equal },
      },
    },
  };
}

/** Every limit is reached in the run: each buyer's, two suppliers' and the campaign's own. */
const capped = (part: PartOf): CampaignSpec => ({
  weight: WEIGHTS.capped,
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
});

/**
 * Two sales per lead, and every limit is reached: of leads and of money, of buyers, suppliers and the campaign.
 * Revenue shares that give no whole micro-unit, and a first buyer that misses leads and may get them later.
 */
const several = (part: PartOf): CampaignSpec => ({
  weight: WEIGHTS.several,
  announced: true,
  dedupe_fields: ['email'],
  max_sells: 2,
  caps: { total_cap: part(0.8) },
  buyers: {
    a: { price: 14.37, honours: true, flaky: true, timeout_ms: 1_000 },
    b: { price: 12.21, honours: false, caps: { total_cap: part(0.3) } },
    c: { price: 11.1, honours: true, caps: { daily_budget: cents(11.1 * part(0.2) + 5) } },
    d: { price: 9, honours: false, on_unknown: 'fail_over', rejects: 0.4 },
  },
  suppliers: [
    { share: 33.3333 },
    { cost: 4.75, caps: { total_budget: 4.75 * part(0.35) } },
    { share: 61.7, caps: { total_budget: 12 * part(0.25), weekly_cap: part(0.5) } },
  ],
});

/** The buyer names the revenue of a sale, mostly more than its link: budgets count it from then on. */
const booked = (part: PartOf): CampaignSpec => ({
  weight: WEIGHTS.booked,
  dedupe_fields: ['email'],
  caps: { monthly_budget: 10 * part(0.9) },
  buyers: {
    a: { price: 10, honours: true, says: [8, 15], caps: { total_budget: 10 * part(0.4) } },
    b: { price: 8, honours: false, says: [6, 9] },
  },
  suppliers: [{ share: 40 }, { share: 12.3457, caps: { total_budget: cents(1.3 * part(0.3)) } }],
});

/** One buyer that is skipped while closed, and one that leads are held for; each opens and closes in turn. */
const heldOpen = (now: Instant): CampaignSpec => ({
  ...plain,
  weight: 4,
  keepsUtc: true,
  buyers: {
    a: { price: 10, honours: true, hours: inTurns(now, 2), when_closed: 'SKIP' },
    b: { price: 9, honours: true, hours: inTurns(now, 1), when_closed: 'HOLD' },
  },
});

const everyOtherDay = (cap: number) => ({ mon: cap, wed: cap, fri: cap, sun: cap });

/** A lead waits at most this long: where no cap has room on the next day, it expires within the run. */
const WAITS_MS = 45_000;

/**
 * Buyers are busy from the beginning until some seconds after midnight. Leads wait for them, and fill the caps of the
 * first day; leads posted after midnight fill the caps of the next. Then buyers have room for those of the first day,
 * as do the longer windows that count them already, but some suppliers, or the campaign, have none.
 */
function acrossMidnight(perSecond: number): CampaignSpecs {
  // What the seconds after midnight bring for certain, whichever processes are down.
  const come = (perSecond * WEIGHTS.midnight * EXPECTED_SHARE * BUSY_AFTER_MS) / 100_000;
  const part = (share: number): number => Math.max(2, Math.round(come * share));
  const waiting = { max_age_ms: WAITS_MS };
  const waits = {
    dedupe_fields: ['email'],
    weight: WEIGHTS.midnight,
    waitsForMidnight: true,
  };
  return {
    midnight: {
      ...waits,
      caps: { monthly_cap: part(4), total_budget: 10 * part(5) },
      buyers: {
        a: {
          ...waiting,
          price: 10,
          honours: true,
          caps: { weekly_cap: part(0.8), total_cap: part(1.5) },
        },
        b: {
          ...waiting,
          price: 8,
          honours: false,
          // One of any two days at a midnight has a cap of its own.
          caps: {
            daily_cap: part(2),
            daily_caps: everyOtherDay(part(1)),
            monthly_budget: 8 * part(3),
          },
        },
      },
      suppliers: [
        { cost: 4, caps: { daily_cap: part(0.25) } },
        { cost: 3, caps: { hourly_budget: 3 * part(0.25), weekly_cap: part(1) } },
        { cost: 2.5, caps: { total_cap: part(2) } },
      ],
    },
    midnight_own: {
      ...waits,
      caps: { hourly_cap: part(0.6), weekly_budget: 10 * part(3) },
      buyers: {
        a: {
          ...waiting,
          price: 10,
          honours: true,
          caps: { weekly_budget: 10 * part(1), total_cap: part(2) },
        },
        b: {
          ...waiting,
          price: 8,
          honours: true,
          caps: { daily_budget: 8 * part(1), monthly_cap: part(2) },
        },
      },
      suppliers: [{ cost: 4, caps: { monthly_cap: part(3) } }, { share: 30 }],
    },
  };
}
