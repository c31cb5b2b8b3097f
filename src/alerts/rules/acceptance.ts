/** Whether a campaign sells a smaller part of its leads than it usually does. */

/** Leads of a day, or of several, that were decided, and how many of these were sold. */
export interface Decided {
  decided: number;
  sold: number;
}

/** The days before today that are the usual. */
export const USUAL_DAYS = 14;
/** A rate of fewer leads is none. */
const SAMPLE = 50;
const USUAL_SAMPLE = 200;
/** A campaign that sells less than this is not watched: it has little to lose. */
const USUAL_RATE = 0.05;
/** It has dropped below this share of the usual, and is back above the other: between them it stays what it is. */
const DROPPED = 0.5;
const RECOVERED = 0.75;
/** Of the standard deviation of the expected number of sales: what chance does once in 700 times. */
const DEVIATIONS = 3;

export interface Compared extends Decided {
  /** 0 to 1. */
  rate: number;
  usual_rate: number;
  state: 'dropped' | 'normal' | 'between';
}

/** Null: there are too few leads to compare. */
export function compareAcceptance(today: Decided, usual: Decided): Compared | null {
  if (today.decided < SAMPLE || usual.decided < USUAL_SAMPLE) return null;
  const rate = today.sold / today.decided;
  const usual_rate = usual.sold / usual.decided;
  if (usual_rate < USUAL_RATE) return null;
  const expected = today.decided * usual_rate;
  const deviation = Math.sqrt(expected * (1 - usual_rate));
  const isChance = today.sold >= expected - DEVIATIONS * deviation;
  const state =
    rate < usual_rate * DROPPED && !isChance
      ? 'dropped'
      : rate >= usual_rate * RECOVERED
        ? 'normal'
        : 'between';
  return { ...today, rate, usual_rate, state };
}
