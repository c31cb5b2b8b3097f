import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../src/service.js';
import { startTestBed, type TestBed } from '../support/service.js';

describe('the schedule of reconcile', () => {
  let bed: TestBed;
  let service: Service;

  beforeAll(async () => {
    bed = await startTestBed();
    service = await bed.start();
  });
  afterAll(() => bed.stop());

  const handle = () => service.deps.client.schedule.getHandle(service.deps.queues.reconcile);

  it('is there once, however many processes ask for it', async () => {
    const { starter } = service.deps;
    await Promise.all(Array.from({ length: 3 }, () => starter.schedule(Date.now() + 10_000)));
    expect((await handle().describe()).spec.intervals).toMatchObject([{ every: 60_000 }]);
  });

  it('comes back when Temporal has forgotten it', async () => {
    await handle().delete();
    await service.deps.starter.schedule(Date.now() + 10_000);
    expect((await handle().describe()).action).toMatchObject({ workflowType: 'reconcile' });
  });
});
