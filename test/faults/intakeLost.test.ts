import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Service } from '../../src/app/service.js';
import { createAccount } from '../support/account.js';
import { startFakeBuyer, YES, type FakeBuyer } from '../support/fakeBuyer.js';
import { startServiceBed, type RoleProcess, type ServiceBed } from '../support/service.js';
import { supplierOf } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';
import { findLies, isSettled, leadsOf, postMany, repairUnstarted, type Scene } from './truth.js';

const SMALL_GROUPS = { INTAKE_GROUP_MAX: '8', INTAKE_LANES: '8' };
const LEADS = 80;

describe('a process that stores and decides leads is killed', () => {
  let bed: ServiceBed;
  let buyer: FakeBuyer;
  let first: RoleProcess;
  let second: RoleProcess;
  let delivery: Service;

  beforeAll(async () => {
    bed = await startServiceBed();
    buyer = await startFakeBuyer(() => ({ ...YES, delayMs: 400 }), { honorsKey: () => true });
    delivery = await bed.start('delivery');
    [first, second] = await Promise.all([
      bed.spawn('intake', SMALL_GROUPS),
      bed.spawn('intake', SMALL_GROUPS),
    ]);
  });
  afterAll(async () => {
    await bed.stop();
    await buyer.stop();
  });

  it('the other process sells its leads, each once, and answers those that are sent again', async () => {
    const deliveryTo = (name: string) => ({
      url: `${buyer.url}/${name}`,
      timeout_ms: 1_500,
      honours_idempotency_key: true,
    });
    const account = await createAccount(bed, {
      buyers: {
        first: { caps: { daily_cap: LEADS / 2 }, delivery: deliveryTo('first') },
        next: { delivery: deliveryTo('next') },
      },
    });
    const scene: Scene = { bed, account, buyer };
    const supplier = supplierOf(first.url, account);
    const posting = postMany(supplier, LEADS, 8);
    await waitFor(() => buyer.requests.length >= LEADS / 2, {
      message: 'half of the leads is with the buyers',
    });
    first.kill('SIGKILL');
    const posted = await posting;
    await supplier.close();
    const broken = posted.filter(({ answer }) => answer === null);
    expect(broken.length).toBeGreaterThan(0);

    const again = supplierOf(second.url, account);
    const answers = await Promise.all(broken.map(({ person }) => again.postUntilTaken(person)));
    expect(answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    await again.close();

    await repairUnstarted(scene, delivery.deps);
    await waitFor(() => isSettled(scene), { message: 'every lead is decided', timeoutMs: 40_000 });
    expect(await findLies(scene, posted)).toEqual([]);
    const takenAgain = (await leadsOf(scene)).filter(({ takes }) => takes > 1);
    expect(takenAgain.length).toBeGreaterThan(0);
  }, 90_000);
});
