/** Groups whose workflow is started while their account is checked, and of which no lead is stored. */
import { MongoNetworkError } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { updateCampaign } from '../../src/account/campaigns/campaigns.js';
import { createFirstRun } from '../../src/distribution/firstRun.js';
import { systemClock } from '../../src/lib/clock.js';
import type { ProcessResult } from '../../workflows/messages.js';
import { createAccount, type TestAccount } from '../support/account.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { intakeBed, type IntakeBed, type IntakeBedOptions } from './intakeBed.js';

const NO_LEADS: ProcessResult = { verdicts: [], open: [], dueInMs: 0 };

describe('a group whose workflow is started before its account is checked', () => {
  let service: ServiceBed;
  let account: TestAccount;
  const beds: IntakeBed[] = [];
  /** What the workflow of each group gets. */
  let results: Promise<ProcessResult>[];

  beforeAll(async () => {
    service = await startServiceBed();
  });
  beforeEach(async () => {
    account = await createAccount(service, { buyers: {} });
    results = [];
  });
  afterAll(async () => {
    beds.forEach((one) => one.close());
    await service.stop();
  });

  const open = (options: Partial<IntakeBedOptions>) => {
    const bed = intakeBed(service, account, {
      decide: () => Promise.reject(new Error('It must not come to this.')),
      firstRun: () =>
        createFirstRun(systemClock, (result) => {
          results.push(result);
          return Promise.resolve();
        }),
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
        await updateCampaign(service.collections, orgId, campaignId, { status: 'PAUSED' });
      },
    });
    await expect(submit()).rejects.toMatchObject({ status: 403 });
    expect(await Promise.all(results)).toEqual([NO_LEADS]);
    expect(await leads()).toBe(0);
  });

  it('ends its workflow when the database fails before anything is stored', async () => {
    const lost = () => Promise.reject(new MongoNetworkError('connection 7 to 127.0.0.1 closed'));
    const { submit } = open({ keys: { claim: lost } });
    await expect(submit()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await Promise.all(results)).toEqual([NO_LEADS]);
    expect(await leads()).toBe(0);
  });

  it('starts no workflow before it has claimed an Idempotency-Key', async () => {
    const { submit } = open({});
    await expect(submit('k1')).rejects.toMatchObject({ code: 'unavailable' });
    expect(results).toEqual([]);
  });
});
