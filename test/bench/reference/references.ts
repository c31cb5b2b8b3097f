/** The references that Leadwire is compared with, on the same machine and servers in the same run. */
import type { Bench } from '../bench.js';
import type { FigureName } from '../report/figures.js';
import { orError } from '../load/intakeLoad.js';
import { startEmptyWorkflow } from './emptyWorkflow.js';
import { startPlainKoa } from './plainKoa.js';
import type { Reference } from './reference.js';
import { startWorkflowPerLead } from './workflowPerLead.js';
import type { Contender } from '../report/cores.js';
import { senderOf, type Sender } from '../load/stage.js';

export interface ReferencePoint {
  name: Exclude<Contender, 'leads'>;
  figure: FigureName;
  /** For the lines of progress. */
  what: string;
  start(bench: Bench): Promise<Reference>;
}

/** A running reference. */
export type RunningReference = ReferencePoint & Sender & Pick<Reference, 'pids'>;

export const EMPTY_WORKFLOW: ReferencePoint = {
  name: 'empty_workflow',
  figure: 'empty_workflow_per_s',
  what: 'empty workflows',
  start: startEmptyWorkflow,
};

/** In the order of measurement. */
export const REFERENCES: readonly ReferencePoint[] = [
  EMPTY_WORKFLOW,
  {
    name: 'workflow_per_lead',
    figure: 'workflow_per_lead_per_s',
    what: 'one workflow per lead',
    start: startWorkflowPerLead,
  },
  {
    name: 'plain_koa',
    figure: 'plain_koa_per_s',
    what: 'plain Koa and MongoDB',
    start: startPlainKoa,
  },
];

/** Runs while `work` does, and is stopped however `work` ends. */
export async function beside<T>(
  bench: Bench,
  points: readonly ReferencePoint[],
  work: (references: readonly RunningReference[]) => Promise<T>,
): Promise<T> {
  const running: Reference[] = [];
  try {
    const started: RunningReference[] = [];
    for (const point of points) {
      const reference = await point.start(bench);
      running.push(reference);
      const sender = senderOf((n) => orError(() => reference.request(n)));
      started.push({ ...point, ...sender, pids: reference.pids });
    }
    return await work(started);
  } finally {
    for (const reference of running)
      await reference.stop().catch((error: unknown) => {
        // A reference that did other work than it answered makes the run invalid.
        bench.failures.push(error instanceof Error ? error.message : String(error));
      });
  }
}
