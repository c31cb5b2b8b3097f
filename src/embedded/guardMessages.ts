/** The messages between the owner of the stack and its guard. */
export type ServerName = 'mongod' | 'temporal';

export interface ServerCommand {
  name: ServerName;
  command: string;
  args: string[];
  /** Takes standard output and error, appended. */
  logFile: string;
}

/** Owner to guard. The other order, "stop everything", is the closing of the channel. */
export type GuardOrder = { type: 'start' } & ServerCommand;

export interface ServerExit {
  name: ServerName;
  code: number | null;
  /** The signal that killed it. Both null: it has exited, and how is unknown. */
  signal: string | null;
}

/** Guard to owner. */
export type GuardMessage =
  | { type: 'started'; name: ServerName; pid: number }
  | { type: 'failed'; name: ServerName; message: string }
  | ({ type: 'exited' } & ServerExit);

/** How long a server has to stop in order before it is killed, milliseconds. */
export const STOP_TIMEOUTS_MS: Record<ServerName, number> = { mongod: 15_000, temporal: 10_000 };

/** Temporal first, so that it begins nothing new while the database stops. */
export const STOP_ORDER: readonly ServerName[] = ['temporal', 'mongod'];
