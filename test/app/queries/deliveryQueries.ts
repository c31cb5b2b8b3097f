import { createDeliveryStore } from '../../../src/deliveries/store/deliveries.js';
import { after, aRow, NOW } from '../../support/storedRows.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';
import { many, rowIds } from './seed.js';

const times = { send_by: after(1_000), answer_by: after(6_000) };

/** Queries of selling and the drains about the attempts of leads. */
export async function sendDeliveries(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const deliveries = createDeliveryStore(collections.deliveries);
  await during('deliveries.ofLeads', () =>
    deliveries.ofLeads([...many('waiting'), ...many('done')]),
  );
  await during('deliveries.ofTaken', () => deliveries.acquireRows(many('done'), 'run-2'));
  await during('deliveries.due', () => deliveries.due('buyer-1', NOW, 40));
  await during('deliveries.due, one', () => deliveries.due('buyer-1', NOW, 1));
  await during('deliveries.aged', () => deliveries.aged('buyer-1', NOW, 200));
  await during('deliveries.backlog', () => deliveries.backlog('buyer-1', 10_000));
  await during('deliveries.giveUp', () => deliveries.endUnanswered(rowIds('owned'), 'run-2', NOW));
  await during('deliveries.putOff', () => deliveries.putOff(rowIds('waiting'), NOW));
  await during('deliveries.expire', () => deliveries.expire(rowIds('aged'), 'run-2', NOW));
  const again = rowIds('overdue').map((id) => ({ id, reserved: null, sent_to: 'x' }));
  const failed = rowIds('overdue').map((id) => ({ id, reserved: null, due_at: NOW, cost: 0 }));
  await during('deliveries.park', () => deliveries.park(failed, 'run-2'));
  await during('deliveries.resend', () => deliveries.resend(again, 'run-2', times));
  await during('deliveries.settle', () =>
    deliveries.settle(
      'run-1',
      rowIds('owned').map((id, n) => ({ id, state: n % 2 ? 'accepted' : 'rejected' })),
      NOW,
    ),
  );
  await during('deliveries.open', () => deliveries.insertAttempts([aRow()]));
}
