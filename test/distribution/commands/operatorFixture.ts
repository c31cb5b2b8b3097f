/** Operators' commands on the real service of a lane bed. */
import { queueCommands } from '../../../src/distribution/commands/queueCommands.js';
import { commandStore } from '../../../src/distribution/store/commands.js';
import type { Lane, LaneBed } from '../../faults/drainFixture.js';
import { waitFor } from '../../support/waitFor.js';

export type Operator = ReturnType<typeof queueCommands>;

export function operatorOf({ service, bed }: LaneBed, waitMs = 30_000): Operator {
  const { collections } = bed;
  const { starter, clock } = service.deps;
  const commands = commandStore(collections.commands);
  return queueCommands({ collections, commands, starter, clock, waitMs });
}

export const becomes = (lane: Lane, id: string, status: string, withinMs = 15_000) =>
  waitFor(async () => (await lane.lead(id))?.status === status, {
    message: `lead ${id} is ${status}`,
    timeoutMs: withinMs,
  });

export const buyerOf = (lane: Lane, name: string): string => lane.account.buyers[name] ?? '';

/** Posts a lead and waits until its row is in this state, and nobody is at work on it. */
export async function postUntil(lane: Lane, state: string): Promise<string> {
  const { id } = await lane.post();
  await waitFor(
    async () =>
      (await lane.rows(id)).some((row) => row.state === state) &&
      (await lane.lead(id))?.run === null,
    { message: `lead ${id} is ${state}` },
  );
  return id;
}

/** Asks again as long as a run is at work on the lead. */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'busy')) throw error;
    }
  }
}
