/** `leadwire export`: the account as a file. */
import { writeFile as writeText } from 'node:fs/promises';
import { readAccount } from '../accountFile/readAccount.js';
import { writeFile } from '../accountFile/writeFile.js';
import { callServer } from '../client/call.js';
import { describeError, EXIT, UsageError, type ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';

export interface ExportOptions {
  /** A path; without it, standard output. */
  output?: string;
  profile?: string;
}

export async function runExport(
  terminal: Terminal,
  { output, profile }: ExportOptions,
): Promise<ExitCode> {
  const account = await callServer(terminal, { profile }, (client) => readAccount(client, null));
  const text = writeFile(account);
  if (output === undefined || output === '-') {
    terminal.print(text.trimEnd());
    return EXIT.done;
  }
  await writeText(output, text).catch((error: unknown) => {
    throw new UsageError(`Cannot write ${output}: ${describeError(error, false)}`);
  });
  const { campaigns, buyers, suppliers, funnels, automations } = account;
  const lists = { campaigns, buyers, suppliers, funnels, automations };
  const counts = Object.entries(lists).map(([kind, list]) => `${kind} ${list.length}`);
  terminal.say(`Written to ${output}: ${counts.join(', ')}.`);
  return EXIT.done;
}
