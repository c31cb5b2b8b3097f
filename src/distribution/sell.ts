/**
 * Sells a group of leads: waves of reserving, opening attempts and sending, until every lead is sold,
 * unsold or waiting in the durable lane. It continues when its caller has stopped waiting: a slow buyer
 * delays only its own leads.
 */
import { createBatchQueue } from './batchQueue.js';
import { retryWhileUnavailable } from './retryWhileUnavailable.js';
import { openAttempts, sendAttempt, timesOf, SEND_WINDOW_MS } from './attempts.js';
import { closeCapped, closeExhausted } from './close.js';
import { createTaskTracker } from './taskTracker.js';
import type { DestinationDoc } from '../deliveries/store/destinationDoc.js';
import type { SellingDeps } from './deps.js';
import { reserveNext, type EarlyReservations } from './reserve.js';
import { recordBuyerHealth } from './recordBuyerHealth.js';
import { appendTrail, settle } from './settle.js';
import type { Answered, Attempt, Ending, Lease, Task } from './task.js';
import { isOver } from './verdicts.js';

export interface Start {
  tasks: readonly Task[];
  /** The candidates' destinations of all `tasks`, where they were read a moment ago: used for the first wave. */
  destinations?: Map<string, DestinationDoc>;
  /** The reservations of some of `tasks`, where they were made before. */
  reserved?: EarlyReservations;
  /** Rows of the durable lane, acquired for sending. */
  attempts?: readonly Attempt[];
  /** No supplier waits for it: it extends its leases by itself from the start. */
  isAlone?: boolean;
}

const NONE_RESERVED: EarlyReservations = { tasks: new Set(), granted: [], exhausted: [] };

/** Answers that arrive within this time are settled together, in milliseconds. */
const GATHER_MS = 20;
/** A lease shorter than this is extended before anything is started, in milliseconds. */
export const SHORT_LEASE_MS = 1_500;
/** How long a run owns its leads before it has sent anything, in milliseconds. */
export const LEASE_MS = 3_000;

/**
 * Starts the sale and returns at once: the result shows how far it is, and its `done` rejects with what the database throws.
 * @param lease of the leads: the run starts nothing after `validUntil`, in monotonic milliseconds, and extends it when due
 */
