import type { Refusal } from '../../../workflows/queueCommands.js';

/** A command was not carried out, with the reason. `invalid`: bad input. `id_reused`: its id names another command. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';

  constructor(
    readonly code: Refusal | 'invalid' | 'id_reused',
    message: string,
  ) {
    super(message);
  }
}

/** A command takes longer than the caller waited. It is carried out all the same; its id returns the answer later. */
export class CommandUnanswered extends Error {
  override readonly name = 'CommandUnanswered';

  constructor(
    readonly id: string,
    waitedMs: number,
    cause: unknown,
  ) {
    super(
      `The command is not done after ${Math.round(waitedMs / 1_000)} s, and continues. Send it again with the id ` +
        `${id} to get its result; if no worker and no delivery process runs, it waits for them.`,
      { cause },
    );
  }
}
