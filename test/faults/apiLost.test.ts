import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Service } from '../../src/app/service.js';
import { createAccount } from '../support/account.js';
import { startFakeBuyer, YES, type FakeBuyer } from '../support/fakeBuyer.js';
import { startServiceBed, type RoleProcess, type ServiceBed } from '../support/service.js';
import { supplierOf } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';
import { findLies, isSettled, leadsOf, postMany, repairUnstarted, type Scene } from './truth.js';

describe('the API is killed while leads are posted', () => {
  let bed: ServiceBed;
  let buyer: FakeBuyer;
  let api: RoleProcess;
  let worker: Service;

  beforeAll(async () => {
    bed = await startServiceBed();
    buyer = await startFakeBuyer(() => ({ ...YES, delayMs: 700 }));
    worker = await bed.start('worker');
    await bed.start('delivery');
    api = await bed.spawn('api', { INTAKE_GROUP_MAX: '8' });
  });
  afterAll(async () => {
    await bed.stop();
    await buyer.stop();
  });

  it('sells nothing twice, leaves no lead undecided, and knows the leads that are sent again', async () => {
    const account = await createAccount(bed, {
      buyers: {
        first: { caps: { daily_cap: 50 }, delivery: { url: `${buyer.url}/first` } },
        next: { delivery: { url: `${buyer.url}/next` } },
      },
    });
    const scene: Scene = { bed, account, buyer };
    const supplier = supplierOf(api.url, account);
    const posting = postMany(supplier, 100, 4);
    await waitFor(() => buyer.requests.length >= 40, { message: '40 leads are with the buyers' });
    api.kill('SIGKILL');
    const posted = await posting;
    await supplier.close();
    const broken = posted.filter(({ answer }) => answer === null);
    expect(broken.length).toBeGreaterThan(0);

    api = await bed.spawn('api');
    const again = supplierOf(api.url, account);
    const answers = await Promise.all(broken.map(({ person }) => again.postUntilTaken(person)));
    expect(answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    await again.close();

    await repairUnstarted(scene, worker.deps);
    await waitFor(() => isSettled(scene), { message: 'every lead is decided', timeoutMs: 20_000 });
    const leads = await leadsOf(scene);
    const sold = leads.filter(({ status }) => status === 'ACCEPTED');
    expect(sold.map(({ fields }) => fields.email).sort()).toEqual(
      // A 503 is a definitive refusal, and was not sent again.
      posted
        .filter(({ answer }) => answer?.status !== 503)
        .map(({ person }) => person.email)
        .sort(),
    );
    const first = posted.filter(({ answer }) => answer !== null);
    expect(await findLies(scene, first)).toEqual([]);
  });
});
