import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { updateBuyer } from '../../src/account/buyers/buyers.js';
import { tlsTroubleText } from '../../src/platform/outbound/tlsTrouble.js';
import { tlsProblems } from '../../src/deliveries/store/destinations.js';
import { makeCertificate } from '../support/certificates.js';
import { YES } from '../support/fakeBuyer.js';
import { startTestbed, type Testbed } from '../support/testbed.js';
import { accountOf } from '../support/org.js';

let testbed: Testbed;
const weak = createServer({ ciphers: 'DEFAULT:@SECLEVEL=0', ...makeCertificate({ bits: 1024 }) });
beforeAll(async () => {
  testbed = await startTestbed({ own: true });
  weak.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => weak.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  weak.close();
  await testbed.stop();
});

it('a buyer whose certificate is too weak is passed over, and record and metrics say why', async () => {
  const market = await testbed.market({
    buyers: { weak: { answer: () => YES }, last: { answer: () => YES } },
  });
  const { collections, keyring } = testbed;
  const { orgId, buyers } = market.account;
  const url = `https://localhost:${(weak.address() as AddressInfo).port}/`;
  const id = buyers.weak ?? '';
  await updateBuyer(accountOf({ collections, keyring }, orgId), id, { delivery: { url } });
  const { data } = await market.supplier.post();
  expect(data).toMatchObject({ status: 'ACCEPTED', buyer_id: buyers.last });
  const row = await collections.deliveries.findOne({ lead_id: data?.id ?? '', buyer_id: id });
  expect(row).toMatchObject({ state: 'failed', reason: tlsTroubleText('weak_key') });
  expect(await tlsProblems(collections.destinations, Object.values(buyers))).toEqual(
    new Map([[id, 'weak_key']]),
  );
  const page = await testbed.service.deps.metrics.registry.metrics();
  expect(page).toContain('leadwire_tls_refused_total{reason="weak_key"} 1');
});
