import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { screenLead } from '../../../src/routing/rules/screen.js';
import type { Plan, SuppressionRef } from '../../../src/account/rules/plan.js';
import { withoutSuppressed } from '../../../src/routing/rules/suppression.js';
import {
  suppressionEntry,
  type SuppressionHit,
  suppressionKeys,
} from '../../../src/account/rules/suppressionKeys.js';
import { aBuyer, aPlan, someFields } from '../../support/builders.js';

const now = new Date('2026-11-21T12:00:00Z');
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const plain = (text: string) => text;

describe('suppressionKeys', () => {
  it('names a North American phone in every spelling that lists are hashed from', () => {
    expect(suppressionKeys(someFields({ phone: '+15551234567' }), plain)).toEqual([
      { field: 'phone', md5: '15551234567' },
      { field: 'phone', md5: '+15551234567' },
      { field: 'phone', md5: '5551234567' },
      { field: 'email', md5: 'ada@example.com' },
    ]);
  });

  it('keeps the country code of any other phone', () => {
    expect(suppressionKeys({ phone: '+442079460018' }, plain)).toEqual([
      { field: 'phone', md5: '442079460018' },
      { field: 'phone', md5: '+442079460018' },
      // As earlier releases hashed 0044…, 01144… and +44 (0)….
      ...['00442079460018', '011442079460018', '4402079460018'].flatMap((digits) => [
        { field: 'phone', md5: digits },
        { field: 'phone', md5: `+${digits}` },
      ]),
    ]);
  });

  it.each(['ada@xn--bcher-kva.example', 'ada@bücher.example'])(
    'has both forms of the domain of %s',
    (email) => {
      const keys = suppressionKeys({ email }, plain).map((key) => key.md5);
      expect(keys.sort()).toEqual(['ada@bücher.example', 'ada@xn--bcher-kva.example']);
    },
  );

  it('has nothing for a lead without phone and email', () => {
    expect(suppressionKeys({ state: 'TX', email: ' ' }, plain)).toEqual([]);
  });

  it('hashes as MD5 lists are hashed', () => {
    // The output of `printf %s 5551234567 | md5sum`.
    expect(suppressionKeys({ phone: '+15551234567' }, md5)[2]?.md5).toBe(
      '6326e97c011be2b8ffaa12c9f2f0407e',
    );
  });
});

