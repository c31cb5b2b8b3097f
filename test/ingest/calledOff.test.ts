/** Groups whose workflow is started while their account is checked, and of which no lead is stored. */
import { accountOf } from '../support/org.js';
import { MongoNetworkError } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { updateCampaign } from '../../src/account/campaigns/campaigns.js';
import { createLeadStore } from '../../src/leads/store/leads.js';
import type { ProcessResult } from '../../workflows/messages.js';
import { createAccount, type TestAccount } from '../support/account.js';
import { aPing } from '../support/pings.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { aPerson } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';
import { intakeBed, type IntakeBed, type IntakeBedOptions } from './intakeBed.js';

const NO_LEADS: ProcessResult = { verdicts: [], open: [], dueInMs: 0 };

describe('a group whose workflow is started before its account is checked', () => {
  let service: ServiceBed;
  let account: TestAccount;
  const beds: IntakeBed[] = [];
  /** What the workflow of each group gets. */
  let results: Promise<ProcessResult>[];
  /** No workflow can be started. */
  let isAway: boolean;

  beforeAll(async () => {
    service = await startServiceBed();
  });
  beforeEach(async () => {
    account = await createAccount(service, { buyers: {} });
    [results, isAway] = [[], false];
  });
  afterAll(async () => {
    beds.forEach((one) => one.close());
    await service.stop();
  });

  const open = (options: Partial<IntakeBedOptions>) => {
    const bed = intakeBed(service, account, {
      here: {
        localRuns: { expect: (_id, result) => void results.push(result) },
        startHere(_leads, _withinMs, onId) {
          onId('intake-1');
          return isAway ? Promise.reject(new Error('Temporal is away')) : Promise.resolve();
        },
      },
      // The process holds tokens: the account is read when the lead is about to be stored, not when a token is drawn.
      limiter: { beginsDraw: () => false },
      ...options,
    });
    beds.push(bed);
    return bed;
  };
  const leads = () => service.collections.leads.countDocuments({ org_id: account.orgId });

  it('ends its workflow when the account accepts none of its leads any more', async () => {
    const { orgId, campaignId } = account;
    const { submit } = open({
      async onAdmit() {
        await updateCampaign(accountOf(service, orgId), campaignId, { status: 'PAUSED' });
      },
    });
    await expect(submit()).rejects.toMatchObject({ status: 403 });
    expect(await Promise.all(results)).toEqual([NO_LEADS]);
    expect(await leads()).toBe(0);
  });

  it.each([
    ['ends its workflow, and is refused,', undefined, 'open'],
    ['starts it with the ping redeemed, where a lead has a key,', 'k1', 'redeemed'],
  ])('%s when its campaign begins to require pings', async (_, key, state) => {
    const { orgId, campaignId } = account;
    const ping = await aPing(service, account, { bidders: { b: { price: 2, bid: 1 } } });
    const { submit } = open({
      async onAdmit() {
        const routing_method = 'PING_POST';
        await updateCampaign(accountOf(service, orgId), campaignId, { routing_method });
      },
    });
    const answer = submit(key, { ...aPerson(), ...ping.body });
    if (key) expect(await answer).toMatchObject({ status: 200 });
    else await expect(answer).rejects.toMatchObject({ code: 'unavailable' });
    expect(await service.collections.pings.findOne({ _id: ping.id })).toMatchObject({ state });
    if (!key) expect(await Promise.all(results)).toEqual([NO_LEADS]);
    expect(await leads()).toBe(key ? 1 : 0);
  });

  it('starts none for a request that repeats an earlier one', async () => {
    const person = aPerson();
    const first = await open({}).submit('k2', person);
    const again = await open({}).submit('k2', person);
    expect(again).toMatchObject({ leadId: first.leadId, replayed: true });
    expect(results).toHaveLength(1);
    expect(await leads()).toBe(1);
  });

  it('ends its workflow when the database fails before anything is stored', async () => {
    const lost = () => Promise.reject(new MongoNetworkError('connection 7 to 127.0.0.1 closed'));
    const { submit } = open({ keys: { claim: lost } });
    await expect(submit()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await Promise.all(results)).toEqual([NO_LEADS]);
    expect(await leads()).toBe(0);
  });

  it('withdraws its leads later when the database fails before it can withdraw them', async () => {
    const lost = () => Promise.reject(new MongoNetworkError('connection 7 to 127.0.0.1 closed'));
    const store = createLeadStore(service.collections.leads);
    let isLost = true;
    isAway = true;
    const { submit } = open({
      leads: {
        withdrawCalledOff: (...docs) => (isLost ? lost() : store.withdrawCalledOff(...docs)),
      },
    });
    await expect(submit()).rejects.toMatchObject({ code: 'outcome_unknown' });
    const statusOf = () => service.collections.leads.distinct('status', { org_id: account.orgId });
    expect(await statusOf()).toEqual(['NEW']);
    isLost = false;
    await waitFor(async () => (await statusOf())[0] === 'WITHDRAWN', {
      message: 'the lead is withdrawn',
    });
    expect(await Promise.all(results)).toEqual([NO_LEADS]);
  });
});
