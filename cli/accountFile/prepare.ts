/** From the text of a file to the change set for an account. */
import { readFile as readText } from 'node:fs/promises';
import type { Client } from '../client/client.js';
import { CommandFailed, describeError, UsageError } from '../terminal/errors.js';
import { visible } from '../output/cells.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Account, Path } from './model.js';
import type { ChangeSet } from './difference.js';
import { createChangeSet } from './changeSet.js';
import { readAccount } from './readAccount.js';
import { readFile, type Located, type ReadFile } from './readFile.js';

export interface FileOptions {
  /** A path; `-` is standard input. */
  file: string;
  /** Values of existing headers are set, too. */
  setHeaders?: true;
}

/**
 * The file, with a valid form.
 * @throws {UsageError} when it cannot be read
 * @throws {CommandFailed} with every problem and its line
 */
export async function openFile({ keyboard }: Terminal, { file }: FileOptions): Promise<ReadFile> {
  const text =
    file === '-'
      ? await keyboard.readAll()
      : await readText(file, 'utf8').catch((error: unknown) => {
          throw new UsageError(`Cannot read the file ${file}: ${describeError(error, false)}`);
        });
  const read = readFile(text);
  if (read.ok) return read;
  throw refusal(file, read.problems);
}

/** @throws {CommandFailed} with every problem of the file and its line */
export async function prepareChangeSet(
  client: Client,
  { file, lineOf }: ReadFile,
  options: FileOptions,
): Promise<{ account: Account; changeSet: ChangeSet }> {
  const account = await readAccount(client, file);
  const planned = createChangeSet(file, account, { withHeaders: options.setHeaders ?? false });
  if (planned.ok) return { account, changeSet: planned.changeSet };
  const located = planned.problems.map((one) => ({ ...one, line: lineOf(one.path) }));
  throw refusal(options.file, located);
}

const PROBLEMS_MAX = 50;

function refusal(file: string, problems: readonly Located[]): CommandFailed {
  const name = file === '-' ? 'line ' : `${file}:`;
  const lines = problems
    .toSorted((a, b) => a.line - b.line)
    .map(({ path, line, message }) => `  ${name}${line}  ${placeOf(path)}${visible(message)}`);
  const more = lines.length > PROBLEMS_MAX ? [`  and ${lines.length - PROBLEMS_MAX} more`] : [];
  const count = lines.length === 1 ? 'a problem' : `${lines.length} problems`;
  return new CommandFailed(
    [`The file has ${count}. Nothing was done.`, ...lines.slice(0, PROBLEMS_MAX), ...more].join(
      '\n',
    ),
  );
}

const placeOf = (path: Path): string =>
  path
    .map((one, index) => (typeof one === 'number' ? `[${one}]` : index === 0 ? one : `.${one}`))
    .join('');
