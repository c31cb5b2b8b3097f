import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { reconcile } from '../../src/app/reconcile.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';

let bed: ServiceBed;
beforeAll(async () => {
  bed = await startServiceBed();
});
afterAll(() => bed.stop());

it('completes the repair before it looks for alerts, which may take longer than it may', async () => {
  const { deps } = await bed.start('api');
  const steps: string[] = [];
  const alertPasses = {
    findOne: () => {
      steps.push('alerts');
      return Promise.reject(new Error('away'));
    },
  } as never;
  await reconcile({
    ...deps,
    collections: { ...deps.collections, alertPasses },
    repairs: {
      ...deps.repairs,
      completed: (at) => {
        steps.push('completed');
        return deps.repairs.completed(at);
      },
    },
  });
  expect(steps).toEqual(['completed', 'alerts', 'alerts']);
});
