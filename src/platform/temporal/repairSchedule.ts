/** The schedule of `reconcile`: created where there is none, updated where an older version created it. */
import {
  ScheduleAlreadyRunning,
  WorkflowNotFoundError,
  type Client,
  type ScheduleDescription,
} from '@temporalio/client';
import type { reconcile } from '../../../workflows/reconcile.js';
import type { Log } from '../../lib/log.js';
import type { TaskQueues } from './names.js';

/**
 * The revision of the definition below; raise it with every change. A schedule of a higher revision was written by a
 * newer version and is left alone, so that two versions side by side do not overwrite each other in turn. A schedule
 * without one predates revisions.
 */
const REVISION = 2;

/**
 * A run ends after this time even while it waits, in milliseconds: its three tries at most take under three minutes.
 * The next run is skipped while one is open, so a run that could not end would stop all repair.
 */
const RUN_MS = 240_000;

/**
 * Makes sure that `reconcile` runs every minute. Safe to repeat, and side by side with other processes and versions.
 * Where the schedule exists, a failure to inspect it is only logged: describing a schedule queries the server's own
 * workflow, which a busy server may not answer in time, and a process must not fail to start for that. The next check
 * inspects it again.
 * @param deadline wall-clock milliseconds after which it throws
 * @param stuckMs a run that has been open for longer is terminated
 */
export async function ensureRepair(
  { client, queues, log }: { client: Client; queues: TaskQueues; log: Pick<Log, 'warn'> },
  deadline: number,
  stuckMs = RUN_MS,
): Promise<void> {
  await client.withDeadline(deadline, async () => {
    if (await createSchedule(client, queues)) return;
    try {
      const description = await client.schedule.getHandle(queues.reconcile).describe();
      await bringUpToDate(client, queues, description);
      await endStuckRuns(client, description, log, stuckMs);
    } catch (error) {
      log.warn({ err: error }, 'the schedule of reconcile exists, but could not be inspected');
    }
  });
}

/** Creates the schedule; false where there is one already. */
async function createSchedule(client: Client, queues: TaskQueues): Promise<boolean> {
  try {
    // Runs at once where there was none: a Temporal store that was lost has forgotten all work under way.
    await client.schedule.create({
      ...definition(queues),
      scheduleId: queues.reconcile,
      state: { triggerImmediately: true },
    });
    return true;
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning) return false;
    throw error;
  }
}

const definition = (queues: TaskQueues) => ({
  spec: { intervals: [{ every: '1m' as const }] },
  policies: { overlap: 'SKIP' as const, catchupWindow: '1m' as const },
  action: {
    type: 'startWorkflow' as const,
    workflowType: 'reconcile' as const,
    taskQueue: queues.leads,
    args: [{ taskQueue: queues.delivery }] as Parameters<typeof reconcile>,
    workflowId: queues.reconcile,
    workflowRunTimeout: RUN_MS,
    staticSummary: 'Repair of leftovers of crashes',
    memo: { revision: REVISION },
  },
});

/** Keeps an operator's pause and its note. */
async function bringUpToDate(
  client: Client,
  queues: TaskQueues,
  description: ScheduleDescription,
): Promise<void> {
  if (revisionOf(description) >= REVISION) return;
  const handle = client.schedule.getHandle(queues.reconcile);
  await handle.update(({ state }) => ({ ...definition(queues), state }));
}

function revisionOf({ action }: ScheduleDescription): number {
  const revision: unknown = action.memo?.revision;
  return typeof revision === 'number' ? revision : 1;
}

/**
 * Ends runs that are older than any may be: a version without a limit began them, and the server keeps them open for
 * ever. The next run does their work.
 * @until 0.3
 */
async function endStuckRuns(
  client: Client,
  { info }: ScheduleDescription,
  log: Pick<Log, 'warn'>,
  stuckMs: number,
): Promise<void> {
  for (const { workflow } of info.runningActions) {
    const handle = client.workflow.getHandle(workflow.workflowId, workflow.firstExecutionRunId);
    try {
      const { startTime, status } = await handle.describe();
      if (status.name !== 'RUNNING' || Date.now() - Number(startTime) < stuckMs) continue;
      await handle.terminate('this run of reconcile did not end; the schedule starts the next one');
      log.warn(
        { workflow_id: workflow.workflowId },
        'a run of reconcile was stuck and is terminated',
      );
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
}
