/** Changes that are made from what there is, while others may be changing it too. */
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from './errors.js';

export interface Retries {
  attempts: number;
  /** Longest pause after the first attempt; it grows by as much with each, up to the most. */
  pauseMs: number;
  pauseMaxMs: number;
}

/** For a change that a person has asked for. */
const FEW: Retries = { attempts: 20, pauseMs: 10, pauseMaxMs: 200 };

/**
 * Reads and writes again for as long as another writer was faster, after pauses of chance lengths.
 * @throws {AppError} `version_conflict` when another always was; at once what else the attempt throws
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

/** Whether another has written meanwhile. */
export const isVersionConflict = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'version_conflict';
