/** Messages of failed commands for people, and their exit codes for programs. */
import { AppError } from '../../src/lib/errors.js';

/** The numbers of GitHub's `gh`, which scripts and people know already; 3 is our own. */
export const EXIT = {
  done: 0,
  /** It failed, or was called wrongly. */
  failed: 1,
  /** A person ended it: by Ctrl-C, or by declining a question. */
  canceled: 2,
  /** `leadwire diff`: there are differences. */
  differs: 3,
  /** No key, or one that the server does not know. */
  needsLogin: 4,
  /** It was begun, and its result is not known yet. */
  pending: 8,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command was called wrongly. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A failure with an exit code of its own, and what to do next. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';

  /** @param hint one line or more: the command that helps */
  constructor(
    message: string,
    readonly exit: ExitCode = EXIT.failed,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** A person changed their mind. */
export const canceled = (message = 'Canceled. Nothing was done.'): CommandFailed =>
  new CommandFailed(message, EXIT.canceled);

export const exitCodeOf = (error: unknown): ExitCode =>
  error instanceof CommandFailed ? error.exit : EXIT.failed;

/** One readable message, with what to do next; the stack with it where `debug` asks for it. */
export function describeError(error: unknown, debug: boolean): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message === '' ? error.name : error.message;
  const fields = error instanceof AppError ? (error.extras.field_errors ?? []) : [];
  const others = fields.map((field) => field.message).filter((text) => text !== message);
  const lines = [message, ...others.map((text) => `  ${text}`)];
  if (error instanceof CommandFailed && error.hint !== undefined) lines.push(error.hint);
  if (debug && error.stack) lines.push(error.stack, ...causes(error));
  return lines.join('\n');
}

function causes(error: Error): string[] {
  if (!(error.cause instanceof Error)) return [];
  return [`caused by ${error.cause.stack ?? error.cause.message}`, ...causes(error.cause)];
}
