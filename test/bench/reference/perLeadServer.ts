/** Accepts leads over HTTP, with a workflow and an update for each: `node perLeadServer.js <address> <task queue>`. */
import { Client, WithStartWorkflowOperation } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { serveLeads } from './leadServer.js';
import { outcome, type takeLead } from './perLeadWorkflow.js';

const [address = '', taskQueue = ''] = process.argv.slice(2);
const connection = await NativeConnection.connect({
  address,
  grpcCompression: { codec: 'none' },
});
const client = new Client({ connection });
const DEADLINE_MS = 30_000;

serveLeads((id, body) => {
  const startWorkflowOperation = new WithStartWorkflowOperation<typeof takeLead>('takeLead', {
    taskQueue,
    workflowId: `lead:${id}`,
    args: [id, body],
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  return client.withDeadline(Date.now() + DEADLINE_MS, () =>
    client.workflow.executeUpdateWithStart(outcome, { args: [], startWorkflowOperation }),
  );
});
