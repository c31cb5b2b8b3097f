/** The figures of pings in reports. */
import { z } from 'zod';
import type { PingSums } from '../../pings/rules/rollups.js';
import { fromMicros } from '../../fields/money.js';
import { Money } from './schemas/common.js';

const count = (what: string) => z.number().int().describe(what);

export const pingFigures = z
  .object({
    pings: count('Pings received; test pings are not counted'),
    accepted: count('Pings with a bid'),
    redeemed: count('A lead was posted to them'),
    win_rate: z.number().describe('redeemed in percent of accepted, two decimals; 0 without any'),
    average_bid: Money.describe('The mean of the best bids, as shown to suppliers; 0 without any'),
  })
  .describe('Pings of these days; for a buyer, or by buyer: the pings it bid on, and its bids');

export function pingFiguresOf({
  pings,
  accepted,
  redeemed,
  bids,
}: PingSums): z.output<typeof pingFigures> {
  if (accepted === 0) return { pings, accepted, redeemed, win_rate: 0, average_bid: 0 };
  const win_rate = Math.round((redeemed / accepted) * 10_000) / 100;
  return { pings, accepted, redeemed, win_rate, average_bid: fromMicros(bids / accepted) };
}
