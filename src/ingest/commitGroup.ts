/**
 * One group of requests on its way to durability: account checked again, keys claimed, pings matched; then leads stored
 * and their pings redeemed, as the decider calls for it.
 */
import { outcomeUnknown, unavailable } from '../lib/errors.js';
import { withTimeout } from '../lib/withTimeout.js';
import type { AccountCache } from '../account/access/accountCache.js';
import { revalidate } from '../account/access/revalidate.js';
import type { Decider, LeadGroup, Verdicts } from '../distribution/decider.js';
import type { Lead } from '../leads/rules/lead.js';
import type { LeadStore } from '../leads/store/leads.js';
import type { Admit } from './admission.js';
import { STARTED_BY_MS, STORED_BY_MS, WITHDRAWN_BY_MS } from './deadlines.js';
import type { IntakeItem, GroupResult } from './group.js';
import { claimKeys, freeKeys, keysOf, pointKey, type KeyDeps } from './keyRows.js';
import { matchPings, redeemPings, type PingDeps } from './pingMatch.js';
import { NOT_ACCEPTED } from './reply.js';
import type { ResponseLog } from './responseLog.js';

export interface GroupCommitterDeps extends KeyDeps, PingDeps {
  accountCache: AccountCache;
  admit: Admit;
  leads: LeadStore;
  decider: Decider;
  responseLog: Pick<ResponseLog, 'broken'>;
}

/** Only a lead that is stored and started is acknowledged; every other one is withdrawn first. */
export const createGroupCommitter =
  (deps: GroupCommitterDeps) =>
  async (items: readonly IntakeItem[]): Promise<PromiseSettledResult<GroupResult>[]> => {
    const group = new IntakeGroup(items, deps);
    return group.settleAll(await deps.decider.accept(group));
  };

/** Minimum milliseconds for finding out why a request lost its ping, even when its time is over. */
const TIMEOUT_MIN_MS = 300;

const NO_RESULT: PromiseSettledResult<GroupResult> = {
  status: 'rejected',
  reason: new Error('An item has no result'),
};

const leadOf = ({ admitted: { lead } }: IntakeItem): Lead => lead;

class IntakeGroup implements LeadGroup {
  readonly leads: readonly Lead[];
  readonly isShared: boolean;
  readonly decidedByAt: number;
  readonly withdrawnByAt: number;
  /** When the oldest request arrived: it sets the deadlines. */
  private readonly arrivedAt: number;
  private readonly results = new Map<IntakeItem, PromiseSettledResult<GroupResult>>();
  /** Requests whose leads are accepted unless the decider fails. */
  private accepted: readonly IntakeItem[] = [];
  private refusingLost = Promise.resolve();

  constructor(
    private readonly items: readonly IntakeItem[],
    private readonly deps: GroupCommitterDeps,
  ) {
    this.leads = items.map(leadOf);
    this.isShared = items.some(({ idempotency, admitted }) => idempotency ?? admitted.claim);
    this.arrivedAt = Math.min(...items.map(({ receivedAt }) => receivedAt));
    this.decidedByAt = this.arrivedAt + STARTED_BY_MS;
    this.withdrawnByAt = this.arrivedAt + WITHDRAWN_BY_MS;
  }

  get hasPings(): boolean {
    return this.accepted.some(({ redemption }) => redemption !== undefined);
  }

  async check(isStarted: boolean): Promise<Lead[]> {
    let checking: Promise<IntakeItem[]> | undefined;
    try {
      const work = () => (checking = this.checkItems(isStarted));
      this.accepted = await withTimeout(this.leftMs(STORED_BY_MS), NOT_ACCEPTED, work);
    } catch (error) {
      // If claiming the keys times out or its response is lost, they are freed once the check has finished.
      void checking?.catch(() => []).then(() => freeKeys(this.items, new Map(), this.deps));
      throw error;
    }
    // A supplier that disconnects may send its lead again before it is decided.
    this.accepted.forEach(
      ({ disconnected, admitted }) => disconnected && (admitted.lead.broken = true),
    );
    return this.accepted.map(leadOf);
  }

