/** Starts work in Temporal: the only code that calls it on behalf of leads and destinations. */
import { randomUUID } from 'node:crypto';
import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import type { intake } from '../../workflows/intake.js';
import type { automation, destination } from '../../workflows/destination.js';
import { chunks } from '../lib/chunks.js';
import { createSharedTurns } from '../lib/sharedTurns.js';
import { raceTimeout } from '../lib/withTimeout.js';
import type { QueueCommand, QueueAnswer } from '../../workflows/queueCommands.js';
import {
  decision,
  queueUpdates,
  wake,
  type DestinationInput,
  type IntakeInput,
  type LeadVerdict,
  type QueueRequest,
  type WakeInput,
} from '../../workflows/messages.js';
import type { Log } from '../lib/log.js';
import { describeLeads, type LeadRef } from '../platform/temporal/describe.js';
import { createListing, LISTED_ANYWHERE } from '../platform/temporal/listing.js';
import { destinationId, intakeId, ORG_ID, type TaskQueues } from '../platform/temporal/names.js';
import { ensureRepair } from '../platform/temporal/repairSchedule.js';
import { requireTemporal } from '../platform/temporal/temporalErrors.js';
import { isStuck } from '../platform/temporal/stuckDrains.js';

/** A signal that takes longer has failed, in milliseconds. */
const WAKE_MS = 2_000;
/** A name that takes longer to read is left out, in milliseconds: a drain is found by its id all the same. */
const NAME_MS = 500;

export type LeadStarter = ReturnType<typeof createLeadStarter>;

/** The name of a buyer, or of an automation (`endpoint`), for people who look at Temporal; null: it has none. */
export type NameReader = (id: string, kind?: 'endpoint') => Promise<string | null>;

/** @param nameOf absent: a drain is described without the name of its receiver */
export const createLeadStarter = (
  client: Client,
  queues: TaskQueues,
  log: Pick<Log, 'warn'>,
  nameOf: NameReader = () => Promise.resolve(null),
) => ({
  ...createIntakes(client, queues, log),
  ...createDrains(client, queues, nameOf),
  /**
   * Makes sure that `reconcile` runs every minute, in this version's form, and that none of its runs is stuck.
   * @param deadline wall-clock milliseconds after which it throws
   */
  schedule: (deadline: number): Promise<void> => ensureRepair({ client, queues, log }, deadline),
});

/** Starts the workflows of leads. */
function createIntakes(client: Client, queues: TaskQueues, log: Pick<Log, 'warn'>) {
  const listing = createListing(log);
  /** A new intake of these leads. */
  const newIntake = (leads: readonly LeadRef[]) => ({
    ...describeLeads(leads, queues, 'lead'),
    workflowId: intakeId(randomUUID()),
    args: [{ leadIds: leads.map((lead) => lead._id) }] as [IntakeInput],
  });
  /** In as few groups as the server accepts: it refuses a whole one before anything of it is started. */
  const inGroups = async <T>(
    leads: readonly LeadRef[],
    act: (groups: readonly (readonly LeadRef[])[]) => Promise<T>,
  ): Promise<T> => {
    const groups = listing.groupsOf(leads);
    try {
      return await act(groups);
    } catch (error) {
      // Groups that were split already are not split further.
      if (groups.length > 1 || !listing.isTooLong(error)) throw error;
      return act(listing.groupsOf(leads));
    }
  };
  const decideGroup = (leads: readonly LeadRef[], deadline: number) => {
    const startWorkflowOperation = new WithStartWorkflowOperation<typeof intake>('intake', {
      ...newIntake(leads),
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    });
    return client.withDeadline(deadline, () =>
      client.workflow.executeUpdateWithStart(decision, {
        updateId: 'decision',
        args: [],
        startWorkflowOperation,
      }),
    );
  };
  const decideAll = async (
    groups: readonly (readonly LeadRef[])[],
    deadline: number,
  ): Promise<LeadVerdict[] | null> => {
    // If one part fails, the whole group is withdrawn: the result is more accurate when all the other parts are done.
    const started = groups.map((group) => decideGroup(group, deadline));
    await Promise.allSettled(started);
    const verdicts = await Promise.all(started);
    return verdicts.some((one) => one === null) ? null : verdicts.flatMap((one) => one ?? []);
  };
  return {
    /**
     * Starts the intake of a group that this process decides itself; several where the server rejects a list of all
     * their ids. A worker of this process gets the first task with the answer, where Temporal allows it.
     * @param withinMs milliseconds after which it throws (the intake may be started all the same)
     * @param onId receives the id of each intake before it is started
     */
    async startHere(
      leads: readonly LeadRef[],
      withinMs: number,
      onId: (workflowId: string) => void,
    ): Promise<void> {
      const deadline = Date.now() + withinMs;
      await inGroups(leads, (groups) =>
        Promise.all(
          groups.map((group) => {
            const options = newIntake(group);
            onId(options.workflowId);
            return client.withDeadline(deadline, () =>
              client.workflow.start<typeof intake>('intake', {
                ...options,
                workflowIdReusePolicy: 'REJECT_DUPLICATE',
                requestEagerStart: true,
              }),
            );
          }),
        ),
      );
    },
    /**
     * Starts one intake for the group (several, where the server rejects a list of all their ids) and returns the
     * verdicts; null when not all of the group could be processed yet. It throws after `withinMs`; the work may continue
     * all the same.
     */
    decide(leads: readonly LeadRef[], withinMs: number): Promise<LeadVerdict[] | null> {
      const deadline = Date.now() + withinMs;
      return inGroups(leads, (groups) => decideAll(groups, deadline));
    },
    /** Starts intakes for leads that were left behind, without waiting for them. */
    async restart(leads: readonly LeadRef[]): Promise<void> {
      for (const group of chunks(leads, LISTED_ANYWHERE)) {
        await client.workflow.start<typeof intake>('intake', newIntake(group));
      }
    },
  };
}

