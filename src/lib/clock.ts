/** Time and randomness, passed in so that tests can control them. */
export interface Clock {
  now(): Date;
  /** Milliseconds on a clock that never jumps and goes on while a process is stopped. */
  monotonic(): number;
  /** In [0, 1). */
  random(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
};
