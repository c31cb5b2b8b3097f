/** `leadwire init` and `leadwire doctor`: to begin with, and when something is wrong. */
import type { Command } from 'commander';
import type { InitOptions } from './init.js';
import type { ExitCode } from '../terminal/errors.js';
import { HOST_GROUP } from './operatorsCommands.js';
import type { Terminal } from '../terminal/terminal.js';

/** @param ended is told the exit code */
export function addHostCommands(
  program: Command,
  terminal: Terminal,
  ended: (code: ExitCode) => void,
): void {
  program
    .command('init')
    .helpGroup(HOST_GROUP)
    .summary('make the first organisation and its key')
    .description(
      'Make an organisation and a key with every permission, which is shown this once. It works on the database of ' +
        'the installation (MONGODB_URI, MONGODB_DATABASE), where a key cannot be asked for yet.',
    )
    .requiredOption('--name <text>', 'name of the organisation')
    .option('--time-zone <zone>', 'days and caps go by it, such as America/New_York', 'UTC')
    .option('--currency <code>', 'ISO 4217 code', 'USD')
    .option('--key-name <text>', 'name of the key', 'Owner')
    .option('--another', 'though there is an organisation already')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExample:\n  leadwire init --name "Acme Leads" --time-zone America/New_York',
    )
    .action(async (options: InitOptions) => {
      const { runInit } = await import('./init.js');
      ended(await runInit(terminal, options));
    });
  const doctor = program
    .command('doctor')
    .helpGroup('This program:')
    .summary('look for what is wrong')
    .description(
      'Check the address, the key, the clocks, the health of the server and the versions. Exit code 1 when something ' +
        'is wrong, 4 when there is no key that works.',
    )
    .option('--json [fields]', 'JSON; with a list only these fields of each check');
  doctor.action(async () => {
    const { runDoctor } = await import('./doctor.js');
    ended(
      await runDoctor(
        terminal,
        doctor.optsWithGlobals<{ json?: string | true; profile?: string }>(),
      ),
    );
  });
}
