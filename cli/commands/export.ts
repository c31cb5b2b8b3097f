/** `leadwire export`: the account as a file. */
import { writeFile as writeText } from 'node:fs/promises';
import { readAccount } from '../accountFile/readAccount.js';
import { writeFile } from '../accountFile/writeFile.js';
import { clientFor } from '../client/client.js';
import { requireConnection } from '../client/connection.js';
import { explain } from '../client/hints.js';
import { withInterrupt } from '../client/interrupt.js';
import { describeError, EXIT, UsageError, type ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';

export interface ExportOptions {
  /** A path; without it, standard output. */
  output?: string;
  profile?: string;
}

export async function runExport(terminal: Terminal, options: ExportOptions): Promise<ExitCode> {
  const connection = requireConnection(terminal.environment, options.profile);
  const account = await withInterrupt(terminal, { isChange: false }, (signal) =>
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
  const { campaigns, buyers, suppliers, funnels } = account;
  const counts = `campaigns ${campaigns.length}, buyers ${buyers.length}, suppliers ${suppliers.length}, funnels ${funnels.length}`;
  terminal.say(`Written to ${options.output}: ${counts}.`);
  return EXIT.done;
}
