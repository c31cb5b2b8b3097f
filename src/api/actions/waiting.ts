/** Changes that concern leads which wait: what they answer of those, and how a caller asks beforehand. */
import { z } from 'zod';
import { countWaitingOf, type WaitingOf } from '../../deliveries/store/waiting.js';
import type { ActionContext } from './action.js';

/** Maximum counted of each kind. */
const COUNTED_MAX = 10_000;

const counted = (what: string) =>
  z
    .number()
    .int()
    .nullable()
    .describe(`${what}, counted up to ${COUNTED_MAX}; null: too many to count in time`);

export const WaitingView = z
  .object({
    parked: counted('Deliveries that wait to be sent'),
    unknown: counted('Deliveries that were sent and never answered'),
  })
  .describe('Deliveries that wait there now');

export const dry_run = z
  .boolean()
  .default(false)
  .describe('true: change nothing, and answer what would be changed');

/** How many deliveries of these buyers wait. */
export const countWaiting = (of: WaitingOf, { collections }: Pick<ActionContext, 'collections'>) =>
  countWaitingOf(collections.deliveries, of, COUNTED_MAX);
