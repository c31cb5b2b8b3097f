/** The posting guide in a supplier's portal: its examples work as they are, once the supplier's key is filled in. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateBuyer } from '../../../../src/account/buyers/buyers.js';
import { getPostingGuide } from '../../../../src/api/partner/supplier/campaigns.js';
import { hasInterpreter, interpret } from '../../../support/interpreters.js';
import { startTestbed, type Market, type Testbed } from '../../../support/testbed.js';
import { codeOf, openSupplier, type SupplierPortal } from './scene.js';
import { accountOf } from '../../../support/org.js';

let testbed: Testbed;
let market: Market;
let portal: SupplierPortal;
beforeAll(async () => {
  testbed = await startTestbed();
  market = await testbed.market({ suppliers: 2 });
  const { orgId, buyers } = market.account;
  const { collections, keyring } = testbed;
  const change = { test_mode: true };
  await updateBuyer(accountOf({ collections, keyring }, orgId), buyers.only ?? '', change);
  portal = await openSupplier(testbed, market);
});
afterAll(() => testbed.stop());

const guide = () =>
  portal.data(getPostingGuide, 'get_posting_guide', { campaign_id: market.account.campaignId });

type Shown = Awaited<ReturnType<typeof guide>>['guide'];
const EXAMPLES: [string, string, string[], (shown: Shown) => string][] = [
  ['curl', 'sh', ['-s'], ({ curl }) => curl.test_lead],
  ['javascript', process.execPath, ['-'], ({ code }) => code.test_lead.javascript],
  ['python', 'python3', ['-'], ({ code }) => code.test_lead.python],
  ['php', 'php', [], ({ code }) => code.test_lead.php],
];

describe('the posting guide of a campaign', () => {
  it("has the supplier's own ids, and no key, which is shown only at its creation", async () => {
    const shown = await guide();
    expect(shown.guide.example).toMatchObject({
      flo_campaign_id: market.account.campaignId,
      flo_supplier_id: portal.supplier_id,
    });
    const key = market.account.suppliers[0]?.key ?? '';
    expect(JSON.stringify(shown)).not.toContain(key);
    for (const heading of ['JavaScript', 'Python', 'PHP'])
      expect(shown.markdown).toContain(`### ${heading}`);
  });

  describe.each(EXAMPLES)('in %s', (_language, command, args, programOf) => {
    const itRuns = hasInterpreter(command) ? it : it.skip;
    itRuns('posts a test lead that is accepted', async () => {
      const key = market.account.suppliers[0]?.key ?? '';
      const program = programOf((await guide()).guide).replaceAll('YOUR_SUPPLIER_API_KEY', key);
      const before = (await market.leads()).length;
      expect((await interpret(command, args, program)).out).toContain('"status":"ACCEPTED"');
      const after = await market.leads();
      expect(after).toHaveLength(before + 1);
      expect(after.at(-1)).toMatchObject({ is_test: true, supplier_id: portal.supplier_id });
    });
  });

  it('does not exist for a campaign that the supplier is not linked to', async () => {
    const other = await testbed.market();
    for (const campaign_id of [other.account.campaignId, 'none'])
      expect(codeOf(await portal.call('get_posting_guide', { campaign_id }))).toEqual([
        404,
        'not_found',
      ]);
  });
});
