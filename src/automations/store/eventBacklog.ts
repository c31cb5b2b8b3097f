/** How many events wait to be sent, for those who watch the whole installation. */
import type { Collection } from 'mongodb';
import type { EventDeliveryDoc } from './automationDocs.js';
import { countDeadLettered } from './eventDeliveries.js';

export interface EventBacklog {
  /** Counted up to a limit, as the dead-lettered ones. */
  waiting: number;
  /** When the oldest that waits happened; null when none waits. */
  oldest: Date | null;
  deadLettered: number;
}

export interface BacklogLimits {
  countMax: number;
  /** Automations among whose events the oldest is looked for. */
  automationsMax: number;
}

/** Of the whole installation. */
export async function readEventBacklog(
  rows: Collection<EventDeliveryDoc>,
  { countMax, automationsMax }: BacklogLimits,
): Promise<EventBacklog> {
  const [waiting, deadLettered] = await Promise.all([
    rows.countDocuments({ state: 'waiting' }, { limit: countMax }),
    countDeadLettered(rows, countMax),
  ]);
  const oldest = waiting === 0 ? null : await findOldest(rows, automationsMax);
  return { waiting, deadLettered, oldest };
}

/** One read for each automation with waiting events. */
async function findOldest(
  rows: Collection<EventDeliveryDoc>,
  automationsMax: number,
): Promise<Date | null> {
  const automations = await rows.distinct('automation_id', { state: 'waiting' });
  const options = { sort: { created_at: 1 }, projection: { created_at: 1 } } as const;
  const oldest = await Promise.all(
    automations
      .slice(0, automationsMax)
      .map((automation_id) => rows.findOne({ automation_id, state: 'waiting' }, options)),
  );
  const times = oldest.flatMap((row) => (row ? [Number(row.created_at)] : []));
  return times.length === 0 ? null : new Date(Math.min(...times));
}
