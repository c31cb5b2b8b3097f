/** Days of the account as filters of a list, both included. */
import { readTimeZone } from '../../account/orgs.js';
import { z } from 'zod';
import { dayAfter, startOfDay } from '../../fields/days.js';
import type { ActionContext } from './action.js';
import { invalidField } from './readInput.js';

const day = (which: string) =>
  z.iso.date().optional().describe(`${which}, YYYY-MM-DD in the time zone of the account`);

export const daysInput = {
  date_from: day('On this day or later'),
  date_to: day('On this day or earlier'),
};

/**
 * @returns the instants, as a query has them; undefined without days
 * @throws {AppError} `invalid_input` for days in the wrong order
 */
export async function daysGiven(
  { date_from, date_to }: { date_from?: string; date_to?: string },
  { collections, orgId }: Pick<ActionContext, 'collections' | 'orgId'>,
): Promise<{ $gte?: Date; $lt?: Date } | undefined> {
  if (date_from === undefined && date_to === undefined) return undefined;
  if (date_from !== undefined && date_to !== undefined && date_from > date_to) {
    const message = `date_from must not be after date_to, ${date_to}.`;
    throw invalidField('date_from', 'out_of_range', message);
  }
  const zone = await readTimeZone(collections, orgId);
  return {
    $gte: date_from === undefined ? undefined : startOfDay(date_from, zone),
    $lt: date_to === undefined ? undefined : startOfDay(dayAfter(date_to), zone),
  };
}
