/** The number of requests that drains of one destination have open, in all processes. */
import type { Document } from 'mongodb';
import type { DestinationDoc } from './destinationDoc.js';

/** A wave that a drain is about to send. */
export interface SendingWave {
  run: string;
  /** Number of requests it would send. */
  want: number;
  /** Maximum open at once, including those of other drains. */
  most: number;
  now: Date;
  /** By then all of them have ended, even if the process dies. */
  until: Date;
}

/** How many requests of drains may be open now. */
export const openNow = (destination: DestinationDoc | undefined, now: Date): number =>
  (destination?.sending ?? [])
    .filter(({ until }) => until > now)
    .reduce((sum, { n }) => sum + n, 0);

/** Records as many of the wave as there is room for, and removes waves whose time is over. */
export function sendingPipeline({ run, want, most, now, until }: SendingWave): Document[] {
  const stillOpen = {
    $filter: {
      input: { $ifNull: ['$sending', []] },
      cond: { $and: [{ $gt: ['$$this.until', now] }, { $ne: ['$$this.run', run] }] },
    },
  };
  const free = { $min: [want, { $subtract: [most, { $sum: '$sending.n' }] }] };
  const noted = { $concatArrays: ['$sending', [{ run, n: '$$free', until }]] };
  const withIt = { $cond: [{ $gt: ['$$free', 0] }, noted, '$sending'] };
  return [
    { $set: { sending: stillOpen } },
    { $set: { sending: { $let: { vars: { free }, in: withIt } } } },
  ];
}