export function sell(
  { tasks, destinations, reserved, attempts = [], isAlone = false }: Start,
  lease: Lease,
  deps: SellingDeps,
) {
  const all = [...tasks, ...attempts.map(({ task }) => task)];
  const endings = new Map<string, Ending>();
  const done = new Map<string, Ending>();
  const recordEnding = ({ lead }: Task, ending: Ending) => {
    // A sale stays the answer, whatever happens to further ones.
    if (endings.get(lead._id)?.kind !== 'sold') endings.set(lead._id, ending);
  };
  const end = (group: readonly Task[], ending: Ending) =>
    group.forEach((task) => {
      recordEnding(task, ending);
      done.set(task.lead._id, ending);
    });
  /** The same, of what this run has just written; another one may have the leads, and decide otherwise. */
  const endStored = (group: readonly Task[], ending: Ending) =>
    end(group, isOver(lease, deps) ? { kind: 'lost' } : ending);
  for (const { lead, soldTo } of all)
    if (soldTo !== undefined) endings.set(lead._id, { kind: 'sold', buyerId: soldTo });
  const batchQueue = createBatchQueue<Answered>();
  const open = new Map<string, Attempt>();
  const tracker = createTaskTracker();
  let sent: () => void = () => undefined;
  const firstSend = new Promise<void>((resolve) => (sent = resolve));
  let detached = isAlone;
  const awaited = new Set(attempts.map(({ row }) => row._id));
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  if (awaited.size === 0) answer();

  const notDone = (): Task[] => all.filter((task) => !done.has(task.lead._id));

  const send = (wave: readonly Attempt[]) => {
    for (const attempt of wave) {
      open.set(attempt.row._id, attempt);
      void sendAttempt(attempt, deps).then(batchQueue.put);
    }
    if (wave.length > 0) sent();
  };

  const startWave = async (
    ready: readonly Task[],
    read?: Map<string, DestinationDoc>,
    early: EarlyReservations = NONE_RESERVED,
  ) => {
    if (detached || lease.validUntil - deps.clock.monotonic() < SHORT_LEASE_MS) {
      // For all leads: the run's validity applies to each, also to those that wait for their buyer.
      await keepLease(ready, notDone(), lease, deps);
    }
    // After its lease a run starts nothing: another one may work on these leads.
    if (isOver(lease, deps)) return;
    const others = ready.filter((task) => !early.tasks.has(task));
    const next = await reserveNext(others, deps, read);
    const granted = [...early.granted, ...next.granted];
    const exhausted = [...early.exhausted, ...next.exhausted];
    const { capped } = next;
    const closeAll = async (group: readonly Task[]): Promise<Task[]> => {
      if (isOver(lease, deps)) return [];
      const closed = await closeExhausted(group, lease, deps);
      endStored(closed.unsold, { kind: 'unsold' });
      endStored(closed.waiting, { kind: 'waiting' });
      end(closed.lost, { kind: 'lost' });
      return closed.goOn;
    };
    const finished = exhausted.filter(({ candidates }) => candidates.length === 0);
    tracker.begin(finished, async () => {
      await closeAll(finished);
    });
    tracker.begin(capped, async () => {
      await closeCapped(capped, lease, deps);
      endStored(capped, { kind: 'capped' });
    });
    send(await openAttempts(granted, lease, deps));
    // They wait for a buyer that is closed or in a cooldown; if its cap is full, those behind it are asked.
    const goOn = await closeAll(exhausted.filter(({ candidates }) => candidates.length > 0));
    if (goOn.length > 0) await startWave(goOn);
  };

  const settleSome = async (): Promise<Task[]> => {
    const answers = await batchQueue.gather(open.size, GATHER_MS);
    answers.forEach((answer) => appendTrail(answer, deps.clock.now()));
    const adopted = new Set<string>();
    const [settled] = await Promise.all([
      retryWhileUnavailable(() => settle(answers, lease, deps, adopted), deps),
      // An answer is evidence about its buyer even if another run has the row by now, and once only.
      recordBuyerHealth(answers, deps.clock.now(), deps),
    ]);
    answers.forEach(({ row }) => {
      open.delete(row._id);
      if (awaited.delete(row._id) && awaited.size === 0) answer();
    });
    for (const { task, buyerId } of settled.sold) {
      recordEnding(task, { kind: 'sold', buyerId });
      if (!settled.goOn.includes(task)) done.set(task.lead._id, { kind: 'sold', buyerId });
    }
    endStored(settled.waiting, { kind: 'waiting' });
    end(settled.overtaken, { kind: 'lost' });
    return settled.goOn;
  };

  const loop = async () => {
    const faults: unknown[] = [];
    let ready = tasks;
    let [read, early] = [destinations, reserved];
    send(attempts);
    while (ready.length > 0 || open.size > 0) {
      if (ready.length > 0)
        await startWave(ready, read, early).catch((error: unknown) => faults.push(error));
      [read, early] = [undefined, undefined];
      end(ready.filter(isNowhere), { kind: 'lost' });
      ready = open.size > 0 ? await settleSome() : [];
    }
    faults.push(...(await tracker.ended()));
    end(notDone(), { kind: 'lost' });
    // Only now: a fault must not keep the answers to other requests from being settled.
    if (faults.length > 0) throw faults[0];
  };

  const isNowhere = (task: Task): boolean =>
    !done.has(task.lead._id) &&
    !tracker.has(task) &&
    ![...open.values()].some((attempt) => attempt.task === task);

  return {
    /** Resolves when every lead has its ending; rejects then if the database was unavailable for some. */
    done: loop(),
    /** The attempts that it was started with are settled, whatever happens to their leads with other buyers. */
    answered,
    /** When the first request was sent; never if none is. */
    firstSend,
    /** The ending to report to its supplier. A sold lead may still be on its way to more buyers. */
    endingOf: (leadId: string): Ending | undefined => endings.get(leadId),
    /** Resolves when only buyers' answers are missing: every step that was begun is stored. */
    async untilWaiting(): Promise<void> {
      await batchQueue.untilWaiting();
      await tracker.ended();
    },
    /**
     * The caller stops waiting. Extends the lease of the leads that are not done yet, and returns until when
     * (milliseconds from now) their run may still work on them; and the leads for which this run may do nothing more.
     */
    async detach(): Promise<{ open: string[]; lost: string[]; dueInMs: number }> {
      detached = true;
      const left = notDone();
      const answerBy = [...open.values()].map(({ row }) => Number(row.answer_by));
      const until = Math.max(Number(deps.clock.now()) + LEASE_MS, ...answerBy);
      if (left.length > 0) await extend(left, until, lease, deps);
      return {
        open: left.map((task) => task.lead._id),
        lost: [...done].filter(([, { kind }]) => kind === 'lost').map(([id]) => id),
        dueInMs: until - Number(deps.clock.now()),
      };
    },
  };
}

/** Before a wave of a detached run: allows time to send, and for the slowest buyer to answer. */
async function keepLease(
  ready: readonly Task[],
  held: readonly Task[],
  lease: Lease,
  deps: SellingDeps,
): Promise<void> {
  const slowest = Math.max(
    ...ready.flatMap(({ candidates }) => candidates.map(({ delivery }) => delivery.timeout_ms)),
    0,
  );
  const { answer_by } = timesOf(new Date(Number(deps.clock.now()) + SEND_WINDOW_MS), slowest);
  await extend(held, Number(answer_by), lease, deps);
}

/** Extends the lease of leads that are still the run's own: all that are not done, for the run is valid as long. */
async function extend(
  tasks: readonly Task[],
  until: number,
  lease: Lease,
  deps: SellingDeps,
): Promise<void> {
  const ids = tasks.map((task) => task.lead._id);
  const kept = await deps.leads.extendLease(ids, lease.id, new Date(until));
  // Within the old lease no run can have acquired a lead: a missing one has just got its ending.
  if (kept < ids.length && isOver(lease, deps)) return;
  const validUntil = deps.clock.monotonic() + until - Number(deps.clock.now());
  lease.validUntil = Math.max(lease.validUntil, validUntil);
}
