/** Reservations that are made beside the claims, before it is known which leads are duplicates. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Deps } from '../../src/app/deps.js';
import { aPerson } from '../support/supplier.js';
import { startTestbed, type Testbed } from '../support/testbed.js';

describe('a reservation beside the claims', () => {
  let testbed: Testbed;
  /** The steps of the leads, in their order. */
  let steps: string[];
  beforeAll(async () => {
    const alter = (deps: Deps): Deps => ({
      ...deps,
      claims: {
        ...deps.claims,
        async claim(...args) {
          const lost = await deps.claims.claim(...args);
          // The other step has begun meanwhile, if it does not wait for this one.
          steps.push('claimed');
          return lost;
        },
      },
      caps: {
        ...deps.caps,
        reserve(request) {
          steps.push('reserve');
          return deps.caps.reserve(request);
        },
        release(id, refs) {
          steps.push('release');
          return deps.caps.release(id, refs);
        },
      },
    });
    testbed = await startTestbed({ alter });
  });
  beforeEach(() => {
    steps = [];
  });
  afterAll(() => testbed.stop());

  it('is made where nothing is capped, and released for a duplicate', async () => {
    const market = await testbed.market();
    const person = aPerson();
    expect((await market.post(person)).status).toBe(201);
    expect(steps).toEqual(['reserve', 'claimed']);
    steps = [];
    expect((await market.post(person)).data).toMatchObject({ status: 'DUPLICATE' });
    expect(steps).toEqual(['reserve', 'claimed', 'release']);
    expect(await market.cap('only')).toMatchObject({ total: { count: 1 }, held: [] });
    expect(market.sentTo('only')).toHaveLength(1);
  });

  it.each([
    ['the buyer', { buyers: { only: { caps: { total_cap: 1 } } } }],
    ['the supplier', { supplier: { caps: { total_cap: 1 } } }],
    ['the campaign', { campaign: { caps: { total_cap: 1 } } }],
  ])('waits for the claims where %s has a cap: a duplicate takes no room', async (_, spec) => {
    const market = await testbed.market(spec);
    const person = aPerson();
    expect((await market.post(person)).status).toBe(201);
    expect(steps[0]).toBe('claimed');
    steps = [];
    expect((await market.post(person)).data).toMatchObject({ status: 'DUPLICATE' });
    expect(steps).toEqual(['claimed']);
  });

  it('waits for the claims where buyers take turns', async () => {
    const market = await testbed.market({
      campaign: { distribution_method: 'ROUND_ROBIN' },
      buyers: { first: {}, second: {} },
    });
    expect((await market.post(aPerson())).status).toBe(201);
    expect(steps).toEqual(['claimed', 'reserve']);
  });
});
