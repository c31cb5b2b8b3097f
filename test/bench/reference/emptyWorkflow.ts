/** (a): an empty workflow for each request, by update-with-start: the minimum cost of any workflow per request. */
import { Client, WithStartWorkflowOperation } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { timeOrderedId } from '../../../src/lib/ids.js';
import type { Bench } from '../bench.js';
import { pidsOf, startHelper } from '../processes.js';
import { answer, type noop } from './noopWorkflow.js';
import type { Reference } from './reference.js';

const TASK_QUEUE = 'bench-noop';

export async function startEmptyWorkflow({ stack }: Bench): Promise<Reference> {
  const address = stack.temporalAddress;
  const worker = await startHelper('reference/noopWorker.js', [address, TASK_QUEUE]);
  const connection = await NativeConnection.connect({
    address,
    grpcCompression: { codec: 'none' },
  });
  const client = new Client({ connection });
  return {
    pids: pidsOf([worker]),
    async request() {
      const startWorkflowOperation = new WithStartWorkflowOperation<typeof noop>('noop', {
        workflowId: `noop:${timeOrderedId()}`,
        taskQueue: TASK_QUEUE,
        args: [],
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
      await client.withDeadline(Date.now() + 30_000, () =>
        client.workflow.executeUpdateWithStart(answer, { args: [], startWorkflowOperation }),
      );
      return 'done';
    },
    async stop() {
      await connection.close();
      await worker.stop();
    },
  };
}
