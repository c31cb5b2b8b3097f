/**
 * Sells a group of leads in waves: reserve, open attempts, send; until each lead is sold, unsold or waiting in the
 * durable lane. It continues when its caller has stopped waiting: a slow buyer delays only its own leads.
 */
import type { LeadVerdict, ProcessResult } from '../../workflows/messages.js';
import type { DestinationDoc } from '../deliveries/store/destinationDoc.js';
import type { Lead } from '../leads/rules/lead.js';
import { openAttempts, sendAttempt, timesOf, SEND_WINDOW_MS } from './attempts.js';
import { createBatchQueue } from './batchQueue.js';
import { closeCapped, closeExhausted } from './close.js';
import type { SellingDeps } from './deps.js';
import { reserveNext } from './reserve.js';
import { retryWhileUnavailable } from './retryWhileUnavailable.js';
import { appendTrail, recordBuyerHealth, settle } from './settle.js';
import type { Answered, Attempt, Lease, Task } from './task.js';
import { isOver, verdictOf } from './verdicts.js';

export interface Start {
  tasks: readonly Task[];
  /** The destinations of all candidates of `tasks`, read a moment ago: for the first wave. */
  destinations?: Map<string, DestinationDoc>;
  /** Rows of the durable lane, acquired for sending. */
  attempts?: readonly Attempt[];
  /** No supplier waits for it: it extends its leases by itself from the start. */
  isAlone?: boolean;
}

/** Answers that arrive within this time are settled together, in milliseconds. */
const GATHER_MS = 20;
/** A lease shorter than this is extended before anything is started, in milliseconds. */
export const SHORT_LEASE_MS = 1_500;
/** How long a run owns its leads before it has sent anything, in milliseconds. */
export const LEASE_MS = 3_000;

/** A sale that begins when it is constructed. */
export class GroupSale {
  /** Resolves when the run has finished with every lead; rejects then if the database was unavailable for some. */
  readonly done: Promise<void>;

  /** By lead id. */
  private readonly tasks: ReadonlyMap<string, Task>;
  /** The status of each lead the run has finished with. OPEN: it may do nothing more for it; the next check will. */
  private readonly finished = new Map<string, LeadVerdict['status']>();
  private readonly inFlight = new Map<string, Attempt>();
  private readonly answers = createBatchQueue<Answered>();
  private readonly sent = Promise.withResolvers<undefined>();
  /** Resolves when the first request is sent; never if none is. */
  readonly firstSend: Promise<void> = this.sent.promise;
  private readonly initialAttemptsSettled = Promise.withResolvers<undefined>();
  /** Resolves when the attempts it was started with are settled; their leads may go on to other buyers. */
  readonly answered: Promise<void> = this.initialAttemptsSettled.promise;
  /** Leads that were sold by the attempts it was started with. */
  readonly soldAtFirst: string[] = [];
  /** The rows it was started with that are not settled. */
  private readonly unsettled: Set<string>;
  /** Leads that are being closed while the others continue, even where that failed. */
  private readonly closing = new Set<Task>();
  private readonly closings: Promise<void>[] = [];
  private readonly faults: unknown[] = [];
  private isDetached: boolean;

  /** @param lease of the leads: after it nothing is started; the sale extends it when due */
  constructor(
    start: Start,
    private readonly lease: Lease,
    private readonly deps: SellingDeps,
  ) {
    const { tasks, attempts = [], isAlone = false } = start;
    const all = [...tasks, ...attempts.map(({ task }) => task)];
    this.tasks = new Map(all.map((task) => [task.lead._id, task]));
    this.unsettled = new Set(attempts.map(({ row }) => row._id));
    if (attempts.length === 0) this.initialAttemptsSettled.resolve(undefined);
    this.isDetached = isAlone;
    this.done = this.sellAll(start);
  }

  /** What to report to the supplier. A sold lead may still be on its way to more buyers. */
  verdictOf(lead: Lead): LeadVerdict {
    return verdictOf(this.tasks.get(lead._id) ?? { lead }, this.finished.get(lead._id) ?? 'OPEN');
  }

