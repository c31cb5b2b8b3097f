/** Runs `reconcile` at once, without waiting for its schedule. */
import { Client, Connection } from '@temporalio/client';
import { taskQueues } from '../../../src/platform/temporal/names.js';
import type { reconcile } from '../../../workflows/reconcile.js';

const CONNECT_MS = 2_000;

/**
 * Starts it, unless a run of it is already open.
 * @throws {Error} when Temporal cannot be reached
 */
export async function repairNow(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: CONNECT_MS });
  const { leads, delivery } = taskQueues('');
  try {
    await new Client({ connection, namespace }).workflow.start<typeof reconcile>('reconcile', {
      workflowId: 'reconcile-now',
      workflowIdConflictPolicy: 'USE_EXISTING',
      taskQueue: leads,
      args: [{ taskQueue: delivery }],
    });
  } finally {
    await connection.close();
  }
}
