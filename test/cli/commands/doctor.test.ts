/** Buyers that the doctor reports. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  addSample,
  recordHealth,
  type HealthSamples,
} from '../../../src/deliveries/destinations/recordHealth.js';
import { systemClock } from '../../../src/lib/clock.js';
import type { DeliveryVerdict } from '../../../src/deliveries/rules/delivery.js';
import { tlsTroubleText } from '../../../src/platform/outbound/tlsTrouble.js';
import { createLog } from '../../../src/lib/log.js';
import { createDestinationStore } from '../../../src/deliveries/store/destinations.js';
import { createEventStore } from '../../../src/deliveries/store/destinationEvents.js';
import { startCliAccount, type CliAccount } from '../cliAccount.js';

let account: CliAccount;
beforeAll(async () => {
  account = await startCliAccount();
});
afterAll(() => account.stop());

/** The failure of a delivery to the buyer. */
async function hear(verdict: DeliveryVerdict): Promise<void> {
  const samples: HealthSamples = new Map();
  addSample(samples, { buyer_id: account.ids.buyer, org_id: account.org.id, verdict });
  const { destinations, events } = account.api.collections;
  await recordHealth(samples, 'delivery', new Date(), {
    destinations: createDestinationStore(destinations),
    events: createEventStore(events, destinations),
    clock: systemClock,
    log: createLog('silent', 'test'),
    wake: () => undefined,
  });
}

const buyers = async (key = account.keys.all) => {
  const { code, stdout } = await account.run(['doctor', '--json'], { LEADWIRE_API_KEY: key });
  expect(code).toBe(0);
  const { checks } = JSON.parse(stdout) as { checks: { name: string; message: string }[] };
  return checks.filter(({ name }) => name === 'buyers');
};

it('names the buyers whose servers have too weak TLS, until they answer', async () => {
  expect(await buyers()).toEqual([]);
  const reason = tlsTroubleText('weak_key');
  await hear({ result: 'not_taken', reason, tls: 'weak_key' });
  const message = expect.stringMatching(
    new RegExp(
      `\\(${account.ids.buyer}\\) cannot be reached: the key of the server's certificate, .* 2,048 bits`,
    ),
  ) as unknown as string;
  expect(await buyers()).toEqual([{ name: 'buyers', state: 'warning', message }]);
  expect(await buyers(await account.org.key(['leads:read']))).toEqual([]);

  // Another failure is unrelated to the certificate.
  await hear({ result: 'not_taken', reason: 'http_503', http_status: 503 });
  expect(await buyers()).toEqual([]);
  await hear({ result: 'not_taken', reason, tls: 'weak_key' });
  expect(await buyers()).toHaveLength(1);
  await hear({ result: 'accepted', reason: 'taken' });
  expect(await buyers()).toEqual([]);
});
