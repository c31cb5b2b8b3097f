/** What a viewer reads about a lead: why it went where it went, and nothing about its person. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ActionName } from '../../src/api/actions/names.js';
import type { OrgRole } from '../../src/people/types.js';
import { packPlan } from '../../src/account/store/planPacking.js';
import { aBuyer, aPlan } from '../support/builders.js';
import { signInMember } from '../support/portal.js';
import { aLead, aRow, NOW } from '../support/storedRows.js';
import { startConsole, type ConsoleServer } from './consoleServer.js';

/** Values that are the person's, or that people wrote about it. */
const SECRETS = [
  'Jane',
  'Doe',
  '+15550100',
  'jane@doe.example',
  '94110',
  'blue roof',
  'known here',
];

describe('a viewer', () => {
  let place: ConsoleServer;
  const lead_id = 'lead-of-jane';
  beforeAll(async () => {
    place = await startConsole({ name: 'Org' });
    const { database, org_id } = place;
    const { plans, leads, deliveries } = database.collections;
    const plan = aPlan({
      _id: 'campaign:1',
      org_id,
      campaign_id: 'campaign',
      buyers: [
        aBuyer({ buyer_id: 'buyer', name: 'North' }),
        aBuyer({ buyer_id: 'b2', name: 'South' }),
      ],
    });
    await plans.insertOne(packPlan(plan));
    const fields = {
      first_name: 'Jane',
      last_name: 'Doe',
      phone: '+15550100',
      email: 'jane@doe.example',
      state: 'CA',
      zip_code: '94110',
    };
    const delivery = { step: 'delivery' as const, at: NOW };
    await leads.insertOne(
      aLead({
        _id: lead_id,
        org_id,
        status: 'ACCEPTED',
        fields,
        extra: { wish: 'blue roof' },
        keys: ['phone:+15550100', 'email:jane@doe.example'],
        sales: [
          { buyer_id: 'buyer', attempt: 2, price: 10e6, cost: 0, at: NOW, note: 'Jane bought' },
        ],
        trail: [
          { at: NOW, step: 'filters', result: 'passed', detail: { values: { zip_code: '94110' } } },
          { ...delivery, result: 'rejected', buyer_id: 'b2', reason: 'Jane is known here' },
          { ...delivery, result: 'accepted', buyer_id: 'buyer', reason: 'welcome, Jane' },
        ],
      }),
    );
    const known = {
      lead_id,
      org_id,
      reason: 'Jane is known here',
      excerpt: 'hello Jane',
      reference: 'DOE-1',
    };
    await deliveries.insertOne(aRow({ ...known, n: 1, buyer_id: 'b2', state: 'rejected' }));
    await deliveries.insertOne(aRow({ ...known, n: 2, state: 'accepted' }));
  });
  afterAll(async () => {
    await place.server.close(0);
    await place.database.drop();
  });

  const run = async (role: OrgRole, action: ActionName, input: object) => {
    const scope = { kind: 'organization' } as const;
    const who = await signInMember(place.database.collections, {
      org_id: place.org_id,
      scope,
      role,
    });
    const answer = await fetch(
      `${place.server.url}/console/api/${who.membership_id}/actions/${action}`,
      {
        method: 'POST',
        headers: {
          cookie: who.cookie,
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
        },
        body: JSON.stringify(input),
      },
    );
    const text = await answer.text();
    const { data } = JSON.parse(text) as { data: Record<string, unknown> };
    return { status: answer.status, text, data };
  };

  it.each([
    ['get_lead', { lead_id, include_trail: true, include_related: true }],
    ['explain_lead', { lead_id }],
    ['explain_lead', { lead_id, buyer_id: 'b2' }],
    ['get_delivery', { delivery_id: `${lead_id}:1` }],
    ['list_deliveries', { lead_id }],
    ['list_returns', { lead_id }],
  ] as [ActionName, object][])(
    'gets %s with %j without a byte of its person',
    async (action, input) => {
      const viewer = await run('viewer', action, input);
      expect(viewer.status).toBe(200);
      for (const secret of SECRETS)
        expect([secret, viewer.text.includes(secret)]).toEqual([secret, false]);
      const { auditReads } = place.database.collections;
      const before = await auditReads.countDocuments({ action });
      const analyst = await run('analyst', action, input);
      expect(analyst.status).toBe(200);
      expect(Object.keys(viewer.data)).toEqual(Object.keys(analyst.data));
      if (action !== 'list_returns') expect(analyst.text).toContain('Jane');
      expect(await auditReads.countDocuments({ action })).toBe(before + 1);
    },
  );

  it('reads in words why each buyer has it or not', async () => {
    const { data } = await run('viewer', 'explain_lead', { lead_id });
    expect(data).toMatchObject({
      headline: 'Sold to North for $10.00.',
      summary: null,
      buyers: [
        { name: 'North', verdict: 'sold', short: 'bought it', text: null },
        { name: 'South', verdict: 'refused', short: 'refused it', reason: null },
      ],
      steps: [{ step: 'filters' }, { result: 'rejected', buyer_name: 'South' }, { text: null }],
    });
  });

  it('is refused what is about people alone', async () => {
    for (const action of ['get_lead_distribution_trail', 'get_consent_record'] as const)
      expect((await run('viewer', action, { lead_id })).status).toBe(403);
  });
});
