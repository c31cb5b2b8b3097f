/** A process that stops has written when the keys of suppliers were last used. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { hashKey } from '../../src/platform/security/keys.js';
import { startTestbed, type Testbed } from '../support/testbed.js';

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed({ own: true });
});
afterAll(() => testbed.stop());

it('the use of a key is recorded when its process stops', async () => {
  const begun = Date.now();
  const market = await testbed.market({ buyers: { only: {} } });
  expect((await market.post()).status).toBe(201);
  const key = { _id: hashKey(market.account.suppliers[0]?.key ?? '') };
  const used = async () => {
    const found = await testbed.collections.apiKeys.findOne(key);
    return found?.kind === 'supplier' ? found.last_used_at : null;
  };
  expect(await used()).toBeUndefined();
  await testbed.service.stop();
  expect(Number(await used())).toBeGreaterThanOrEqual(begun);
});
