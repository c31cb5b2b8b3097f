/** Changes that a partner requests, and their results. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createChangeRequest, withdrawChangeRequest } from '../../src/portal/changeRequests.js';
import { settleApproved } from '../../src/portal/repair/changes.js';
import { resolveChangeRequest } from '../../src/portal/resolveChange.js';
import { termChanges } from '../../src/portal/rules/changedTerms.js';
import type { AskedChange } from '../../src/portal/askedTerms.js';
import type { ChangePerson } from '../../src/portal/store/changeRequestDocs.js';
import { createLog } from '../../src/lib/log.js';
import { systemClock } from '../../src/lib/clock.js';
import { keyring } from '../account/values.js';
import { setUp, startActionsApi, type ActionsApi, type Org } from '../support/api.js';

const PAT = { kind: 'person', id: 'per_pat', name: 'Pat Partner' } as const;
const ada = (n = 1): ChangePerson => ({ kind: 'person', id: `per_ada_${n}`, name: `Ada ${n}` });

describe('change requests', () => {
  let api: ActionsApi;
  beforeAll(async () => {
    api = await startActionsApi();
  });
  afterAll(() => api.stop());

  const deps = () => ({
    collections: api.collections,
    keyring,
    policy: { allowPrivate: true },
    clock: systemClock,
  });

  async function place() {
    const org: Org = await api.org();
    const { campaign, buyer } = await setUp(api, org);
    const party = { side: 'buyer', party_id: buyer.id } as const;
    const named = { org_id: org.id, party, campaign_id: campaign.id };
    const ask = (asked: AskedChange, more: object = {}) =>
      createChangeRequest({ ...named, asked, reason: null, by: PAT, ...more }, deps());
    const decide = (id: string, by = ada(), result: 'approve' | 'refuse' = 'approve') =>
      resolveChangeRequest({ org_id: org.id, id, result, note: null, by }, deps());
    const link = () => api.collections.campaignBuyers.findOne({ campaign_id: campaign.id });
    const change = (terms: object) =>
      api.done(org, 'update_campaign_buyer', {
        campaign_id: campaign.id,
        buyer_id: buyer.id,
        ...terms,
      });
    const stored = (_id: string) => api.collections.changeRequests.findOne({ _id });
    return { org, campaign, buyer, party, ask, decide, link, change, stored };
  }

  it('show each term as it was and as it is wanted', async () => {
    const { ask } = await place();
    const request = await ask({ price: 20, caps: { daily_cap: 50 }, states: ['ca', 'tx'] });
    expect(request).toMatchObject({ state: 'pending', requested_by: PAT });
    expect(termChanges(request.before, request.after)).toEqual([
      { name: 'price', before: 25.5, after: 20 },
      { name: 'states', before: ['CA'], after: ['CA', 'TX'] },
      { name: 'daily_cap', before: 100, after: 50 },
    ]);
  });

  it('change nothing until they are approved, and then all terms as one new version', async () => {
    const { ask, decide, link, campaign } = await place();
    const request = await ask({ price: 20, caps: { daily_cap: 50, total_budget: null } });
    expect(await link()).toMatchObject({ price: 25_500_000, caps: { daily_cap: 100 } });
    const done = await decide(request._id);
    expect(done).toMatchObject({ state: 'approved', resolved_by: ada() });
    expect(done.owed).toBeUndefined();
    expect(await link()).toMatchObject({ price: 20_000_000, caps: { daily_cap: 50 } });
    const version = request.base_version + 1;
    const plan = await api.collections.plans.findOne({ _id: `${campaign.id}:${version}` });
    expect(plan?.version).toBe(version);
  });

  it('replace the caps of weekdays as a whole, and leave the other limits', async () => {
    const { ask, decide, change, link } = await place();
    await change({ hourly_cap: 9, daily_caps: { tue: 3 } });
    const request = await ask({ caps: { daily_caps: { mon: 5, sun: null } } });
    expect(termChanges(request.before, request.after)).toEqual([
      { name: 'daily_caps', before: { tue: 3 }, after: { mon: 5 } },
    ]);
    await decide(request._id);
    const caps = { hourly_cap: 9, daily_cap: 100, total_budget: 900_250_000 };
    expect((await link())?.caps).toEqual({ ...caps, daily_caps: { mon: 5 } });
  });

  it('wait in a number of at most 50, and one that waits already is none more', async () => {
    const { ask, stored } = await place();
    const first = await ask({ price: 20 });
    const copies = Array.from({ length: 48 }, (_, n) => ({ ...first, _id: `${first._id}-${n}` }));
    await api.collections.changeRequests.insertMany(
      copies.map((one, n) => ({ ...one, after: { price: 30_000_000 + n } })),
    );
    const last = await ask({ price: 21 });
    await expect(ask({ price: 22 })).rejects.toMatchObject({
      message: expect.stringContaining('At most 50 requests can be pending.') as unknown,
    });
    expect((await ask({ price: 21 }))._id).toBe(last._id);
    expect(await stored(last._id)).toMatchObject({ state: 'pending' });
  });

  it('leave the terms unchanged when they are refused', async () => {
    const { ask, decide, link } = await place();
    const request = await ask({ price: 20 });
    expect(await decide(request._id, ada(), 'refuse')).toMatchObject({ state: 'refused' });
    expect(await link()).toMatchObject({ price: 25_500_000 });
  });

  it('are approved only with campaigns:write; refusing them needs portal:write alone', async () => {
    const { ask, org, link, stored } = await place();
    const request = await ask({ price: 20 });
    const key = await org.key(['portal:read', 'portal:write']);
    const resolve = (result: string) =>
      api.call(key, 'resolve_change_request', { request_id: request._id, result });
    const denied = await resolve('approve');
    expect([denied.status, denied.json?.error, denied.json?.required]).toEqual([
      403,
      'forbidden',
      'campaigns:write',
    ]);
    expect(await stored(request._id)).toMatchObject({ state: 'pending' });
    expect(await link()).toMatchObject({ price: 25_500_000 });
    expect((await resolve('refuse')).status).toBe(200);
    expect(await stored(request._id)).toMatchObject({ state: 'refused' });
  });

  it('are stale when one of their terms was changed, and never approved after that', async () => {
    const { ask, decide, change, link, stored } = await place();
    const request = await ask({ price: 20, states: ['TX'] });
    await change({ price: 26 });
    await expect(decide(request._id)).rejects.toMatchObject({ code: 'version_conflict' });
    expect(await stored(request._id)).toMatchObject({ state: 'stale' });
    await change({ price: 25.5 });
    await expect(decide(request._id)).rejects.toMatchObject({ code: 'action_refused' });
    expect(await link()).toMatchObject({ states: ['CA'] });
  });

  it('stay valid when another term was changed', async () => {
    const { ask, decide, change, link } = await place();
    const request = await ask({ price: 20 });
    await change({ daily_cap: 7 });
    expect(await decide(request._id)).toMatchObject({ state: 'approved' });
    expect(await link()).toMatchObject({ price: 20_000_000, caps: { daily_cap: 7 } });
  });

  it('are decided by one of many people at once; the others receive the name of that person', async () => {
    const { ask, decide, stored, campaign } = await place();
    const request = await ask({ price: 20 });
    const people = Array.from({ length: 10 }, (_, n) => ada(n));
    const said = await Promise.allSettled(
      people.map((one, n) => decide(request._id, one, n % 2 ? 'approve' : 'refuse')),
    );
    const decided = said.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(decided).toHaveLength(1);
    const winner = (await stored(request._id))?.resolved_by?.name ?? 'nobody';
    for (const one of said)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({
          code: 'action_refused',
          message: expect.stringContaining(winner),
        });
    const versions = await api.collections.plans.countDocuments({ campaign_id: campaign.id });
    expect(versions - request.base_version).toBe(decided[0]?.state === 'approved' ? 1 : 0);
  });

  it('return the same decision to a person who repeats it', async () => {
    const { ask, decide } = await place();
    const request = await ask({ price: 20 });
    const first = await decide(request._id);
    expect(await decide(request._id)).toEqual(first);
    await expect(decide(request._id, ada(), 'refuse')).rejects.toMatchObject({
      code: 'action_refused',
    });
  });

  it('are finished by reconcile, in the name of the approver, when a process died', async () => {
    const { ask, link, stored, campaign } = await place();
    const request = await ask({ price: 20 });
    const long = new Date(Date.now() - 60_000);
    const approved = {
      state: 'approved',
      owed: true,
      resolved_by: ada(),
      resolved_at: long,
    } as const;
    await api.collections.changeRequests.updateOne({ _id: request._id }, { $set: approved });
    const repair = { ...deps(), log: createLog('silent', 'test') };
    expect(await settleApproved(repair)).toBe(1);
    expect(await link()).toMatchObject({ price: 20_000_000, agreed_by: request._id });
    expect((await stored(request._id))?.owed).toBeUndefined();
    const newest = await api.collections.plans.findOne(
      { campaign_id: campaign.id },
      { sort: { version: -1 } },
    );
    expect(newest?.published).toMatchObject({ person: { id: 'per_ada_1', name: 'Ada 1' } });
    expect(await settleApproved(repair)).toBe(0);
  });

  it('are not undone when the terms were changed between the change and a crash', async () => {
    const { ask, decide, link, stored, change } = await place();
    const request = await ask({ price: 20 });
    await decide(request._id);
    await change({ price: 22 });
    const long = new Date(Date.now() - 60_000);
    await api.collections.changeRequests.updateOne(
      { _id: request._id },
      { $set: { owed: true, resolved_at: long } },
    );
    await settleApproved({ ...deps(), log: createLog('silent', 'test') });
    expect(await link()).toMatchObject({ price: 22_000_000 });
    expect(await stored(request._id)).toMatchObject({ state: 'approved' });
  });

  it('are pending again when the campaign no longer accepts the requested terms', async () => {
    const { ask, decide, stored, org, campaign } = await place();
    await api.done(org, 'add_campaign_fields', {
      campaign_id: campaign.id,
      fields: [{ name: 'roof_age', type: 'number' }],
    });
    const request = await ask({ filters: [{ field: 'roof_age', operator: '>', value: 5 }] });
    const { campaigns } = api.collections;
    await campaigns.updateOne(
      { _id: campaign.id },
      {
        $pull: { fields: { name: 'roof_age' } },
      },
    );
    await expect(decide(request._id)).rejects.toMatchObject({ code: 'validation_failed' });
    const left = await stored(request._id);
    expect(left).toMatchObject({ state: 'pending' });
    expect(left?.resolved_by).toBeUndefined();
  });

  it('pause a buyer as a whole', async () => {
    const { ask, decide, buyer } = await place();
    const request = await ask({ status: 'paused' }, { campaign_id: undefined });
    expect(request.campaign_id).toBeNull();
    await decide(request._id);
    expect(await api.collections.buyers.findOne({ _id: buyer.id })).toMatchObject({
      status: 'paused',
    });
  });

  it('are one request when the same terms are requested twice', async () => {
    const { ask } = await place();
    expect((await ask({ price: 20 }))._id).toBe((await ask({ price: 20 }))._id);
    expect((await ask({ price: 21 }))._id).not.toBe((await ask({ price: 20 }))._id);
  });

  it('are withdrawn by their partner alone, until they are decided', async () => {
    const { ask, decide, party, org } = await place();
    const request = await ask({ price: 20 });
    const other = await place();
    const back = (one: typeof party, org_id = org.id) =>
      withdrawChangeRequest({ org_id, party: one, id: request._id, by: PAT }, deps());
    await expect(back(other.party)).rejects.toMatchObject({ code: 'not_found' });
    await expect(back(other.party, other.org.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await back(party)).toMatchObject({ state: 'withdrawn' });
    expect(await back(party)).toMatchObject({ state: 'withdrawn' });
    await expect(decide(request._id)).rejects.toMatchObject({ code: 'action_refused' });
  });

  it('name the term that is not valid, and refuse what changes nothing', async () => {
    const { ask } = await place();
    await expect(ask({ states: ['California'] })).rejects.toMatchObject({
      code: 'validation_failed',
      extras: { field_errors: [{ field: 'states' }] },
    });
    await expect(ask({ price: 25.5 })).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(ask({ price: 20 }, { version: 1 })).rejects.toMatchObject({
      code: 'version_conflict',
    });
  });
});
