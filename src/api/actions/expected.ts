/** Changes that are made only of what their caller has read. */
import { isDeepStrictEqual } from 'node:util';
import { getOwn } from '../../lib/getOwn.js';
import { AppError } from '../../lib/errors.js';

/**
 * Makes a change that checks the values of a record, as its view shows them, before it is written.
 * @param expected by name; absent: anything
 * @throws {AppError} `version_conflict` naming what has another value, at once: it is not tried again
 */
export async function withExpected<T>(
  expected: Readonly<Record<string, unknown>> | undefined,
  change: (check: (current: Readonly<Record<string, unknown>>) => void) => Promise<T>,
): Promise<T> {
  const other = new Set<string>();
  const check = (current: Readonly<Record<string, unknown>>): void => {
    for (const [name, value] of Object.entries(expected ?? {}))
      if (!isDeepStrictEqual(plain(getOwn(current, name)), plain(value))) other.add(name);
    if (other.size > 0) throw isOther([...other]);
  };
  try {
    return await change(check);
  } catch (error) {
    if (other.size === 0 || !(error instanceof AppError)) throw error;
    throw new AppError('version_conflict', error.message);
  }
}

/** As JSON has it; without a value: null. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null)) as unknown;

const isOther = (names: readonly string[]): AppError =>
  new AppError(
    'action_refused',
    `${names.join(', ')} has been changed since it was read. Read it again, and change it from there.`,
  );
