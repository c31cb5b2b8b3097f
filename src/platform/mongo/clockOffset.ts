/** How far another machine's wall clock is ahead of the monotonic clock of this process. Pure. */

/** A question for the time: when it was asked and heard on the monotonic clock, and what the server said. */
export interface Sample {
  askedAt: number;
  /** Milliseconds since 1970, cut to whole ones. */
  serverAt: number;
  heardAt: number;
}

/** The difference lies between these, as known at that time. */
export interface Measured {
  least: number;
  most: number;
  at: number;
}

/** Two clocks drift apart by at most this share: twice what is usual of quartz. */
const DRIFT = 0.000_2;

/**
 * What is known after a sample. Each bounds the difference from both sides, a quick one more closely; what they say
 * together holds. One that contradicts what was known (the server's clock was set, or another server is asked) counts
 * alone.
 */
export function measured(known: Measured | undefined, sample: Sample): Measured {
  const { askedAt, serverAt, heardAt: at } = sample;
  const [least, most] = [serverAt - at, serverAt + 1 - askedAt];
  if (!known) return { least, most, at };
  const drift = Math.max(0, at - known.at) * DRIFT;
  const both = {
    least: Math.max(least, known.least - drift),
    most: Math.min(most, known.most + drift),
  };
  return both.least <= both.most ? { ...both, at } : { least, most, at };
}

export const offsetOf = ({ least, most }: Measured): number => (least + most) / 2;
