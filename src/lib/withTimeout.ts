import { unavailable } from './errors.js';

/**
 * Stops waiting, not the work, when `ms` are over; begins no work when they are over already.
 * @throws {AppError} `unavailable` with this message
 */
export async function withTimeout<T>(
  ms: number,
  message: string,
  work: () => Promise<T>,
): Promise<T> {
  if (ms <= 0) throw unavailable(message);
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable(message)), ms);
  });
  try {
    return await Promise.race([work(), timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
