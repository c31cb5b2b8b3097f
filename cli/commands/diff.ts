/** `leadwire diff`: what `leadwire apply` would do. */
import { openFile, prepareChangeSet, type FileOptions } from '../accountFile/prepare.js';
import { formatChangeSet, changeSetJson } from '../accountFile/formatChangeSet.js';
import { clientFor } from '../client/client.js';
import { requireConnection } from '../client/connection.js';
import { explain } from '../client/hints.js';
import { withInterrupt } from '../client/interrupt.js';
import { EXIT, type ExitCode } from '../terminal/errors.js';
import { printLong } from '../output/pager.js';
import type { Terminal } from '../terminal/terminal.js';

export interface DiffOptions extends FileOptions {
  json?: true;
  profile?: string;
}

/** @returns 3 where the account differs from the file */
export async function runDiff(terminal: Terminal, options: DiffOptions): Promise<ExitCode> {
  const file = await openFile(terminal, options);
  const connection = requireConnection(terminal.environment, options.profile);
  const { changeSet } = await withInterrupt(terminal, { isChange: false }, (signal) =>
    prepareChangeSet(clientFor(terminal, connection, signal), file, options),
  ).catch((error: unknown) => {
    throw explain(error, null, connection);
  });
  if (options.json) terminal.print(JSON.stringify(changeSetJson(changeSet), null, 2));
  else await printLong(formatChangeSet(changeSet, terminal.paint), terminal);
  return changeSet.differences.length === 0 ? EXIT.done : EXIT.differs;
}
