/** What a person is told when a command fails, and the exit code a program sees. */
import { AppError } from '../src/errors.js';

export const EXIT = { done: 0, failed: 1, usage: 2 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command was called wrongly: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const exitCodeOf = (error: unknown): ExitCode =>
  error instanceof UsageError ? EXIT.usage : EXIT.failed;

/** One readable message; the stack with it where `debug` asks for it. */
export function describeError(error: unknown, debug: boolean): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message === '' ? error.name : error.message;
  const fields = error instanceof AppError ? (error.extras.field_errors ?? []) : [];
  const others = fields.map((field) => field.message).filter((text) => text !== message);
  const lines = [message, ...others.map((text) => `  ${text}`)];
  if (debug && error.stack) lines.push(error.stack, ...causes(error));
  return lines.join('\n');
}

function causes(error: Error): string[] {
  if (!(error.cause instanceof Error)) return [];
  return [`caused by ${error.cause.stack ?? error.cause.message}`, ...causes(error.cause)];
}
