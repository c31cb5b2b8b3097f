/** Checks the input of an action here, by the schema by which the server checks it. */
import { AppError } from '../../src/lib/errors.js';
import { Refused } from '../client/client.js';
import type { Found } from '../client/connection.js';
import { explain } from '../client/hints.js';
import { UsageError } from '../terminal/errors.js';
import type { CommandEntry } from './manifest.js';

interface Checked {
  /** For what the refusal advises. */
  connection: Found;
  /** Keys that are not checked: names in the place of ids. */
  except?: readonly string[];
}

/**
 * Loads the registry only here: it is exact, and slow to load.
 * @throws {CommandFailed} listing the faults, as the server would
 */
export async function checkInput(
  entry: CommandEntry,
  input: Record<string, unknown>,
  { connection, except = [] }: Checked,
): Promise<void> {
  const [{ REGISTRY }, { readInput }] = await Promise.all([
    import('../../src/api/actions/registry.js'),
    import('../../src/api/actions/readInput.js'),
  ]);
  const action = REGISTRY.find(({ name }) => name === entry.name);
  if (!action) throw new UsageError(`This program has no action ${entry.name}; build it again.`);
  try {
    readInput(action.input, input);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { details: all = [] } = error.extras;
    const details = all.filter(({ path }) => !except.includes(path.split('.')[0] ?? ''));
    if (all.length > 0 && details.length === 0) return;
    const refused = new Refused(422, { error: error.code, message: error.message, details });
    throw explain(refused, entry, { ...connection, key: connection.key ?? '' });
  }
}
