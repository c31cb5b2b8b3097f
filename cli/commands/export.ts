/** `leadwire export`: the account as a file. */
import { writeFile as writeText } from 'node:fs/promises';
import { readAccount } from '../account/readAccount.js';
import { writeFile } from '../account/writeFile.js';
import { clientFor } from '../api/client.js';
import { requireConnection } from '../api/connection.js';
import { explain } from '../api/hints.js';
import { interruptible } from '../api/interrupt.js';
import { describeError, EXIT, UsageError, type ExitCode } from '../errors.js';
import type { Terminal } from '../terminal.js';

export interface ExportOptions {
  /** A path; without it, standard output. */
  output?: string;
  profile?: string;
}

export async function runExport(terminal: Terminal, options: ExportOptions): Promise<ExitCode> {
  const connection = requireConnection(terminal.environment, options.profile);
  const account = await interruptible({ isChange: false }, (signal) =>
    readAccount(clientFor(terminal, connection, signal), null),
  ).catch((error: unknown) => {
    throw explain(error, null, connection);
  });
  const text = writeFile(account);
  if (options.output === undefined || options.output === '-') {
    terminal.print(text.trimEnd());
    return EXIT.done;
  }
  await writeText(options.output, text).catch((error: unknown) => {
    throw new UsageError(`Cannot write ${String(options.output)}: ${describeError(error, false)}`);
  });
  const { campaigns, buyers, suppliers } = account;
  const counts = `campaigns ${campaigns.length}, buyers ${buyers.length}, suppliers ${suppliers.length}`;
  terminal.say(`Written to ${options.output}: ${counts}.`);
  return EXIT.done;
}