describe('suppressionEntry', () => {
  it.each([
    ['phone', '(555) 123-4567', '15551234567'],
    ['phone', '+44 20 7946 0018', '442079460018'],
    ['email', ' Ada@Example.COM ', 'ada@example.com'],
    ['email', 'Ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
    ['phone', '2025550134.0', '12025550134'],
    ['phone', '(202) 555-0134,1234', '12025550134'],
    ['phone', '12345', null],
    ['email', 'nobody', null],
    ['phone', '', null],
  ] as const)('reads a %s %j as %j', (field, value, entry) => {
    expect(suppressionEntry(field, value, plain)).toBe(entry);
  });

  it('matches a lead with the same phone, however either is written', () => {
    const digits = fc.stringMatching(/^[2-9][0-9]{9}$/);
    const written = fc.constantFrom(
      (d: string) => d,
      (d: string) => `+1${d}`,
      (d: string) => `1-${d.slice(0, 3)}-${d.slice(3)}`,
      (d: string) => `(${d.slice(0, 3)}) ${d.slice(3, 6)}.${d.slice(6)}`,
    );
    fc.assert(
      fc.property(digits, written, (phone, write) => {
        const entry = suppressionEntry('phone', write(phone), md5);
        const keys = suppressionKeys({ phone: `+1${phone}` }, md5).map((key) => key.md5);
        expect(keys).toContain(entry);
      }),
    );
  });
});

const ORG: SuppressionRef = { list_id: 'everywhere', scope: 'organisation' };
const CAMPAIGN: SuppressionRef = { list_id: 'here', scope: 'campaign' };
const ofBuyer = (buyer_id: string): SuppressionRef => ({
  list_id: `of-${buyer_id}`,
  scope: 'buyer',
  buyer_id,
});
const LISTS = [ORG, CAMPAIGN, ofBuyer('b1'), ofBuyer('b2')];
const BUYERS = [
  aBuyer({ buyer_id: 'b1' }),
  aBuyer({ buyer_id: 'b2' }),
  aBuyer({ buyer_id: 'b3', states: ['CA'] }),
];
const hit = (list: SuppressionRef, field: SuppressionHit['field'] = 'phone'): SuppressionHit => ({
  list_id: list.list_id,
  field,
});
const screen = (hits: SuppressionHit[], plan: Partial<Plan> = {}, is_test = false) =>
  screenLead({
    lead: { fields: someFields(), is_test, seed: 'l1' },
    plan: aPlan({ suppression: LISTS, buyers: BUYERS, ...plan }),
    now,
    hits,
  });
const refusedOn = (field: string) => ({
  filter_id: 'suppression',
  field,
  operator: 'NOT IN',
  value: 'suppression list',
  message: `${field} is on a suppression list`,
});

describe('a lead on a suppression list', () => {
  it.each([ORG, CAMPAIGN])('is refused by a list of the $scope', (list) => {
    expect(screen([hit(list)])).toEqual({
      kind: 'rejected',
      reason: 'suppressed',
      filter_errors: [refusedOn('phone')],
      trail: [
        { at: now, step: 'filters', result: 'passed' },
        {
          at: now,
          step: 'suppression',
          result: 'matched',
          detail: { matches: [{ ...list, field: 'phone' }], hits: [hit(list)] },
        },
      ],
    });
  });

  it('shows each of its fields once, and nothing of the lists', () => {
    const decision = screen([hit(ORG), hit(CAMPAIGN), hit(CAMPAIGN, 'email')]);
    expect(decision).toMatchObject({ filter_errors: [refusedOn('phone'), refusedOn('email')] });
    if (decision.kind === 'rejected') {
      expect(JSON.stringify(decision.filter_errors)).not.toMatch(/everywhere|here|b1|\+1555/);
    }
  });

  it('is refused as a test lead too', () => {
    expect(screen([hit(ORG)], {}, true).kind).toBe('rejected');
  });

  it('shows the filters it fails, not the lists', () => {
    const filters = { all: [{ id: 'ca', field: 'state', operator: '==' as const, value: 'CA' }] };
    expect(screen([hit(ORG)], { filters })).toMatchObject({
      reason: 'filtered',
      filter_errors: [{ filter_id: 'ca' }],
    });
  });

  it('skips a buyer whose list it is on', () => {
    const decision = screen([hit(ofBuyer('b1'), 'email')]);
    expect(decision).toMatchObject({ kind: 'pass', candidates: [{ buyer_id: 'b2' }] });
    expect(decision.trail).toEqual([
      { at: now, step: 'filters', result: 'passed' },
      {
        at: now,
        step: 'suppression',
        result: 'passed',
        detail: { lists: 4, hits: [hit(ofBuyer('b1'), 'email')] },
      },
      expect.objectContaining({ buyer_id: 'b3', reason: 'state_not_served' }),
      {
        at: now,
        step: 'routing',
        result: 'skipped',
        buyer_id: 'b1',
        reason: 'suppressed',
        detail: { field: 'email' },
      },
      {
        at: now,
        step: 'routing',
        result: 'ranked',
        detail: { method: 'WATERFALL', order: ['b2'] },
      },
    ]);
  });

  it('is refused when lists alone leave no buyer', () => {
    expect(screen([hit(ofBuyer('b1'), 'email'), hit(ofBuyer('b2'), 'email')])).toMatchObject({
      kind: 'rejected',
      reason: 'suppressed',
      filter_errors: [refusedOn('email')],
      trail: [
        { step: 'filters' },
        {
          step: 'suppression',
          result: 'matched',
          detail: { matches: [{ buyer_id: 'b1' }, { buyer_id: 'b2' }] },
        },
      ],
    });
  });

  it('is unmatched, and not refused, when the lists removed no buyer', () => {
    const buyers = [aBuyer({ buyer_id: 'b1', status: 'paused' })];
    expect(screen([hit(ofBuyer('b1'))], { buyers })).toMatchObject({
      kind: 'pass',
      candidates: [],
    });
  });

  it('ignores lists that its plan does not name, and records nothing without lists', () => {
    const plan = aPlan({ buyers: BUYERS });
    const lead = { fields: someFields(), is_test: false, seed: 'l1' };
    const decision = screenLead({ lead, plan, now, hits: [hit(ORG)] });
    expect(decision.kind).toBe('pass');
    expect(decision.trail.map(({ step }) => step)).not.toContain('suppression');
  });
});

describe('withoutSuppressed', () => {
  const left = (...hits: SuppressionHit[]) =>
    withoutSuppressed({ suppression: LISTS }, BUYERS, hits).map(({ buyer_id }) => buyer_id);

  it('removes only the buyers of the lists that match', () => {
    expect(left()).toEqual(['b1', 'b2', 'b3']);
    expect(left(hit(ofBuyer('b2')))).toEqual(['b1', 'b3']);
  });

  it.each([{ list: ORG }, { list: CAMPAIGN }])('leaves no buyer when $list matches', ({ list }) => {
    expect(left(hit(list))).toEqual([]);
  });
});
