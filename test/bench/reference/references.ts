/** What Leadwire is measured beside, on the same machine and the same servers in the same run. */
import type { Bench } from '../bench.js';
import type { FigureName } from '../report/figures.js';
import { orError } from '../load/intakeLoad.js';
import { startEmptyWorkflow } from './emptyWorkflow.js';
import { startPlainKoa } from './plainKoa.js';
import type { Reference } from './reference.js';
import { startWorkflowPerLead } from './workflowPerLead.js';
import { OPEN } from '../part.js';
import { senderOf, type Sender } from '../load/stage.js';

/** It is at its best with these: with four times as many each only waits longer, past the window. */
const OPEN_PER_LEAD = 64;

export interface ReferencePoint {
  figure: FigureName;
  /** In words, as the lines say it. */
  what: string;
  /** Requests open at once: those of the service, or fewer where more would only wait. */
  open: number;
  start(bench: Bench): Promise<Reference>;
}

export const EMPTY_WORKFLOW: ReferencePoint = {
  figure: 'empty_workflow_per_s',
  what: 'empty workflows',
  open: OPEN,
  start: startEmptyWorkflow,
};

/** In the order in which they are measured. */
export const REFERENCES: readonly ReferencePoint[] = [
  EMPTY_WORKFLOW,
  {
    figure: 'workflow_per_lead_per_s',
    what: 'one workflow per lead',
    open: OPEN_PER_LEAD,
    start: startWorkflowPerLead,
  },
  { figure: 'plain_koa_per_s', what: 'plain Koa and MongoDB', open: OPEN, start: startPlainKoa },
];

/** Runs while `work` does; it is stopped however that ends. */
export async function beside<T>(
  bench: Bench,
  points: readonly ReferencePoint[],
  work: (senders: readonly (ReferencePoint & Sender)[]) => Promise<T>,
): Promise<T> {
  const running: Reference[] = [];
  try {
    const senders = [];
    for (const point of points) {
      const reference = await point.start(bench);
      running.push(reference);
      senders.push({ ...point, ...senderOf((n) => orError(() => reference.request(n))) });
    }
    return await work(senders);
  } finally {
    for (const reference of running)
      await reference.stop().catch((error: unknown) => {
        // What it is compared with did other work than it said: that is no run to be believed.
        bench.failures.push(error instanceof Error ? error.message : String(error));
      });
  }
}
