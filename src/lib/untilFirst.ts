/** Changes that are made from what there is, while others may be changing it too. */
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from './errors.js';

const ATTEMPTS = 20;
/** Longest pause after the first attempt, in milliseconds; it grows with each. */
const PAUSE_MS = 10;

/**
 * Reads and writes again for as long as somebody else was faster, after pauses of chance lengths.
 * @throws {AppError} `version_conflict` when somebody always was
 */
export async function untilFirst<T>(attempt: () => Promise<T>): Promise<T> {
  for (let n = 1; n < ATTEMPTS; n += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'version_conflict') throw error;
    }
    await delay(Math.random() * PAUSE_MS * n);
  }
  return attempt();
}