type Drain = typeof destination | typeof automation;

/** The type of the workflow. Its id is the same for both, so that one that an older version started goes on. */
const typeOf = (kind?: 'endpoint') => (kind ? 'automation' : 'destination');

/** A server allows 400 bytes, and a character may take four. */
const NAME_LENGTH = 80;

function summaryOf(name: string | null, kind?: 'endpoint'): string {
  const what = kind ? 'Events waiting for' : 'Leads waiting for';
  if (name === null) return `${what} one ${kind ? 'automation' : 'buyer'}`;
  return `${what} ${name.slice(0, NAME_LENGTH)}`;
}

/** Starts the drains of destinations. */
function createDrains(client: Client, queues: TaskQueues, nameOf: NameReader) {
  // The client takes no duration, and reads the wall clock.
  const within = <T>(ms: number, call: () => Promise<T>): Promise<T> =>
    client.withDeadline(Date.now() + ms, call);
  /** The commands of one call come together: they ask once. */
  const asking = createSharedTurns();
  const describeDrain = async (buyerId: string, orgId: string, kind?: 'endpoint') => {
    const read = nameOf(buyerId, kind).catch(() => null);
    const name = await raceTimeout(read, NAME_MS, () => null);
    return {
      workflowId: destinationId(buyerId),
      taskQueue: queues.leads,
      args: [{ buyerId, taskQueue: queues.delivery, kind }] as [DestinationInput],
      staticSummary: summaryOf(name, kind),
      memo: name === null ? undefined : { name },
      typedSearchAttributes: orgId === '' ? [] : [{ key: ORG_ID, value: [orgId] }],
    };
  };
  return {
    async wake(id: string, orgId: string, recovered: boolean, kind?: 'endpoint'): Promise<void> {
      await within(WAKE_MS, async () =>
        client.workflow.signalWithStart<Drain, [WakeInput?]>(typeOf(kind), {
          ...(await describeDrain(id, orgId, kind)),
          signal: wake,
          signalArgs: [{ recovered }],
        }),
      );
    },
    /**
     * Ends the drain of a destination where it is stuck, and restarts it in the same call: all its state is in the
     * database.
     * @returns whether it was stuck
     */
    renew(id: string, orgId: string, kind?: 'endpoint'): Promise<boolean> {
      return within(WAKE_MS, async () => {
        if (!(await isStuck(client, destinationId(id)))) return false;
        await client.workflow.start<Drain>(typeOf(kind), {
          ...(await describeDrain(id, orgId, kind)),
          workflowIdConflictPolicy: 'TERMINATE_EXISTING',
        });
        return true;
      });
    },
    /**
     * Sends an operator's command to a buyer's drain, starting it where none runs, and waits for its answer.
     * @param command `id` is the update's: the same again is the same command
     * @throws {AppError} `unavailable` where Temporal does not answer: the command was not sent
     * @throws {Error} after `waitMs`; the command is carried out all the same
     */
    async command(
      buyerId: string,
      orgId: string,
      { id, action, lead_id, result }: QueueRequest & { id: string; action: QueueCommand },
      waitMs: number,
    ): Promise<QueueAnswer> {
      await asking('temporal', () => requireTemporal(client));
      return within(waitMs, async () => {
        const startWorkflowOperation = new WithStartWorkflowOperation<typeof destination>(
          'destination',
          { ...(await describeDrain(buyerId, orgId)), workflowIdConflictPolicy: 'USE_EXISTING' },
        );
        return client.workflow.executeUpdateWithStart(queueUpdates[action], {
          updateId: id,
          args: [{ lead_id, result }],
          startWorkflowOperation,
        });
      });
    },
  };
}
