/** `leadwire init` and `leadwire doctor`: for the first start, and for finding faults. */
import type { Command } from 'commander';
import type { InitOptions } from './init.js';
import type { ExitCode } from '../terminal/errors.js';
import { HOST_GROUP } from './operatorsCommands.js';
import type { Terminal } from '../terminal/terminal.js';

/** @param ended receives the exit code */
export function addHostCommands(
  program: Command,
  terminal: Terminal,
  ended: (code: ExitCode) => void,
): void {
  program
    .command('init')
    .helpGroup(HOST_GROUP)
    .summary('create the first organization and its key')
    .description(
      'Create an organization and a key with every permission, which is shown only once. It uses the database of the ' +
        'installation directly (MONGODB_URI, MONGODB_DATABASE), because no key exists yet.',
    )
    .requiredOption('--name <text>', 'name of the organization')
    .option('--time-zone <zone>', 'time zone of days and caps, such as America/New_York', 'UTC')
    .option('--currency <code>', 'ISO 4217 code', 'USD')
    .option('--key-name <text>', 'name of the key', 'Owner')
    .option('--another', 'even if an organization already exists')
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
    .summary('check the setup for problems')
    .description(
      'Check the address, the key, the clocks, the health of the server and the versions. Exit code 1 when something ' +
        'is wrong, 4 when there is no valid key.',
    )
    .option('--json [fields]', 'JSON; with a list, only these fields of each check');
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
