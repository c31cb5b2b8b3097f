/** (b): one workflow for each lead: one local activity, and update-with-start. */
import type { Bench } from '../bench.js';
import { startHelper } from '../processes.js';
import { startLeadReference, type Reference } from './reference.js';

const TASK_QUEUE = 'bench-per-lead';

export const startWorkflowPerLead = (bench: Bench): Promise<Reference> =>
  startLeadReference(bench, {
    name: 'One workflow per lead',
    database: 'bench_per_lead',
    start: async (env) => {
      const args = [bench.stack.temporalAddress, TASK_QUEUE];
      const worker = await startHelper('reference/perLeadWorker.js', args, env);
      return [await startHelper('reference/perLeadServer.js', args), worker];
    },
  });
