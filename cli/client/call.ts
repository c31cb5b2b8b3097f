/** The calls of a command: to which server, how Ctrl-C ends them, and refusals in words for the command. */
import type { CommandEntry } from '../actions/manifest.js';
import type { Terminal } from '../terminal/terminal.js';
import { clientFor, type Client } from './client.js';
import { requireConnection, type Connection } from './connection.js';
import { explain } from './hints.js';
import { untilStopped, withInterrupt } from './interrupt.js';

/** The command that calls. */
export interface Caller {
  /** `--profile`. */
  profile?: string;
  /** Its words, for hints; absent: its errors are not about its flags. */
  cli?: readonly [string, ...string[]];
  flags?: CommandEntry['flags'];
}

interface Call {
  signal: AbortSignal;
  connection: Connection;
}

type Calls<T> = (client: Client, call: Call) => Promise<T>;

/**
 * @param isChange whether an interrupted call may have been carried out
 * @throws {CommandFailed} in words for the command; with the exit code 2 after Ctrl-C
 */
export const callServer = <T>(
  terminal: Terminal,
  caller: Caller & { isChange?: boolean },
  calls: Calls<T>,
): Promise<T> =>
  explained(terminal, caller, (connection) =>
    withInterrupt(terminal, { isChange: caller.isChange ?? false }, (signal) =>
      calls(clientFor(terminal, connection, signal), { signal, connection }),
    ),
  );

/** The same for calls that continue until they are stopped: that is their orderly end. */
export const followServer = (
  terminal: Terminal,
  caller: Caller,
  calls: Calls<void>,
): Promise<void> =>
  explained(terminal, caller, (connection) =>
    untilStopped(terminal, (signal) =>
      calls(clientFor(terminal, connection, signal), { signal, connection }),
    ),
  );

async function explained<T>(
  terminal: Terminal,
  { profile, cli, flags = [] }: Caller,
  run: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = requireConnection(terminal.environment, profile);
  try {
    return await run(connection);
  } catch (error) {
    throw explain(error, cli ? { cli, flags } : null, connection);
  }
}
