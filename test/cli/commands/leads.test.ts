/** The decisions on leads as an operator asks for them, on a running service. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestbed, type Market, type Testbed } from '../../support/testbed.js';
import { runCli, type Ended } from '../../support/cli.js';

describe('leadwire operator leads', () => {
  let testbed: Testbed;
  let market: Market;
  let lead: string;
  beforeAll(async () => {
    testbed = await startTestbed();
    market = await testbed.market({
      buyers: { full: { caps: { daily_cap: 0 } }, wants: { price: 7 } },
    });
    lead = (await market.post()).data?.id ?? '';
  });
  afterAll(() => testbed.stop());

  const run = (...args: string[]): Promise<Ended> => {
    const { mongodbUri, database } = testbed.stack;
    const env = { NO_COLOR: '1', MONGODB_URI: mongodbUri, MONGODB_DATABASE: database };
    return runCli(['operator', 'leads', ...args], env);
  };

  it('prints the steps of a lead, with buyers by name and the values that were compared', async () => {
    const { code, stdout, stderr } = await run('trail', lead);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Lead \S+ is ACCEPTED, decided by version \d+ of its campaign\.\n$/);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^At +Step +Result +Buyer +Reason +Seen$/);
    expect(stdout).toMatch(/caps +full +full +buyer_cap +\{"limit":"daily_cap","allowed":0,/);
    expect(lines.at(-1)).toMatch(/ closing +ACCEPTED +wants/);
  });

  it('prints all of it as JSON', async () => {
    const { stdout } = await run('trail', lead, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      lead_id: lead,
      status: 'ACCEPTED',
      trail: (await testbed.lead(lead)).trail.map(({ step, result }) => ({ step, result })),
    });
  });

  it('says that there is no such lead', async () => {
    const unknown = 'no-such-lead';
    for (const args of [
      ['trail', unknown],
      ['replay', '--lead', unknown],
    ]) {
      expect(await run(...args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `Error: There is no lead ${unknown}.\n`,
      });
    }
  });

  it('decides stored leads again, and fails when a result differs', async () => {
    const other = (await market.post()).data?.id ?? '';
    expect(await run('replay')).toMatchObject({
      code: 0,
      stdout: '2 leads decided again: 2 the same, 0 not.\n',
    });
    const { leads } = testbed.collections;
    await leads.updateOne({ _id: other }, { $set: { 'trail.1.result': 'failed' } });
    const { code, stdout } = await run('replay', '--campaign', market.account.campaignId, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      replayed: 2,
      equal: 1,
      differs: 1,
      trimmed: 0,
      differing: [{ leadId: other, verdict: { index: 1, stored: { result: 'failed' } } }],
    });
    expect((await run('replay', '--lead', lead)).code).toBe(0);
  });
});
