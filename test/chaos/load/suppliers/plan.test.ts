import { describe, expect, it } from '@jest/globals';
import { normalizeEmail, normalizePhone } from '../../../../src/fields/normalize.js';
import { createWorkload, type Intent, type WorkloadOptions } from './workload.js';

const supplier = { id: 's', key: 'k' };
const OPTIONS: WorkloadOptions = {
  seed: 'seven',
  campaigns: [
    { campaign_id: 'plain', weight: 3, suppliers: [supplier, { id: 's2', key: 'k2' }] },
    { campaign_id: 'doubles', weight: 1, suppliers: [supplier], repeatedWithinMs: 25 },
  ],
};

function take(count: number, options = OPTIONS): Intent[] {
  const intents = createWorkload(options);
  return Array.from({ length: count }, () => intents.next().value);
}

describe('what suppliers post', () => {
  it('is decided by the seed', () => {
    expect(take(300)).toEqual(take(300));
    expect(take(300, { ...OPTIONS, seed: 'eight' })).not.toEqual(take(300));
  });

  it('averages one lead per second at a rate of one, with and without repeated people', () => {
    const seconds = take(6_000).reduce((sum, { gap }) => sum + gap, 0);
    expect(seconds / 6_000).toBeGreaterThan(0.9);
    expect(seconds / 6_000).toBeLessThan(1.1);
    expect(new Set(take(50, { ...OPTIONS, spacing: 'even' }).map(({ gap }) => gap > 0))).toContain(
      true,
    );
  });

  it('has a key for half of the leads, and other people in every lead', () => {
    const plain = take(2_000).filter(({ campaign_id }) => campaign_id === 'plain');
    const keys = plain.flatMap(({ idempotency_key: key }) => (key === null ? [] : [key]));
    expect(keys.length / plain.length).toBeGreaterThan(0.45);
    expect(keys.length / plain.length).toBeLessThan(0.57);
    expect(new Set(keys).size).toBe(keys.length);
    const early = plain.filter(({ intent, habit }) => intent < 100 && habit === 'plain');
    expect(early.filter(({ idempotency_key: key }) => key !== null)).toEqual([]);
    expect(new Set(plain.map(({ phone }) => phone)).size).toBe(plain.length);
    expect(new Set(plain.map(({ email }) => email)).size).toBe(plain.length);
  });

  it('knows the normal form of its spellings', () => {
    for (const { phone, email, body } of take(500)) {
      expect(normalizePhone(String(body.phone))).toBe(phone);
      expect(normalizeEmail(String(body.email))).toBe(email);
    }
  });

  it('repeats a person 3 to 6 times where duplicates are wanted: by phone, by email, or by both', () => {
    const groups: Intent[][] = [];
    for (const intent of take(3_000)) {
      if (intent.campaign_id !== 'doubles') continue;
      const group = groups.at(-1);
      if (group?.at(-1)?.gap === 0) group.push(intent);
      else groups.push([intent]);
    }
    const kinds = groups.slice(0, -1).map((group) => {
      expect(group.length).toBeGreaterThanOrEqual(3);
      expect(group.length).toBeLessThanOrEqual(6);
      const differ = (field: 'phone' | 'email') =>
        new Set(group.map((intent) => intent[field])).size === 1 ? 'same' : 'other';
      return `${differ('phone')} phone, ${differ('email')} email`;
    });
    expect(new Set(kinds)).toEqual(
      new Set([
        'same phone, other email',
        'other phone, same email',
        'same phone, same email',
        'other phone, other email',
      ]),
    );
  });

  it('refuses a campaign that no supplier can post to', () => {
    expect(() => createWorkload({ seed: 's', campaigns: [] })).toThrow('There is no campaign');
    const campaigns = [{ campaign_id: 'c', weight: 1, suppliers: [] }];
    expect(() => createWorkload({ seed: 's', campaigns })).toThrow('Campaign c has no supplier');
  });
});
