/** Changes made to what was read, while other writers may change it too. */
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from './errors.js';

export interface Retries {
  attempts: number;
  /** Longest pause after the first attempt; it grows by the same with each, up to `pauseMaxMs`. */
  pauseMs: number;
  pauseMaxMs: number;
}

/** For a change that a person requested. */
const FEW: Retries = { attempts: 20, pauseMs: 10, pauseMaxMs: 200 };

/**
 * Reads and writes again for as long as another writer was faster, after pauses of random lengths.
 * @throws {AppError} `version_conflict` when another writer was faster every time; any other error at once
 */
export async function retryOnConflict<T>(
  attempt: () => Promise<T>,
  { attempts, pauseMs, pauseMaxMs }: Retries = FEW,
): Promise<T> {
  for (let n = 1; n < attempts; n += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isVersionConflict(error)) throw error;
    }
    await delay(Math.random() * Math.min(pauseMs * n, pauseMaxMs));
  }
  return attempt();
}

/** Whether another writer was faster. */
export const isVersionConflict = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'version_conflict';
