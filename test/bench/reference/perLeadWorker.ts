/**
 * Workflows and local activities of one workflow per lead: `node perLeadWorker.js <address> <task queue>`. Settings are
 * the defaults of the SDK except slots, pollers and cache, which hold 256 leads at once.
 */
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import { finish, openRow, settleRow } from './records.js';
import { send } from './send.js';
import { sharedSteps } from './steps.js';
import { findSurroundings } from './surroundings.js';
import type { LeadActivities } from './perLeadWorkflow.js';
import { goItsWay, type Steps } from './way.js';

const around = await findSurroundings();

/** The activity may run again, so each request is stored before it is sent. */
const steps: Steps = {
  ...sharedSteps(around),
  async deliver(lead, buyerId, n) {
    await openRow(around, lead, buyerId, n);
    return send(around, lead, buyerId, n);
  },
  async record(lead, ending) {
    await Promise.all([
      ...ending.attempts.map((attempt) => settleRow(around, lead, attempt)),
      finish(around, lead, ending),
    ]);
  },
};
const activities: LeadActivities = { goItsWay: (id, body) => goItsWay(steps, id, body) };

const [address = '', taskQueue = ''] = process.argv.slice(2);
const connection = await NativeConnection.connect({
  address,
  grpcCompression: { codec: 'none' },
});
const worker = await Worker.create({
  connection,
  taskQueue,
  activities,
  workflowsPath: fileURLToPath(new URL('perLeadWorkflow.js', import.meta.url)),
  maxCachedWorkflows: 1_000,
  maxConcurrentWorkflowTaskExecutions: 100,
  maxConcurrentLocalActivityExecutions: 300,
  workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 5, initial: 10, maximum: 60 },
});
process.stderr.write('{"msg":"ready"}\n');
await worker.run();
await around.close();
