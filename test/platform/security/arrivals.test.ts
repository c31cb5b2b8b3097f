import { describe, expect, it } from '@jest/globals';
import { createArrivals } from '../../../src/platform/security/witness.js';

const KEY = { actor: 'api_key', org_id: 'org-1', id: 'key-1' } as const;
const DAY_MS = 86_400_000;

describe('the arrival of a caller', () => {
  it('is new once a day for each address', () => {
    let now = 0;
    const arrivals = createArrivals(() => now);
    expect(arrivals.isNew(KEY, '192.0.2.1')).toBe(true);
    expect(arrivals.isNew(KEY, '192.0.2.1')).toBe(false);
    expect(arrivals.isNew(KEY, '192.0.2.2')).toBe(true);
    expect(arrivals.isNew({ ...KEY, id: 'key-2' }, '192.0.2.1')).toBe(true);
    expect(arrivals.isNew({ ...KEY, actor: 'buyer' }, '192.0.2.1')).toBe(true);
    now = DAY_MS - 1;
    expect(arrivals.isNew(KEY, '192.0.2.1')).toBe(false);
    now = DAY_MS;
    expect(arrivals.isNew(KEY, '192.0.2.1')).toBe(true);
  });

  it('is forgotten after many other arrivals, and memory is bounded', () => {
    const arrivals = createArrivals();
    arrivals.isNew(KEY, 'first');
    for (let n = 0; n < 50_000; n += 1) arrivals.isNew(KEY, `address ${n}`);
    expect(arrivals.isNew(KEY, 'address 49999')).toBe(false);
    expect(arrivals.isNew(KEY, 'first')).toBe(true);
  });
});
