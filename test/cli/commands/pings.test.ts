/** Pings from the command line while the service runs. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOrgKey, permissionsOf } from '../../../src/account/keys/keys.js';
import { failed, runCli } from '../../support/cli.js';
import { startTestbed, type Market, type Testbed } from '../../support/testbed.js';
import { aPerson } from '../../support/supplier.js';
import { accountOf } from '../../support/org.js';

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed();
});
afterAll(() => testbed.stop());

async function keyOf({ account }: Market): Promise<string> {
  const input = { name: 'Operator', permissions: permissionsOf('write') };
  return (await createOrgKey(accountOf(testbed, account.orgId), input)).api_key;
}

const run = (args: string[], extra: Record<string, string>) =>
  runCli(args, { HOME: '/nowhere', LEADWIRE_URL: testbed.url, ...extra });

describe('leadwire ping', () => {
  const asked = async () => {
    const campaign = { routing_method: 'PING_POST', status: 'ACTIVE' } as const;
    const buyers = { best: { price: 40 }, other: { price: 10 } };
    const pinged = await testbed.market({ campaign, buyers });
    const { campaignId, suppliers } = pinged.account;
    const args = ['ping', campaignId, '--supplier-id', suppliers[0]?.id ?? ''];
    const environment = { LEADWIRE_SUPPLIER_KEY: suppliers[0]?.key ?? '' };
    return {
      ids: pinged.account.buyers,
      sentTo: pinged.sentTo,
      key: await keyOf(pinged),
      ping: (...more: string[]) => run([...args, ...more], environment),
    };
  };

  it('shows the bids side by side, and posts the lead to them', async () => {
    const { ids, ping, sentTo, key } = await asked();
    const person = aPerson();
    const told = Object.entries(person).flatMap(([name, value]) => [
      '--lead-field',
      `${name}=${value}`,
    ]);
    const state = ['--field', 'state=CA'];
    const { code, stdout } = await ping(...state, '--post', ...told, '--exit-status');
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^2 bids until \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}\(200, \d+ ms\)$/);
    expect(lines[1]).toMatch(new RegExp(`^  1  ${ids.best} +█+ +\\S+$`));
    expect(lines[2]).toMatch(new RegExp(`^  2  ${ids.other} `));
    expect(lines[3]).toMatch(/^ping_id eyJ/);
    expect(lines[4]).toMatch(/^ACCEPTED (?:delivered|pending) {2}lead \S+ {2}\(201, \d+ ms\)$/);
    expect(sentTo('best')).toHaveLength(1);
    const token = lines[3]?.replace('ping_id ', '') ?? '';
    const shown = await run(['pings', 'get', token, '--json', 'state'], { LEADWIRE_API_KEY: key });
    expect(JSON.parse(shown.stdout)).toEqual({ state: 'redeemed' });
  });

  it('prints ping and lead as JSON, and posts nothing without a bid', async () => {
    const { ping, sentTo, ids } = await asked();
    const one = await ping('--json', '--field', 'state=CA');
    expect(JSON.parse(one.stdout)).toMatchObject({
      http_status: 200,
      answer: { accepted: true, buyers: [{ buyer_id: ids.best }, {}] },
    });
    // Test leads are for buyers in test mode, and there are none.
    const nobody = await ping('--json', '--test', '--post');
    expect(nobody.code).toBe(1);
    expect(JSON.parse(nobody.stdout)).toMatchObject({
      ping: { answer: { accepted: false, reason: 'no_buyer' } },
      lead: null,
    });
    const told = await ping('--test');
    expect([told.code, told.stdout]).toEqual([
      0,
      expect.stringMatching(/^no_buyer {2}No buyer bids/),
    ]);
    expect([sentTo('best'), sentTo('other')]).toEqual([[], []]);
  });

  it('reports invalid fields, and refuses options of the lead without --post', async () => {
    const { ping } = await asked();
    const wrong = await ping('--field', 'state=Nowhere');
    expect([wrong.code, wrong.stdout]).toEqual([
      1,
      expect.stringMatching(/^validation_failed .*\n {2}state {2}/),
    ]);
    const left = await ping('--buyer-id', 'b');
    expect(left).toEqual(
      failed(1, 'Error: --buyer-id is for the lead: add --post to post it, too.\n'),
    );
  });
});
