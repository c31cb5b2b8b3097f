/** Rounds, one after the other, until a run has met what it must meet. */

export interface RoundsOptions {
  /** @param nth counts from 1 */
  round: (nth: number) => Promise<void>;
  isEnough: () => Promise<boolean>;
  /** No other round begins later than this after the first one began, in milliseconds. */
  withinMs: number;
}

/** @returns how many there were: at least one */
export async function inRounds({ round, isEnough, withinMs }: RoundsOptions): Promise<number> {
  const until = performance.now() + withinMs;
  for (let nth = 1; ; nth += 1) {
    await round(nth);
    if (performance.now() >= until || (await isEnough())) return nth;
  }
}
