/** The places that change settings of a record, read off the registries, and two parts of the settings of each. */
import { expect } from '@jest/globals';
import type { z } from 'zod';
import type { ActionName } from '../../../src/api/actions/names.js';
import { REGISTRY } from '../../../src/api/actions/registry.js';
import { PORTALS } from '../../../src/api/partner/registry.js';
import type { Org } from '../../support/api.js';

/** The kinds of optional wrappers, in which the schema of a setting may be. */
interface Wrapped {
  def: { type: string; innerType?: Wrapped; in?: Wrapped };
  shape?: Record<string, z.ZodType>;
}

function unwrapped(schema: Wrapped): Wrapped {
  const inner = schema.def.type === 'pipe' ? schema.def.in : schema.def.innerType;
  return inner ? unwrapped(inner) : schema;
}

const NONE: Record<string, z.ZodType> = {};

const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success;

/** Settings that can be given in part: those of the call itself, and each of its objects of optional parts. */
function partsOf(name: string, { shape }: z.ZodObject): string[] {
  const settings = Object.entries<z.ZodType>(shape);
  const flat = settings.some(([, schema]) => isOptional(schema)) ? [name] : [];
  const nested = settings.filter(([, schema]) => {
    const parts = Object.values(unwrapped(schema as unknown as Wrapped).shape ?? NONE);
    return parts.filter(isOptional).length > 1;
  });
  return [...flat, ...nested.map(([key]) => `${name}.${key}`)];
}

const SIDES = ['buyer', 'supplier'] as const;

export const PLACES = [
  ...REGISTRY.map(({ name, effect, input }) => ({ name, effect, input })),
  ...SIDES.flatMap((side) =>
    PORTALS[side].calls.map(({ name, ...call }) => ({ ...call, name: `${side}: ${name}` })),
  ),
]
  .filter(({ effect }) => effect === 'write')
  .flatMap(({ name, input }) => partsOf(name, input));

/** Places that lay nothing over stored settings, and why. */
export const MERGES_NOTHING: Record<string, RegExp> = {
  'a new record':
    /^(create_|copy_|add_buyer_|add_supplier_|add_portal_member|invite_|(buyer|supplier): invite_)/,
  'a view, which is saved whole': /^save_view$/,
  'a lead, and what became of it':
    /(record_outcome|import_outcomes|import_leads|request_returns?|resolve_returns?)$/,
  'a test': /send_test_|try_postback/,
  'a command': /^(retry|hold|resend|revert|archive)_/,
  'a new secret in the place of the earlier': /: rotate_/,
  'rows of their own': /^(upload|import)_suppressions$/,
  'a name and a time zone, each set alone': /^update_account$/,
  'one value': /^(update_field_mapping|update_inbound_filters|enable_(buyer|supplier)_portal)$/,
  'caps of weekdays, which a change replaces as a whole': /\.daily_caps$/,
  'one of two, percent or fixed': /\.margin$/,
  'a status, set over the status that was read': /: (pause|resume)$/,
  'a request, refused where the terms have changed since':
    /^(buyer: request_change|resolve_change_)/,
};
/** Undefined: it merges settings. */
export const reasonOf = (place: string): string | undefined =>
  Object.keys(MERGES_NOTHING).find((reason) => MERGES_NOTHING[reason]?.test(place));

/** The records that are changed. */
export interface Scene {
  org: Org;
  campaign_id: string;
  buyer_id: string;
  supplier_id: string;
  automation_id: string;
  funnel_id: string;
}

export type Parts = readonly [object, object];

interface Race {
  /** The parts that the two changes give. */
  given: Parts;
  /** What names the record. */
  of?: (keyof Scene)[];
  /** Shows it afterwards. */
  read: ActionName;
  /** What is shown of both; default: what was given. */
  shown?: object;
}

const LINK: (keyof Scene)[] = ['campaign_id', 'buyer_id'];
export const HEADERS = { 'X-Key': 'key of the buyer' };
const HIDDEN = { 'X-Key': '[hidden]' };
const MOVED = 'https://buyer.example/other';

const ofCampaign = { of: ['campaign_id'] as (keyof Scene)[], read: 'get_campaign' as const };
const ofBuyer = { of: ['buyer_id'] as (keyof Scene)[], read: 'get_buyer' as const };
const ofSupplier = { of: ['supplier_id'] as (keyof Scene)[], read: 'get_supplier' as const };
const ofBuyerLink = { of: LINK, read: 'get_campaign' as const };
const ofSupplierLink = {
  of: ['campaign_id', 'supplier_id'] as (keyof Scene)[],
  read: 'get_campaign' as const,
};

