import { describe, expect, it } from '@jest/globals';
import type { SuppressionRef } from '../../../src/account/rules/plan.js';
import { planNow, termsNow } from '../../../src/routing/rules/termsNow.js';
import { aBuyer, aPlan, aWebhook } from '../../support/builders.js';

const list = (list_id: string): SuppressionRef => ({ list_id, scope: 'campaign' });
const pinned = aBuyer({ price: 5, states: ['TX'], weight: 3 });

describe('the terms of a lead that has waited', () => {
  it('has how its buyer is reached now, and whether it takes leads, at the price of its own time', () => {
    const now = aBuyer({
      price: 9,
      states: ['CA'],
      weight: 4,
      test_mode: true,
      caps: { daily_cap: 1 },
      delivery: aWebhook({ url: 'https://moved.example' }),
      schedule: [],
      when_closed: 'HOLD',
      signing_secret: { key_id: 'k2', iv: '', tag: '', data: '' },
    });
    const latest = aPlan({ buyers: [aBuyer({ buyer_id: 'other' }), now] });
    expect(termsNow(pinned, latest)).toEqual({
      ...now,
      price: 5,
      states: ['TX'],
      weight: 3,
      previous_signing: null,
    });
    const previous = { until: new Date(0), secret: pinned.signing_secret };
    const turned = aPlan({ buyers: [{ ...now, previous_signing: previous }] });
    expect(termsNow(pinned, turned).previous_signing).toBe(previous);
  });

  it('pauses a buyer that the current version does not name', () => {
    const paused = { ...pinned, status: 'paused' };
    expect(termsNow(pinned, aPlan({ buyers: [aBuyer({ buyer_id: 'other' })] }))).toEqual(paused);
    expect(termsNow(pinned, undefined)).toEqual(paused);
  });
});

describe('the plan of a lead that has waited', () => {
  it('has each of its own buyers, as it is now', () => {
    const plan = aPlan({ buyers: [pinned, aBuyer({ buyer_id: 'gone' })] });
    const latest = aPlan({ version: 2, name: 'Renamed', buyers: [aBuyer({ test_mode: true })] });
    const now = planNow(plan, latest);
    expect(now).toMatchObject({ version: 1, name: 'Campaign 1' });
    expect(now).not.toHaveProperty('suppression');
    expect(now.buyers).toMatchObject([
      { buyer_id: 'b1', price: 5, test_mode: true, status: 'active' },
      { buyer_id: 'gone', status: 'paused' },
    ]);
  });

  it('has the lists of both versions, each once', () => {
    const lists = (own?: string[], current?: string[]) =>
      planNow(
        aPlan(own ? { suppression: own.map(list) } : {}),
        aPlan(current ? { suppression: current.map(list) } : {}),
      ).suppression?.map(({ list_id }) => list_id);
    expect(lists(['a', 'b'], ['b', 'c'])).toEqual(['b', 'c', 'a']);
    expect(lists(['a'])).toEqual(['a']);
    expect(lists(undefined, ['a'])).toEqual(['a']);
  });
});
