import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ensureDemoAccount } from '../../src/demo/account.js';
import { ensureDemoFunnel } from '../../src/demo/funnel.js';
import { compileMapping } from '../../src/fields/mapping.js';
import { fromMicros } from '../../src/fields/money.js';
import { unpublishFunnel } from '../../src/funnels/publish.js';
import { readAnswers } from '../../src/funnels/rules/readAnswers.js';
import { bodyOf, type Visit } from '../../src/funnels/submit/visit.js';
import { systemClock } from '../../src/lib/clock.js';
import { findSkipReason } from '../../src/routing/rules/eligibility.js';
import { keyring } from '../account/values.js';
import { openDatabase } from '../support/database.js';

let database: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.drop());

const anAccount = () =>
  ensureDemoAccount(
    { collections: database.collections, keyring, policy: { allowPrivate: true } },
    (name) => `http://127.0.0.1:4000/${name}`,
    null,
  );

describe('the demo funnel', () => {
  it.each([
    ['90210', 'Premier', 42.5],
    ['10001', 'Steady', 27],
    ['98101', 'Open', 8.25],
  ])('sells a lead with the zip code %s to %s, for %s', async (zip_code, buyer, price) => {
    const { collections } = database;
    const account = await anAccount();
    await ensureDemoFunnel({ collections, clock: systemClock }, account);
    const [funnel] = await collections.funnels.find().toArray();
    const plan = await collections.plans.findOne(
      { campaign_id: account.campaigns.direct },
      { sort: { version: -1 } },
    );
    const posted = { full_name: 'Ada Lovelace', phone: '415 555 0134', email: 'a@example.com' };
    const read = readAnswers(
      funnel!.definition,
      Object.fromEntries(
        Object.entries({ ...posted, zip_code }).map(([name, text]) => [`f.${name}`, text]),
      ),
      { fields: plan!.fields, tools: {}, isPingPost: false },
    );
    if (read.kind !== 'lead') throw new Error(read.kind);
    const visit = {
      page: { mode: 'live' },
      posted: { sources: {}, referrer: null, certificates: {} },
      tools: {},
      shown: { funnel, definition: funnel!.definition, fields: plan!.fields },
    };
    const mapped = compileMapping(plan!.fields)(bodyOf(visit as unknown as Visit, read.body));
    if (!mapped.ok) throw new Error('The campaign refuses the lead');
    const lead = { fields: mapped.fields, is_test: false };
    const context = { now: new Date(), timeZone: 'America/New_York', method: 'WATERFALL' } as const;
    const [first] = plan!.buyers
      .filter((terms) => findSkipReason(terms, lead, context) === undefined)
      .toSorted((a, b) => (a.priority ?? 99) - (b.priority ?? 99));
    expect(first?.name).toContain(buyer);
    expect(fromMicros(first?.price ?? 0)).toBe(price);
  });

  it('is published once, found again, and stays offline when an operator takes it offline', async () => {
    const { collections } = database;
    const account = await anAccount();
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
    const context = { collections, orgId: account.org_id, clock: systemClock };
    await unpublishFunnel(context, funnel?._id ?? '');
    expect(await ensureDemoFunnel(deps, account)).toBeNull();
  });
});
