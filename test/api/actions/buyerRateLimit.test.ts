/** The rate limit for a buyer's outcomes is a setting of the buyer. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startActionsApi, type ActionsApi } from '../../support/api.js';

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi();
});
afterAll(() => api.stop());

describe('rate_limit of a buyer', () => {
  it('is 100 a second until it is set, and absent keys stay unchanged', async () => {
    const org = await api.org();
    const { id: buyer_id } = await api.done<{ id: string }>(org, 'create_buyer', { name: 'A' });
    const shown = async () =>
      (await api.done<{ rate_limit: object }>(org, 'get_buyer', { buyer_id })).rate_limit;
    expect(await shown()).toEqual({ per_second: 100, burst_per_second: 100, burst_seconds: 1 });
    await api.done(org, 'update_buyer', { buyer_id, rate_limit: { burst_per_second: 300 } });
    await api.done(org, 'update_buyer', { buyer_id, rate_limit: { burst_seconds: 5 } });
    expect(await shown()).toEqual({ per_second: 100, burst_per_second: 300, burst_seconds: 5 });
  });

  it('can be set for a new buyer, and is refused when the burst is below the rate', async () => {
    const org = await api.org();
    const rate_limit = { per_second: 7, burst_per_second: 8, burst_seconds: 2 };
    const made = await api.done(org, 'create_buyer', { name: 'A', rate_limit });
    expect(made).toMatchObject({ rate_limit });
    const wrong = { name: 'B', rate_limit: { per_second: 200 } };
    const reply = await api.call(await org.sharedKey(), 'create_buyer', wrong);
    expect(reply).toMatchObject({
      status: 422,
      json: { details: [{ path: 'rate_limit.burst_per_second' }] },
    });
  });
});
