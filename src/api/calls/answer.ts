/** The frame of every call: it is counted, and its answer or refusal says what is left. */
import { AppError } from '../../lib/errors.js';
import { orUnavailable } from '../../platform/mongo/databaseErrors.js';
import { namingAway, type AwayDeps } from './away.js';
import type { Allowance, CountCall } from './allowance.js';
import type { CallResult } from './definition.js';

interface FrameDeps extends AwayDeps {
  count: CountCall;
}

export interface CallAnswer extends CallResult {
  /** The RateLimit headers. */
  headers: Record<string, string>;
}

/**
 * Counts a call, and then does its work. Its answer has the RateLimit headers, and so has every refusal.
 * @throws {AppError} `rate_limited`, `unavailable`, and the refusals of the work
 */
export async function answered<T extends object>(
  deps: FrameDeps,
  allowance: Allowance,
  work: () => Promise<T>,
): Promise<T & { headers: Record<string, string> }> {
  const { again } = allowance;
  const headers = await guarded(() => deps.count(allowance), again);
  const named = () => work().catch(namingAway(deps));
  try {
    return { ...(await guarded(named, again)), headers };
  } catch (error) {
    if (error instanceof AppError) error.extras.headers = { ...headers, ...error.extras.headers };
    throw error;
  }
}

/** @throws {AppError} `unavailable` where the database does not answer */
export const guarded = <T>(work: () => Promise<T>, again: Allowance['again']): Promise<T> =>
  work().catch(
    orUnavailable(
      `The account cannot be reached now: the database (MongoDB) does not answer. ${again}.`,
    ),
  );
