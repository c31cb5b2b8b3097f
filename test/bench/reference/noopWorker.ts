/** A worker for the empty workflow: `node noopWorker.js <address> <task queue>`. */
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';

const [address = '', taskQueue = ''] = process.argv.slice(2);
const connection = await NativeConnection.connect({
  address,
  grpcCompression: { codec: 'none' },
});
const worker = await Worker.create({
  connection,
  taskQueue,
  workflowsPath: fileURLToPath(new URL('noopWorkflow.js', import.meta.url)),
  maxConcurrentWorkflowTaskExecutions: 100,
  workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 5, initial: 10, maximum: 60 },
});
process.stderr.write('{"msg":"ready"}\n');
await worker.run();
