import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  claimIsLive,
  dedupeKeys,
  lookupKey,
  lookupKeys,
  lookupKeysOf,
  reachBack,
} from '../../../src/leads/rules/dedupe.js';
import type { LeadStatus } from '../../../src/leads/rules/leadStatus.js';
import type { DedupeSettings } from '../../../src/account/rules/plan.js';
import { someFields } from '../../support/builders.js';

const settings = (overrides: Partial<DedupeSettings> = {}): DedupeSettings => ({
  window_days: 30,
  fields: ['phone', 'email'],
  match: 'ANY',
  on_duplicate: 'REJECT',
  ...overrides,
});

describe('reachBack', () => {
  const now = new Date('2026-11-28T12:00:00Z');
  const daysAgo = (days: number) => new Date(Number(now) - days * 86_400_000);
  const back = (since: Date | undefined, dedupe: Partial<DedupeSettings> = {}, createdAt = now) =>
    reachBack(
      { dedupe: settings(dedupe), ...(since ? { dedupe_since: since } : {}) },
      someFields(),
      createdAt,
      now,
    );

  it('looks up nothing where the settings never began to find more, or did so a window ago', () => {
    expect(back(undefined)).toBeNull();
    expect(back(daysAgo(31))).toBeNull();
    expect(back(daysAgo(1), { fields: [] })).toBeNull();
    expect(back(daysAgo(1), { fields: ['phone', 'policy'], match: 'ALL' })).toBeNull();
  });

  it('looks among the leads of the window that were admitted before the change', () => {
    expect(back(daysAgo(2))).toEqual({
      keys: [['phone:+15551234567'], ['email:ada@example.com']],
      match: 'ANY',
      after: daysAgo(30),
      before: new Date(Number(daysAgo(2)) + 60_000),
    });
  });

  it('finds only leads that were created before the lead itself', () => {
    expect(back(now)?.before).toEqual(now);
    expect(back(daysAgo(1), {}, daysAgo(3))?.before).toEqual(daysAgo(3));
  });
});

describe('dedupeKeys', () => {
  it('gives one key per field that the lead has, in the order of the campaign', () => {
    expect(dedupeKeys(settings(), someFields())).toEqual([
      { field: 'phone', value: '+15551234567' },
      { field: 'email', value: 'ada@example.com' },
    ]);
    const fields = ['email', 'policy', 'phone'];
    expect(dedupeKeys(settings({ fields }), someFields()).map((key) => key.field)).toEqual([
      'email',
      'phone',
    ]);
  });

  it('compares without case and outer space, and numbers as text', () => {
    const fields = ['policy', 'vin'];
    expect(dedupeKeys(settings({ fields }), { policy: 42, vin: ' AbC ' })).toEqual([
      { field: 'policy', value: '42' },
      { field: 'vin', value: 'abc' },
    ]);
  });

  it('claims a field only once', () => {
    expect(dedupeKeys(settings({ fields: ['phone', 'phone'] }), someFields())).toHaveLength(1);
  });

  it('claims nothing when duplicates are switched off', () => {
    expect(dedupeKeys(settings({ fields: [] }), someFields())).toEqual([]);
    expect(dedupeKeys(settings({ fields: [], match: 'ALL' }), someFields())).toEqual([]);
  });

  it('combines all fields to one key for ALL', () => {
    expect(dedupeKeys(settings({ match: 'ALL' }), someFields())).toEqual([
      { field: 'phone+email', value: '["+15551234567","ada@example.com"]' },
    ]);
  });

  it('claims nothing for ALL when one field is missing', () => {
    const fields = ['phone', 'policy'];
    expect(dedupeKeys(settings({ match: 'ALL', fields }), someFields())).toEqual([]);
    expect(dedupeKeys(settings({ match: 'ALL', fields }), someFields({ policy: ' ' }))).toEqual([]);
  });

  it('claims the forms too in which an earlier release claimed a value', () => {
    const fields = { phone: '+442079460018', email: 'ada@xn--bcher-kva.example' };
    expect(dedupeKeys(settings(), fields)).toEqual([
      { field: 'phone', value: '+442079460018' },
      { field: 'phone', value: '+00442079460018' },
      { field: 'phone', value: '+011442079460018' },
      { field: 'phone', value: '+4402079460018' },
      { field: 'email', value: 'ada@xn--bcher-kva.example' },
      { field: 'email', value: 'ada@bücher.example' },
    ]);
    const combined = dedupeKeys(settings({ match: 'ALL' }), fields).map(({ value }) => value);
    expect(combined).toHaveLength(8);
    expect(combined[0]).toBe('["+442079460018","ada@xn--bcher-kva.example"]');
    expect(combined).toContain('["+00442079460018","ada@bücher.example"]');
  });

  it('never gives two different sets of values the same combined key', () => {
    const text = fc.string({ minLength: 1, unit: fc.constantFrom(...Array.from('ab+",[]\\')) });
    fc.assert(
      fc.property(fc.tuple(text, text), fc.tuple(text, text), ([a, b], [c, d]) => {
        const all = settings({ match: 'ALL', fields: ['x', 'y'] });
        const same = a === c && b === d;
        const keys = [dedupeKeys(all, { x: a, y: b }), dedupeKeys(all, { x: c, y: d })];
        expect(keys[0]?.[0]?.value === keys[1]?.[0]?.value).toBe(same);
      }),
    );
  });
});