  /** Resolves when only buyers' answers are missing: every step that was begun is stored. */
  async untilWaiting(): Promise<void> {
    await this.answers.untilWaiting();
    await this.untilClosed();
  }

  /**
   * The caller stops waiting. Extends the lease of the unfinished leads, and returns for how long their run may still
   * work on them. `open` are these, and the leads for which this run may do nothing more.
   */
  async detach(): Promise<Pick<ProcessResult, 'open' | 'dueInMs'>> {
    this.isDetached = true;
    const unfinished = this.listUnfinished();
    const answerBy = [...this.inFlight.values()].map(({ row }) => Number(row.answer_by));
    const until = Math.max(Number(this.deps.clock.now()) + LEASE_MS, ...answerBy);
    if (unfinished.length > 0) await this.extendLease(unfinished, until);
    const lost = [...this.finished].filter(([, status]) => status === 'OPEN').map(([id]) => id);
    return {
      open: [...new Set([...unfinished.map(({ lead }) => lead._id), ...lost])],
      dueInMs: until - Number(this.deps.clock.now()),
    };
  }

  private async sellAll({ tasks, destinations, attempts = [] }: Start): Promise<void> {
    this.send(attempts);
    let ready = tasks;
    let known = destinations;
    while (ready.length > 0 || this.inFlight.size > 0) {
      if (ready.length > 0)
        await this.startWave(ready, known).catch((error: unknown) => this.faults.push(error));
      known = undefined;
      this.finish(this.listStalled(ready), 'OPEN');
      ready = this.inFlight.size > 0 ? await this.settleAnswers() : [];
    }
    await this.untilClosed();
    this.finish(this.listUnfinished(), 'OPEN');
    // Only now: a fault must not keep the answers to other requests from being settled.
    if (this.faults.length > 0) throw this.faults[0];
  }

  private async startWave(
    ready: readonly Task[],
    destinations?: Map<string, DestinationDoc>,
  ): Promise<void> {
    const remainingMs = this.lease.validUntilMs - this.deps.clock.monotonic();
    if (this.isDetached || remainingMs < SHORT_LEASE_MS) await this.extendForWave(ready);
    // After its lease a run starts nothing: another one may work on these leads.
    if (isOver(this.lease, this.deps)) return;
    const { granted, exhausted, capped } = await reserveNext(ready, this.deps, destinations);
    const isLast = ({ candidates }: Task): boolean => candidates.length === 0;
    this.closeMeanwhile(exhausted.filter(isLast), (group) => this.close(group));
    this.closeMeanwhile(capped, (group) => this.closeCapped(group));
    this.send(await openAttempts(granted, this.lease, this.deps));
    // They wait for a buyer that is closed or in a cooldown; if its cap is full, those behind it are asked.
    const goOn = await this.close(exhausted.filter((task) => !isLast(task)));
    if (goOn.length > 0) await this.startWave(goOn);
  }

  private send(wave: readonly Attempt[]): void {
    for (const attempt of wave) {
      this.inFlight.set(attempt.row._id, attempt);
      void sendAttempt(attempt, this.deps).then(this.answers.put);
    }
    if (wave.length > 0) this.sent.resolve(undefined);
  }

  /** Settles what has arrived; returns the leads to offer to their next buyer. */
  private async settleAnswers(): Promise<Task[]> {
    const { lease, deps } = this;
    const answers = await this.answers.gather(this.inFlight.size, GATHER_MS);
    answers.forEach((answer) => appendTrail(answer, deps.clock.now()));
    const adopted = new Set<string>();
    const [{ sold, waiting, overtaken, goOn }] = await Promise.all([
      retryWhileUnavailable(() => settle(answers, lease, deps, adopted), deps),
      // An answer is evidence about its buyer even if another run has the row by now, and once only.
      recordBuyerHealth(answers, deps.clock.now(), deps),
    ]);
    for (const { row, task } of answers) {
      this.inFlight.delete(row._id);
      const isFirst = this.unsettled.delete(row._id);
      if (isFirst && sold.includes(task)) this.soldAtFirst.push(task.lead._id);
    }
    if (this.unsettled.size === 0) this.initialAttemptsSettled.resolve(undefined);
    this.finish(
      sold.filter((task) => !goOn.includes(task)),
      'ACCEPTED',
    );
    this.finishStored(waiting, 'PENDING');
    this.finish(overtaken, 'OPEN');
    return goOn;
  }