  async store(leads: readonly Lead[]): Promise<readonly Lead[]> {
    const inTime = <T>(work: () => Promise<T>): Promise<T> =>
      withTimeout(this.leftMs(STARTED_BY_MS), NOT_ACCEPTED, work);
    await inTime(() => this.deps.leads.insert(leads));
    this.accepted
      .filter(({ disconnected, admitted }) => disconnected && !admitted.lead.broken)
      .forEach((item) => this.deps.responseLog.broken(leadOf(item)._id));
    if (!this.hasPings) return leads;
    const { won, lost } = await inTime(() => redeemPings(this.accepted, this.deps));
    if (lost.length === 0) return leads;
    this.accepted = won;
    this.refusingLost = this.refuseLost(lost);
    return leads.filter(({ _id }) => won.some((item) => leadOf(item)._id === _id));
  }

  async settleAll(verdicts: Verdicts | null): Promise<PromiseSettledResult<GroupResult>[]> {
    await this.refusingLost;
    for (const item of this.accepted) {
      const verdict = verdicts?.get(leadOf(item)._id);
      if (!verdicts) this.refuse(item, outcomeUnknown());
      else if (verdict && verdict.status !== 'WITHDRAWN')
        this.settle(item, { kind: 'verdict', verdict });
      else this.refuse(item, unavailable(NOT_ACCEPTED));
    }
    if (verdicts) freeKeys(this.accepted, verdicts, this.deps);
    return this.items.map((item) => this.results.get(item) ?? NO_RESULT);
  }

  private leftMs(byMs: number): number {
    return this.arrivedAt + byMs - this.deps.clock.monotonic();
  }

  private readonly settle = (item: IntakeItem, value: GroupResult): unknown =>
    this.results.set(item, { status: 'fulfilled', value });

  private readonly refuse = (item: IntakeItem, reason: unknown): unknown =>
    this.results.set(item, { status: 'rejected', reason });

  private async checkItems(isStarted: boolean): Promise<IntakeItem[]> {
    const current = await revalidate(this.items, this.refuse, this.deps);
    // The campaign has just begun to require pings: another process that has the workflow must not find a lead whose ping
    // is not redeemed.
    const isStale = ({ admitted }: IntakeItem): boolean => isStarted && admitted.claim !== null;
    current.filter(isStale).forEach((item) => this.refuse(item, unavailable(NOT_ACCEPTED)));
    const usable = current.filter((item) => !isStale(item));
    return this.checkPings(await claimKeys(usable, this.settle, this.deps));
  }

  /** Returns the requests whose pings allow them to go on; settles the others with a refusal or the earlier answer. */
  private async checkPings(items: readonly IntakeItem[]): Promise<IntakeItem[]> {
    const { free, refused, resent } = await matchPings(items, this.deps);
    await Promise.all([
      // Freed before the refusal is returned: the intake then looks up the request's key, and must not find this lead.
      this.deps.idempotency.free(keysOf(refused.map(({ item }) => item))),
      ...resent.map(({ item, leadId }) => pointKey(item, leadId, this.deps)),
    ]);
    refused.forEach(({ item, error }) => this.refuse(item, error));
    resent.forEach(({ item, leadId }) => this.settle(item, { kind: 'resent', leadId }));
    return free;
  }

  /**
   * Another lead has redeemed their pings first. They are checked again, for they have changed: redeemed, expired, or
   * redeemed by the request that was sent again. A ping that can be redeemed again was lost to a lead that was withdrawn.
   */
  private async refuseLost(lost: readonly IntakeItem[]): Promise<void> {
    const { leads, log } = this.deps;
    // Their requests do not wait for the deletion: no run acquires a lead that was never started, and one that stays is
    // withdrawn when it is found.
    leads
      .discard(lost.map((item) => leadOf(item)._id))
      .catch((error: unknown) => log.warn({ err: error }, 'leads without their ping not deleted'));
    let usable = lost;
    try {
      const leftMs = Math.max(this.leftMs(WITHDRAWN_BY_MS), TIMEOUT_MIN_MS);
      usable = await withTimeout(leftMs, NOT_ACCEPTED, () => this.checkPings(lost));
    } catch (error) {
      log.warn({ err: error }, 'lost pings could not be checked again');
    }
    usable.forEach((item) => this.refuse(item, unavailable(NOT_ACCEPTED)));
    freeKeys(usable, new Map(), this.deps);
  }
}