describe('lookupKeysOf', () => {
  it('has a key for each form in which an earlier release stored the value', () => {
    expect(lookupKeysOf('phone', '+15551234567')).toEqual(['phone:+15551234567']);
    expect(lookupKeysOf('age', 42)).toEqual(['age:42']);
    expect(lookupKeysOf('email', 'ada@xn--bcher-kva.example')).toEqual([
      'email:ada@xn--bcher-kva.example',
      'email:ada@bücher.example',
    ]);
  });
});

describe('lookupKeys', () => {
  it('has a key for each field of a lead', () => {
    const fields = { phone: '+15551234567', email: 'ada@example.com', age: 40, owner: false };
    expect(lookupKeys({ ...fields, click_id: 'Ab1', note: ' ' })).toEqual([
      'phone:+15551234567',
      'email:ada@example.com',
      'age:40',
      'owner:false',
      'click_id:Ab1',
    ]);
    expect(lookupKeys({})).toEqual([]);
  });

  it('keeps long values by their hash, each value by a key of its own', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 260 });
    const name = fc.constantFrom('a', 'b_1');
    fc.assert(
      fc.property(name, text, name, text, (field, value, otherField, other) => {
        const [key, otherKey] = [lookupKey(field, value), lookupKey(otherField, other)];
        expect(key === otherKey).toBe(field === otherField && value === other);
        expect(key.length).toBeLessThanOrEqual(210);
      }),
    );
    expect(lookupKey('a', 'x'.repeat(200))).toBe(`a:${'x'.repeat(200)}`);
    expect(lookupKey('a', 'x'.repeat(201))).toMatch(/^a#[0-9a-f]{64}$/);
  });
});

describe('claimIsLive', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const daysAgo = (days: number, ms = 0) => new Date(now.getTime() - days * 86_400_000 - ms);
  const lives: Record<LeadStatus, boolean> = {
    NEW: true,
    PENDING: true,
    SELLING: true,
    ACCEPTED: true,
    UNMATCHED: false,
    DUPLICATE: false,
    REJECTED: false,
    EXPIRED: false,
    WITHDRAWN: false,
  };
  it.each(Object.entries(lives) as [LeadStatus, boolean][])(
    'counts a claim of a lead that is %s: %j',
    (status, live) => {
      expect(claimIsLive({ status, created_at: daysAgo(1) }, 30, now)).toBe(live);
    },
  );

  it('ends with the window, to the millisecond', () => {
    const holder = (created_at: Date) => ({ status: 'ACCEPTED' as const, created_at });
    expect(claimIsLive(holder(daysAgo(30, -1)), 30, now)).toBe(true);
    expect(claimIsLive(holder(daysAgo(30)), 30, now)).toBe(false);
    expect(claimIsLive(holder(daysAgo(30, 1)), 30, now)).toBe(false);
  });

  it('counts a holder whose clock is a little ahead', () => {
    expect(claimIsLive({ status: 'NEW', created_at: daysAgo(-0.001) }, 30, now)).toBe(true);
  });
});
