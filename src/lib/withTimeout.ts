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
  return raceTimeout(work(), ms, () => Promise.reject(unavailable(message)));
}

/** The result of the work, or that of `late` where it has none after `ms`: the work goes on. */
export async function raceTimeout<T, L>(
  work: Promise<T>,
  ms: number,
  late: () => L | Promise<L>,
): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late()), ms);
  });
  try {
    return await Promise.race([work, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
