/** How often a key (contract 9.4), or a person's session, may call: all surfaces share it. */
import type { Collection } from 'mongodb';
import { limitsOf as limitsOfKey } from '../../account/keys/keyLimits.js';
import type { OrgKeyDoc } from '../../account/store/keyDocs.js';
import { AppError } from '../../lib/errors.js';
import { createGroupCommit } from '../../lib/groupCommit.js';
import { rateLimitHeaders } from '../../platform/rateLimits/headers.js';
import {
  useWindow,
  useWindowTimes,
  type WindowDoc,
  type WindowLimits,
  type WindowUse,
} from '../../platform/rateLimits/store/windows.js';
import type { Definition } from './definition.js';

const WINDOW_MS = 60_000;
const SESSION_CALLS = 600;
/** How long a call of a session waits for the others of its screen, which its session was read with, in milliseconds. */
const TOGETHER_MS = 1;
/** Calls that one command counts. */
const TOGETHER_MAX = 100;
/** Two, so that one slow command does not delay every call. */
const IN_FLIGHT_MAX = 2;
const QUEUE_MAX = 2_000;
/** How long a call may wait to be counted before it is refused, in milliseconds. */
const WAIT_MAX_MS = 5_000;

/** A window of calls, and in it one of those that write. */
export interface Allowance {
  id: string;
  all: { name: string; quota: number };
  writes?: { name: string; quota: number };
  /** The call is one of those that write. */
  isWrite: boolean;
  /** Words of its refusals. */
  whose: 'key' | 'session';
  again: 'Call again' | 'Try again';
}

/**
 * @param call the window of writes counts it too where it changes something, and is no part of a long file; absent: it runs
 * none
 */
export function allowanceOfKey(
  key: Pick<OrgKeyDoc, '_id' | 'limits'>,
  call?: Pick<Definition, 'effect' | 'isPartOfFile'>,
): Allowance {
  const { calls_per_minute, writes_per_minute } = limitsOfKey(key);
  return {
    id: key._id,
    all: { name: 'actions', quota: calls_per_minute },
    writes: { name: 'writes', quota: writes_per_minute },
    isWrite: call !== undefined && call.effect !== 'read' && !call.isPartOfFile,
    whose: 'key',
    again: 'Call again',
  };
}

export const allowanceOfSession = (sessionId: string): Allowance => ({
  id: `portal:${sessionId}`,
  all: { name: 'calls', quota: SESSION_CALLS },
  isWrite: false,
  whose: 'session',
  again: 'Try again',
});

/**
 * Counts a call. Returns the RateLimit headers of its answer.
 * @throws {AppError} `rate_limited`, and `unavailable` when too many wait; a call that is refused does not count
 */
export type CountCall = (allowance: Allowance) => Promise<Record<string, string>>;

/** Each call by itself. */
export const countEach =
  (windows: Collection<WindowDoc>): CountCall =>
  async (allowance) =>
    headersOf(
      allowance,
      await useWindow(windows, allowance.id, limitsOf(allowance), allowance.isWrite),
    );

/** The calls of a session that come at once, as those of a screen do, by one command. */
export function countOfSessions(windows: Collection<WindowDoc>): CountCall {
  const groups = createGroupCommit<Allowance, WindowUse>({
    gatherMs: TOGETHER_MS,
    groupMax: TOGETHER_MAX,
    maxInFlight: IN_FLIGHT_MAX,
    queueMax: QUEUE_MAX,
    noun: 'call',
    refuseAt: () => performance.now() + WAIT_MAX_MS,
    commit(allowances) {
      const each = Map.groupBy(allowances, ({ id }) => id);
      const uses = new Map([...each].map(([id, same]) => [id, useTimes(windows, same)]));
      return Promise.allSettled(
        allowances.map(async (one) => {
          const nth = each.get(one.id)?.indexOf(one) ?? 0;
          return (await uses.get(one.id))?.[nth] ?? uncounted();
        }),
      );
    },
  });
  return async (allowance) => headersOf(allowance, await groups.submit(allowance));
}

/** The uses of these calls of one session, in their order. */
async function useTimes(
  windows: Collection<WindowDoc>,
  same: readonly Allowance[],
): Promise<WindowUse[]> {
  const [one] = same;
  return one ? useWindowTimes(windows, one.id, limitsOf(one), same.length) : [];
}

function uncounted(): never {
  throw new Error('A call was not counted');
}

const limitsOf = ({ all, writes }: Allowance): WindowLimits => ({
  all: all.quota,
  writes: writes?.quota ?? all.quota,
  windowMs: WINDOW_MS,
});

/** @throws {AppError} `rate_limited` */
function headersOf(allowance: Allowance, use: WindowUse): Record<string, string> {
  const { all, writes, whose, again } = allowance;
  const resetSeconds = Math.max(1, Math.ceil(use.resetMs / 1_000));
  const policies = [all, ...(writes ? [writes] : [])];
  const decided = (use.kind === 'writes' && writes) || all;
  const headers = rateLimitHeaders(
    policies.map((policy) => ({ ...policy, windowSeconds: WINDOW_MS / 1_000 })),
    { name: decided.name, remaining: use.left, resetSeconds },
  );
  if (use.allowed) return headers;
  const what = `${decided.quota} ${use.kind === 'writes' ? 'writes' : 'calls'}`;
  const message = `This ${whose} made more than ${what} in a minute. ${again} in ${resetSeconds} s.`;
  throw new AppError('rate_limited', message, { retry_after: resetSeconds, headers });
}
