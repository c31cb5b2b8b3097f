/** The leads of the demo, each with what must become of it. */
import type { LeadStatus } from '../leads/rules/leadStatus.js';
import { SPECIAL_LAST_NAMES } from './buyerRules.js';
import type { DemoBuyerName } from './buyerRules.js';
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
const ended = (answer: 'UNMATCHED' | 'DUPLICATE'): Expected => ({
  http: 200,
  answer,
  final: answer,
  buyer: null,
});
const INVALID: Expected = { http: 400, answer: 'validation_failed', final: null, buyer: null };
const FILTERED: Expected = { http: 422, answer: 'filtered', final: 'REJECTED', buyer: null };
const WAITS_FOR_STEADY: Expected = { ...soldTo('steady'), delivery: 'pending' };

const { refusedByPremier, refusedBySteady, slowAtSteady } = SPECIAL_LAST_NAMES;

interface Row {
  title: string;
  name: [first: string, last: string];
  state?: string;
  expected: Expected;
  campaign?: DemoCampaignKey;
  supplier?: DemoSupplierKey;
  outage?: true;
  /** Set over the made-up fields; an empty text takes a field away. */
  fields?: Record<string, string | boolean>;
  /** Takes this field from the lead with that number. */
  copies?: { field: 'phone' | 'email'; of: number };
}

const ROWS: readonly Row[] = [
  { title: 'California', name: ['Maria', 'Lopez'], state: 'CA', expected: soldTo('premier') },
  { title: 'Texas', name: ['Dwayne', 'Carter'], state: 'TX', expected: soldTo('premier') },
  {
    title: 'California, 2nd supplier',
    name: ['Yuki', 'Tanaka'],
    state: 'CA',
    supplier: 'partner',
    expected: soldTo('premier'),
  },
  {
    title: 'Field outside the mapping',
    name: ['Ines', 'Moreau'],
    state: 'TX',
    fields: { roof_age: '12' },
    expected: soldTo('premier'),
  },
  {
    title: 'Oddly written phone, state',
    name: ['Olu', 'Adeyemi'],
    state: 'ca',
    expected: soldTo('premier'),
  },
  { title: 'New York', name: ['Hannah', 'Weiss'], state: 'NY', expected: soldTo('steady') },
  {
    title: 'Florida, 2nd supplier',
    name: ['Jorge', 'Diaz'],
    state: 'FL',
    supplier: 'partner',
    expected: soldTo('steady'),
  },
  { title: 'Arizona', name: ['Priya', 'Nair'], state: 'AZ', expected: soldTo('steady') },
  {
    title: 'Steady is slow to answer',
    name: ['Tom', slowAtSteady],
    state: 'NY',
    expected: soldTo('steady'),
  },
  { title: 'Washington', name: ['Greta', 'Holm'], state: 'WA', expected: soldTo('open') },
  { title: 'No state', name: ['Sam', 'Okafor'], expected: soldTo('open') },
  {
    title: 'Ohio, 2nd supplier',
    name: ['Lena', 'Fischer'],
    state: 'OH',
    supplier: 'partner',
    expected: soldTo('open'),
  },
  {
    title: 'Premier refused, to Steady',
    name: ['Paul', refusedByPremier],
    state: 'CA',
    expected: soldTo('steady'),
  },
  {
    title: 'Premier refused, to Open',
    name: ['Rita', refusedByPremier],
    state: 'TX',
    expected: soldTo('open'),
  },
  {
    title: 'Steady refused, to Open',
    name: ['Karl', refusedBySteady],
    state: 'FL',
    expected: soldTo('open'),
  },
  {
    title: 'Phone of lead 1 again',
    name: ['Mary', 'Lopes'],
    state: 'CA',
    copies: { field: 'phone', of: 1 },
    expected: ended('DUPLICATE'),
  },
  {
    title: 'Email of lead 6 again',
    name: ['H.', 'Weiss'],
    state: 'NY',
    copies: { field: 'email', of: 6 },
    supplier: 'partner',
    expected: ended('DUPLICATE'),
  },
  {
    title: 'No email',
    name: ['Ned', 'Nomail'],
    state: 'CA',
    fields: { email: '' },
    expected: INVALID,
  },
  {
    title: 'Phone too short',
    name: ['Ada', 'Short'],
    state: 'CA',
    fields: { phone: '555-0142' },
    expected: INVALID,
  },
  {
    title: 'Barred kind of source',
    name: ['Finn', 'Gilroy'],
    state: 'CA',
    fields: { source: BARRED_SOURCE },
    expected: FILTERED,
  },
  {
    title: 'Test lead, no test buyer',
    name: ['Tess', 'Ting'],
    state: 'CA',
    fields: { test_lead: true },
    expected: ended('UNMATCHED'),
  },
  {
    title: 'State without a buyer',
    name: ['Nils', 'Berg'],
    state: 'WA',
    campaign: 'oneBuyer',
    expected: ended('UNMATCHED'),
  },
  {
    title: 'The only buyer refuses',
    name: ['Vera', refusedBySteady],
    state: 'NY',
    campaign: 'oneBuyer',
    expected: ended('UNMATCHED'),
  },
  {
    title: 'Steady is down, to Open',
    name: ['Noor', 'Haddad'],
    state: 'NY',
    outage: true,
    expected: soldTo('open'),
  },
  {
    title: 'Only buyer down, then back',
    name: ['Bea', 'Patience'],
    state: 'NY',
    campaign: 'oneBuyer',
    outage: true,
    expected: WAITS_FOR_STEADY,
  },
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
    const [first, last] = ROWS[n - 1]?.name ?? ['lead', String(n)];
    const local = `${first}.${last}`.toLowerCase().replaceAll(/[^a-z]+/g, '.');
    return `${local}.${run.toString(36)}.${n}@example.com`;
  };
  return ROWS.map((row, index) => {
    const n = index + 1;
    const [firstName, lastName] = row.name;
    const source = row.copies?.of ?? n;
    const fields = {
      first_name: firstName,
      last_name: lastName,
      phone: n === 5 ? oddPhone(phoneOf(n)) : phoneOf(row.copies?.field === 'phone' ? source : n),
      email: emailOf(row.copies?.field === 'email' ? source : n),
      ...(row.state === undefined ? {} : { state: row.state }),
      ...row.fields,
    };
    return {
      n,
      title: row.title,
      campaign: row.campaign ?? 'direct',
      supplier: row.supplier ?? 'web',
      outage: row.outage ?? false,
      fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')),
      expected: row.expected,
    };
  });
}