  /** No other sale waits for these. A failure is thrown at the end. */
  private closeMeanwhile(
    group: readonly Task[],
    close: (group: readonly Task[]) => Promise<unknown>,
  ): void {
    if (group.length === 0) return;
    group.forEach((task) => this.closing.add(task));
    this.closings.push(
      close(group).then(
        () => undefined,
        (error: unknown) => void this.faults.push(error),
      ),
    );
  }

  /** Closes leads without a buyer to ask now; returns those that go on to their next one. */
  private async close(group: readonly Task[]): Promise<Task[]> {
    if (isOver(this.lease, this.deps)) return [];
    const { unsold, waiting, lost, goOn } = await closeExhausted(group, this.lease, this.deps);
    this.finishStored(unsold, 'UNMATCHED');
    this.finishStored(waiting, 'PENDING');
    this.finish(lost, 'OPEN');
    return goOn;
  }

  private async closeCapped(group: readonly Task[]): Promise<void> {
    await closeCapped(group, this.lease, this.deps);
    this.finishStored(group, 'CAPPED');
  }

  /** Resolves when every closing that was begun is over, also those begun meanwhile. */
  private async untilClosed(): Promise<void> {
    for (const closing of this.closings) await closing;
  }

  private finish(group: readonly Task[], status: LeadVerdict['status']): void {
    group.forEach(({ lead }) => this.finished.set(lead._id, status));
  }

  /** The same for what this run has just written; after its lease another one may have decided otherwise. */
  private finishStored(group: readonly Task[], status: LeadVerdict['status']): void {
    this.finish(group, isOver(this.lease, this.deps) ? 'OPEN' : status);
  }

  private listUnfinished(): Task[] {
    return [...this.tasks.values()].filter(({ lead }) => !this.finished.has(lead._id));
  }

  /** Leads of a wave that are neither finished, nor being closed, nor sent. */
  private listStalled(wave: readonly Task[]): Task[] {
    const sent = new Set([...this.inFlight.values()].map(({ task }) => task));
    return wave.filter(
      (task) => !this.finished.has(task.lead._id) && !this.closing.has(task) && !sent.has(task),
    );
  }

  /** Allows time to send the next wave, and for its slowest buyer to answer. */
  private async extendForWave(ready: readonly Task[]): Promise<void> {
    const candidates = ready.flatMap((task) => task.candidates);
    const slowestMs = Math.max(0, ...candidates.map(({ delivery }) => delivery.timeout_ms));
    const sentBy = new Date(Number(this.deps.clock.now()) + SEND_WINDOW_MS);
    // For all leads: the run's validity applies to each, also to those that wait for their buyer.
    await this.extendLease(this.listUnfinished(), Number(timesOf(sentBy, slowestMs).answer_by));
  }

  /** @param until wall-clock milliseconds, as they are stored */
  private async extendLease(unfinished: readonly Task[], until: number): Promise<void> {
    const { lease, deps } = this;
    const ids = unfinished.map((task) => task.lead._id);
    const extended = await deps.leads.extendLease(ids, lease.id, new Date(until));
    // Within the old lease no run can have acquired a lead: a missing one has just been decided.
    if (extended < ids.length && isOver(lease, deps)) return;
    const validUntilMs = deps.clock.monotonic() + until - Number(deps.clock.now());
    lease.validUntilMs = Math.max(lease.validUntilMs, validUntilMs);
  }
}
