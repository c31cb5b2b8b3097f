/** Takes leads over HTTP, and runs a workflow for each: `node perLeadServer.js <address> <task queue>`. */
import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { serveLeads } from './leadServer.js';
import type { takeLead } from './perLeadWorkflow.js';

const [address = '', taskQueue = ''] = process.argv.slice(2);
const connection = await NativeConnection.connect({
  address,
  grpcCompression: { codec: 'none' },
});
const client = new Client({ connection });

serveLeads((id, body) =>
  client.workflow.execute<typeof takeLead>('takeLead', {
    taskQueue,
    workflowId: `lead:${id}`,
    args: [id, body],
  }),
);
