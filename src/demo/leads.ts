/** The leads of the demo, each with what must become of it. */
import type { LeadStatus } from '../leads/rules/leadStatus.js';
import { SPECIAL_LAST_NAMES, type DemoBuyerName } from './buyerRules.js';
import type { DemoCampaignKey, DemoSupplierKey } from './names.js';
import { BARRED_SOURCE } from './terms.js';

/** What the supplier is answered, and what the lead is in the end. */
export interface Expected {
  http: number;
  /** `data.status` of a 2xx, `error` of anything else. */
  answer: string;
  delivery?: 'pending';
  /** Null: no lead is kept. */
  final: LeadStatus | null;
  buyer: DemoBuyerName | null;
}

export interface DemoLead {
  /** Counts from 1. */
  n: number;
  title: string;
  campaign: DemoCampaignKey;
  supplier: DemoSupplierKey;
  /** Sent while Steady is down. */
  outage: boolean;
  fields: Record<string, string | boolean>;
  expected: Expected;
}

const soldTo = (buyer: DemoBuyerName): Expected => ({
  http: 201,
  answer: 'ACCEPTED',
  final: 'ACCEPTED',
  buyer,
});
const endsAs = (answer: 'UNMATCHED' | 'DUPLICATE'): Expected => ({
  http: 200,
  answer,
  final: answer,
  buyer: null,
});
const INVALID: Expected = { http: 400, answer: 'validation_failed', final: null, buyer: null };
const FILTERED: Expected = { http: 422, answer: 'filtered', final: 'REJECTED', buyer: null };
const WAITS_FOR_STEADY: Expected = { ...soldTo('steady'), delivery: 'pending' };

const { refusedByPremier, refusedBySteady, slowAtSteady } = SPECIAL_LAST_NAMES;

interface Special {
  campaign?: DemoCampaignKey;
  supplier?: DemoSupplierKey;
  outage?: true;
  /** Set over the made-up fields; an empty text takes a field away. */
  fields?: Record<string, string | boolean>;
  /** Takes this field from the lead with that number. */
  copies?: { field: 'phone' | 'email'; of: number };
}

type Row = readonly [
  title: string,
  name: string,
  state: string | null,
  expected: Expected,
  special?: Special,
];

const ROWS: readonly Row[] = [
  ['California', 'Maria Lopez', 'CA', soldTo('premier')],
  ['Texas', 'Dwayne Carter', 'TX', soldTo('premier')],
  ['California, 2nd supplier', 'Yuki Tanaka', 'CA', soldTo('premier'), { supplier: 'partner' }],
  [
    'Field outside the mapping',
    'Ines Moreau',
    'TX',
    soldTo('premier'),
    { fields: { roof_age: '12' } },
  ],
  ['Oddly written phone, state', 'Olu Adeyemi', 'ca', soldTo('premier')],
  ['New York', 'Hannah Weiss', 'NY', soldTo('steady')],
  ['Florida, 2nd supplier', 'Jorge Diaz', 'FL', soldTo('steady'), { supplier: 'partner' }],
  ['Arizona', 'Priya Nair', 'AZ', soldTo('steady')],
  ['Steady is slow to answer', `Tom ${slowAtSteady}`, 'NY', soldTo('steady')],
  ['Washington', 'Greta Holm', 'WA', soldTo('open')],
  ['No state', 'Sam Okafor', null, soldTo('open')],
  ['Ohio, 2nd supplier', 'Lena Fischer', 'OH', soldTo('open'), { supplier: 'partner' }],
  ['Premier refused, to Steady', `Paul ${refusedByPremier}`, 'CA', soldTo('steady')],
  ['Premier refused, to Open', `Rita ${refusedByPremier}`, 'TX', soldTo('open')],
  ['Steady refused, to Open', `Karl ${refusedBySteady}`, 'FL', soldTo('open')],
  [
    'Phone of lead 1 again',
    'Mary Lopes',
    'CA',
    endsAs('DUPLICATE'),
    { copies: { field: 'phone', of: 1 } },
  ],
  [
    'Email of lead 6 again',
    'H. Weiss',
    'NY',
    endsAs('DUPLICATE'),
    { copies: { field: 'email', of: 6 }, supplier: 'partner' },
  ],
  ['No email', 'Ned Nomail', 'CA', INVALID, { fields: { email: '' } }],
  ['Phone too short', 'Ada Short', 'CA', INVALID, { fields: { phone: '555-0142' } }],
  ['Barred kind of source', 'Finn Gilroy', 'CA', FILTERED, { fields: { source: BARRED_SOURCE } }],
  [
    'Test lead, no test buyer',
    'Tess Ting',
    'CA',
    endsAs('UNMATCHED'),
    { fields: { test_lead: true } },
  ],
  ['State without a buyer', 'Nils Berg', 'WA', endsAs('UNMATCHED'), { campaign: 'oneBuyer' }],
  [
    'The only buyer refuses',
    `Vera ${refusedBySteady}`,
    'NY',
    endsAs('UNMATCHED'),
    { campaign: 'oneBuyer' },
  ],
  ['Steady is down, to Open', 'Noor Haddad', 'NY', soldTo('open'), { outage: true }],
  [
    'Only buyer down, then back',
    'Bea Patience',
    'NY',
    WAITS_FOR_STEADY,
    { campaign: 'oneBuyer', outage: true },
  ],
];

/** Lead 5 is written the way people type: Leadwire brings phone and state to one form. */
const oddPhone = (digits: string): string =>
  `+1 (${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;

/**
 * The demo's leads.
 * @param run 0 to 79,999,999; gives each run phones and emails of its own, so that runs are no duplicates
 * of each other
 */
export function demoLeads(run: number): DemoLead[] {
  const phoneOf = (n: number): string => `${20_000_000 + run}${String(n).padStart(2, '0')}`;
  const emailOf = (n: number): string => {
    const name = ROWS[n - 1]?.[1] ?? `lead ${n}`;
    const local = name.toLowerCase().replaceAll(/[^a-z]+/g, '.');
    return `${local}.${run.toString(36)}.${n}@example.com`;
  };
  return ROWS.map(([title, name, state, expected, special = {}], index) => {
    const n = index + 1;
    const [first_name = '', last_name = ''] = name.split(' ');
    const { campaign = 'direct', supplier = 'web', outage = false, copies } = special;
    const phone = phoneOf(copies?.field === 'phone' ? copies.of : n);
    const fields = {
      first_name,
      last_name,
      phone: n === 5 ? oddPhone(phone) : phone,
      email: emailOf(copies?.field === 'email' ? copies.of : n),
      state: state ?? '',
      ...special.fields,
    };
    const given = Object.entries(fields).filter(([, value]) => value !== '');
    return { n, title, campaign, supplier, outage, fields: Object.fromEntries(given), expected };
  });
}