export const RACES: Record<string, Race> = {
  update_campaign: { ...ofCampaign, given: [{ daily_cap: 7 }, { weekly_cap: 30 }] },
  'update_campaign.dedupe': {
    ...ofCampaign,
    given: [{ dedupe: { window_days: 90 } }, { dedupe: { match: 'ALL' } }],
    shown: { dedupe: { window_days: 90, match: 'ALL', on_duplicate: 'REJECT' } },
  },
  add_campaign_fields: {
    ...ofCampaign,
    given: [
      { fields: [{ name: 'roof', type: 'String' }] },
      { fields: [{ name: 'pool', type: 'String' }] },
    ],
    shown: {
      field_mapping: expect.arrayContaining([
        expect.objectContaining({ name: 'roof' }),
        expect.objectContaining({ name: 'pool' }),
      ]),
    },
  },
  configure_ping_post: {
    ...ofCampaign,
    given: [{ min_bid: 5 }, { reveal_buyers: false }],
    shown: { ping: { min_bid: 5, reveal_buyers: false } },
  },
  update_buyer: { ...ofBuyer, given: [{ phone: '+14155550100' }, { location: 'Reno' }] },
  'update_buyer.rate_limit': {
    ...ofBuyer,
    given: [{ rate_limit: { burst_per_second: 300 } }, { rate_limit: { burst_seconds: 4 } }],
    shown: { rate_limit: { per_second: 100, burst_per_second: 300, burst_seconds: 4 } },
  },
  set_buyer_delivery: {
    ...ofBuyer,
    given: [{ url: MOVED }, { timeout_ms: 2_500, headers: HEADERS }],
    shown: { delivery: { url: MOVED, timeout_ms: 2_500, headers: HIDDEN } },
  },
  set_buyer_ping: {
    ...ofBuyer,
    given: [{ url: 'https://buyer.example/bids/2' }, { timeout_ms: 300 }],
    shown: { ping: { url: 'https://buyer.example/bids/2', timeout_ms: 300 } },
  },
  set_buyer_returns: {
    ...ofBuyer,
    given: [{ max_age_days: 14 }, { max_share_pct: 10 }],
    shown: { returns: { max_age_days: 14, max_share_pct: 10 } },
  },
  update_campaign_buyer: {
    ...ofBuyerLink,
    given: [{ monthly_cap: 70 }, { weekly_cap: 30 }],
    shown: { buyers: [{ daily_cap: 100, monthly_cap: 70, weekly_cap: 30 }] },
  },
  'update_campaign_buyer.delivery': {
    ...ofBuyerLink,
    given: [{ delivery: { url: MOVED } }, { delivery: { timeout_ms: 900 } }],
    shown: { buyers: [{ delivery: { url: MOVED, timeout_ms: 900 } }] },
  },
  update_supplier: { ...ofSupplier, given: [{ name: 'Other' }, { test_mode: true }] },
  'update_supplier.rate_limit': {
    ...ofSupplier,
    given: [{ rate_limit: { per_second: 20 } }, { rate_limit: { burst_seconds: 3 } }],
    shown: { rate_limit: { per_second: 20, burst_per_second: 200, burst_seconds: 3 } },
  },
  'update_supplier.ping_rate_limit': {
    ...ofSupplier,
    given: [{ ping_rate_limit: { per_second: 40 } }, { ping_rate_limit: { burst_seconds: 5 } }],
    shown: { ping_rate_limit: { per_second: 40, burst_per_second: 1_000, burst_seconds: 5 } },
  },
  update_campaign_supplier: {
    ...ofSupplierLink,
    given: [{ daily_cap: 7 }, { weekly_cap: 30 }],
    shown: { suppliers: [{ daily_cap: 7, weekly_cap: 30 }] },
  },
  set_supplier_cost_mode: {
    ...ofSupplierLink,
    given: [
      { cost_mode: 'FIXED', cost_per_lead: 2 },
      { cost_mode: 'FIXED', revenue_share: 60 },
    ],
    shown: { suppliers: [{ cost_per_lead: 2, revenue_share: 60 }] },
  },
  update_automation: {
    of: ['automation_id'],
    read: 'get_automation',
    given: [{ name: 'Told' }, { status: 'paused' }],
  },
  'update_automation.target': {
    of: ['automation_id'],
    read: 'get_automation',
    given: [{ target: { url: MOVED } }, { target: { headers: HEADERS } }],
    shown: { target: { url: MOVED, headers: HIDDEN } },
  },
  update_funnel: {
    of: ['funnel_id'],
    read: 'get_funnel',
    given: [{ name: 'Told' }, { slug: 'another-address' }],
  },
  configure_portal_settings: {
    of: ['buyer_id'],
    read: 'get_portal_settings',
    given: [{ exports: false }, { resend: false }],
  },
};

/** Places whose race is a test of its own, below. */
export const BY_HAND = [
  'update_campaign_links',
  'configure_single_sign_on',
  'supplier: set_webhook',
  'buyer: update_endpoint',
];
