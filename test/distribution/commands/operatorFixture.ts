/** Operators' commands on the real service of a testbed. */
import { createQueueCommands } from '../../../src/distribution/commands/queueCommands.js';
import { createCommandStore } from '../../../src/distribution/store/commands.js';
import type { Market, Testbed } from '../../support/testbed.js';
import { waitFor } from '../../support/waitFor.js';

export type Operator = ReturnType<typeof createQueueCommands>;

export function operatorOf({ service, collections }: Testbed, waitMs = 30_000): Operator {
  const { starter, clock } = service.deps;
  const commands = createCommandStore(collections.commands);
  return createQueueCommands({ collections, commands, starter, clock, waitMs });
}

export const buyerOf = (market: Market, name: string): string => market.account.buyers[name] ?? '';

/** Posts a lead and waits until its row is in this state and no run holds it. */
export async function postUntil(market: Market, state: string): Promise<string> {
  const { id } = await market.post();
  await waitFor(
    async () =>
      (await market.rows(id)).some((row) => row.state === state) &&
      (await market.lead(id)).run === null,
    { message: `lead ${id} is ${state}` },
  );
  return id;
}

/** Repeats the command while a run holds the lead. */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'busy')) throw error;
    }
  }
}
