/** `leadwire diff`: what `leadwire apply` would do. */
import { openFile, prepareChangeSet, type FileOptions } from '../accountFile/prepare.js';
import { formatChangeSet, changeSetJson } from '../accountFile/formatChangeSet.js';
import { callServer } from '../client/call.js';
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
  const { profile } = options;
  const { changeSet } = await callServer(terminal, { profile }, (client) =>
    prepareChangeSet(client, file, options),
  );
  if (options.json) terminal.print(JSON.stringify(changeSetJson(changeSet), null, 2));
  else await printLong(formatChangeSet(changeSet, terminal.paint), terminal);
  return changeSet.differences.length === 0 ? EXIT.done : EXIT.differs;
}
