/** The account as a whole. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoServerError } from 'mongodb';
import { checkZoneOfDatabase } from '../../../../src/account/orgs.js';
import {
  changeTimeZone,
  finishMoves,
  type FinishDeps,
  type ZoneSteps,
} from '../../../../src/account/timeZone.js';
import { systemClock } from '../../../../src/lib/clock.js';
import { accountOf } from '../../../support/org.js';
import { setUp, startActionsApi, type ActionsApi, type Row } from '../../../support/api.js';

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi();
});
afterAll(() => api.stop());

describe('get_account', () => {
  it('shows the organization, its size, its limits and what the key may do', async () => {
    const org = await api.org();
    const { buyer } = await setUp(api, org);
    await api.done(org, 'archive_buyer', { buyer_id: buyer.id });
    const key = await org.key(['campaigns:read']);
    const { status, json } = await api.call(key, 'get_account');
    expect([status, json?.data]).toEqual([
      200,
      expect.objectContaining({
        id: org.id,
        time_zone: 'America/New_York',
        currency: 'USD',
        counts: {
          campaigns: { ACTIVE: 1 },
          buyers: { archived: 1 },
          suppliers: { active: 1 },
          automations: {},
          keys: 2,
        },
        limits: expect.objectContaining({ calls_per_minute: 120, writes_per_minute: 30 }),
        caller: expect.objectContaining({ kind: 'key', permissions: ['campaigns:read'] }),
      }),
    ]);
  });
});

describe('update_account', () => {
  const errors: unknown[] = [];
  /** Reconcile, later than the last runs by the former zone. @param minutes from now */
  const finish = (
    doing: ZoneSteps,
    minutes = 3,
    monotonic = () => systemClock.monotonic(),
  ): Promise<number> => {
    const clock = { monotonic, now: () => new Date(Date.now() + minutes * 60_000) };
    const log = { error: (...one: unknown[]) => void errors.push(one) };
    return finishMoves(
      { collections: api.collections, clock, log: log as FinishDeps['log'] },
      doing,
    );
  };
  const plansOf = (campaign_id: unknown) =>
    api.collections.plans.countDocuments({ campaign_id } as never);
  const steps = { moveCaps: () => Promise.resolve(), recountReports: () => Promise.resolve() };

  it('tells what a time zone changes before it does, and publishes every campaign', async () => {
    const org = await api.org();
    const { campaign } = await setUp(api, org);
    const input = { time_zone: 'europe/berlin', name: 'Leads GmbH' };
    const dry = await api.done<Row>(org, 'update_account', { ...input, dry_run: true });
    expect(dry).toMatchObject({
      dry_run: true,
      time_zone: 'America/New_York',
      changes: [
        { path: 'name', to: 'Leads GmbH' },
        { path: 'time_zone', from: 'America/New_York', to: 'Europe/Berlin' },
      ],
      effects: [
        {
          what: 'caps',
          text: expect.stringMatching(
            /ends on \w+ \d+, \d+:00 [AP]M instead of \w+ \d+, 12:00 AM \(America\/New_York time\)/,
          ),
        },
        {
          what: 'schedules',
          text: expect.stringMatching(/^It is \w+day,? (at )?\d+:\d\d [AP]M there/),
        },
        { what: 'reports', text: expect.stringContaining('No day has leads yet.') },
      ],
    });
    const made = await api.done<Row>(org, 'update_account', input);
    expect(made).toMatchObject({ name: 'Leads GmbH', time_zone: 'Europe/Berlin', dry_run: false });
    const plan = await api.collections.plans.findOne(
      { campaign_id: campaign.id },
      { sort: { version: -1 } },
    );
    expect(plan).toMatchObject({
      time_zone: 'Europe/Berlin',
      published: { action: 'update_account' },
    });
    // Another move waits until the first has had its last pass.
    const again = await api.call(await org.sharedKey(), 'update_account', { time_zone: 'UTC' });
    expect([again.status, again.json?.error]).toEqual([400, 'version_conflict']);
    const published = await plansOf(campaign.id);
    expect(await finish(steps)).toBe(1);
    // A caller that expects this version meets no other.
    expect(await plansOf(campaign.id)).toBe(published);
    expect((await api.done<Row>(org, 'update_account', { time_zone: 'UTC' })).time_zone).toBe(
      'UTC',
    );
  });

  it('changes nothing where nothing differs, and refuses what is no time zone', async () => {
    const org = await api.org();
    const same = { time_zone: 'America/New_York' };
    expect(await api.done(org, 'update_account', same)).toMatchObject({ changes: [], effects: [] });
    for (const time_zone of ['Mars/Base', '+05:30']) {
      const { status, json } = await api.call(await org.sharedKey(), 'update_account', {
        time_zone,
      });
      expect([status, json?.message]).toEqual([422, expect.stringContaining('IANA name')]);
    }
    const reading = await org.key(['settings:read']);
    expect((await api.call(reading, 'update_account', same)).status).toBe(403);
  });

  it('is finished by reconcile where its process dies at any step', async () => {
    for (const dies of ['moveCaps', 'recountReports'] as const) {
      const org = await api.org();
      const account = accountOf(api, org.id);
      const dying = { ...steps, [dies]: () => Promise.reject(new Error('dies')) };
      await expect(changeTimeZone(account, 'Asia/Tokyo', dying)).rejects.toThrow('dies');
      const done: string[] = [];
      await finish({
        moveCaps: ({ orgId, to }) => Promise.resolve(void done.push(`${orgId} ${to}`)),
        recountReports: (orgId) => Promise.resolve(void done.push(orgId)),
      });
      const move = `${org.id} Asia/Tokyo`;
      expect(done.filter((one) => one.startsWith(org.id))).toEqual([move, move, org.id]);
      const stored = await api.collections.orgs.findOne({ _id: org.id });
      expect([stored?.time_zone, stored?.moving]).toEqual(['Asia/Tokyo', undefined]);
    }
  });

  it('is finished although the move of another account fails, which is tried again later', async () => {
    const [bad, good] = [await api.org(), await api.org()];
    for (const { id } of [bad, good]) await changeTimeZone(accountOf(api, id), 'Asia/Tokyo', steps);
    const tried: string[] = [];
    const failing = {
      ...steps,
      moveCaps: ({ orgId }: { orgId: string }) => {
        tried.push(orgId);
        return orgId === bad.id ? Promise.reject(new Error('dies')) : Promise.resolve();
      },
    };
    expect([await finish(failing), await finish(failing)]).toEqual([1, 0]);
    expect(tried.filter((id) => id === bad.id)).toHaveLength(1);
    expect(errors).toEqual([[expect.objectContaining({ org_id: bad.id }), expect.any(String)]]);
    expect(await finish(steps, 6)).toBe(1);
  });

  it('begins no other account in reconcile once its time is over', async () => {
    for (let n = 0; n < 2; n++)
      await changeTimeZone(accountOf(api, (await api.org()).id), 'Asia/Tokyo', steps);
    let ms = 0;
    expect([await finish(steps, 9, () => (ms += 2_000)), await finish(steps, 9)]).toEqual([1, 1]);
  });

  it('refuses a time zone that the database does not know, before anything is moved', async () => {
    const { id } = await api.org();
    const account = accountOf(api, id);
    await expect(checkZoneOfDatabase(account, 'Mars/Base')).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('"Mars/Base"'),
    });
    await expect(checkZoneOfDatabase(account, 'Asia/Kolkata')).resolves.toBeUndefined();
    const refusal = new MongoServerError({ message: 'unrecognized time zone', code: 40_485 });
    const orgs = Object.create(api.collections.orgs, {
      aggregate: { value: () => ({ toArray: () => Promise.reject(refusal) }) },
    }) as typeof api.collections.orgs;
    const older = { ...account, collections: { ...api.collections, orgs } };
    await expect(changeTimeZone(older, 'Asia/Tokyo', steps)).rejects.toThrow('"Asia/Tokyo"');
    const stored = await api.collections.orgs.findOne({ _id: id });
    expect([stored?.time_zone, stored?.moving]).toEqual(['America/New_York', undefined]);
  });
});
