import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ensureDemoAccount } from '../../src/demo/account.js';
import { ensureDemoFunnel } from '../../src/demo/funnel.js';
import { unpublishFunnel } from '../../src/funnels/publish.js';
import { systemClock } from '../../src/lib/clock.js';
import { keyring } from '../account/values.js';
import { openDatabase } from '../support/database.js';

let database: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.drop());

describe('the demo funnel', () => {
  it('is published once, found again, and stays offline when an operator takes it offline', async () => {
    const { collections } = database;
    const policy = { allowPrivate: true };
    const account = await ensureDemoAccount(
      { collections, keyring, policy },
      (name) => `http://127.0.0.1:4000/${name}`,
      null,
    );
    const deps = { collections, clock: systemClock };
    const slug = await ensureDemoFunnel(deps, account);
    expect(await ensureDemoFunnel(deps, account)).toBe(slug);
    const [funnel, ...others] = await collections.funnels.find().toArray();
    expect(others).toEqual([]);
    expect(funnel).toMatchObject({
      slug,
      status: 'published',
      published_version: 1,
      campaign_id: account.campaigns.direct,
      supplier_id: account.suppliers.web.id,
    });
    await unpublishFunnel(collections, account.org_id, funnel?._id ?? '', {
      clock: systemClock,
      ownOrigin: false,
    });
    expect(await ensureDemoFunnel(deps, account)).toBeNull();
  });
});
