/** Commands for the machine that the servers run on: start them, the first organization, and what is wrong. */
import { Option } from 'commander';
import type { CliCommand } from '../terminal/command.js';
import { listenForStop, type StopSignal } from '../terminal/stopSignal.js';
import type { Terminal } from '../terminal/terminal.js';
import type { DemoOptions } from './demo.js';
import { HOST_GROUP } from './operatorsCommands.js';
import { JSON_DOCUMENT, wholeNumber } from './options.js';
import type { SeedOptions } from './seed.js';
import type { UpOptions } from './up.js';
import type { TradeName } from '../../src/demo/seed/trades.js';
import type { Work } from '../terminal/command.js';

/** Those of `TRADES`, which is not loaded for help. */
const TRADE_CHOICES = ['solar', 'insurance', 'roofing'] satisfies TradeName[];

export function addHostCommands(program: CliCommand): void {
  addStarts(program);
  program
    .command('init')
    .helpGroup(HOST_GROUP)
    .summary('create the first organization and its key')
    .description(
      'Create an organization and a key with every permission, which is shown only once. It uses the database of the ' +
        'installation directly, because no key exists yet: that of leadwire up in LEADWIRE_HOME, or MONGODB_URI; ' +
        'MONGODB_DATABASE.',
    )
    .requiredOption('--name <text>', 'name of the organization')
    .option('--time-zone <zone>', 'time zone of days and caps, such as America/New_York', 'UTC')
    .option('--currency <code>', 'ISO 4217 code', 'USD')
    .option('--key-name <text>', 'name of the key', 'Owner')
    .option('--another', 'even if an organization already exists')
    .option(...JSON_DOCUMENT)
    .example('leadwire init --name "Acme Leads" --time-zone America/New_York')
    .runs(async () => (await import('./init.js')).runInit);
  program
    .command('seed')
    .helpGroup(HOST_GROUP)
    .summary('a demo account with a week of leads')
    .description(
      'Make an account of a trade with campaign, buyers, suppliers and a week of leads, decided by the service itself as ' +
        'they would have been then; nothing is sent. Its records are named Demo, and a second run changes nothing. It ' +
        'works on the running installation: that of leadwire up in LEADWIRE_HOME, or MONGODB_URI and LEADWIRE_SECRET.',
    )
    .addOption(
      new Option('--trade <trade>', 'what is sold').choices(TRADE_CHOICES).default('solar'),
    )
    .option('--seed <number>', 'another number makes other leads', wholeNumber(0, 1_000_000), 1)
    .option('--org <id>', 'seed this organization; default: one of its own')
    .option('--force', 'even if the organization has leads of its own')
    .option(...JSON_DOCUMENT)
    .example('leadwire seed', 'leadwire seed --trade insurance --seed 7')
    .runs(() => stoppable<SeedOptions>(async () => (await import('./seed.js')).seed));
  program
    .command('doctor')
    .helpGroup('This program:')
    .summary('check the setup for problems')
    .description(
      'Check the address, the key, the clocks, the health of the server and the versions. Exit code 1 when something ' +
        'is wrong, 4 when there is no valid key.',
    )
    .option('--json [fields]', 'JSON; with a list, only these fields of each check')
    .runs(async () => (await import('./doctor.js')).runDoctor);
}

function addStarts(program: CliCommand): void {
  program
    .command('up')
    .helpGroup(HOST_GROUP)
    .summary('start everything and stay up')
    .description('Start MongoDB, Temporal and Leadwire in one go, and stay up until Ctrl-C.')
    .option('--demo', 'with a demo account, demo buyers and a lead to paste')
    .option(
      '--processes <number>',
      'processes that accept leads, on one port; default PROCESSES, or half of the processors, 1 to 4',
    )
    .runs(() => stoppable<UpOptions>(async () => (await import('./up.js')).up));
  program
    .command('demo')
    .helpGroup(HOST_GROUP)
    .summary('send 25 leads and check the totals')
    .description(
      'Start everything, send 25 varied leads to demo buyers, show their results, and compare the recorded sales ' +
        'with what the buyers received.',
    )
    .option('--keep', 'stay up afterwards, until Ctrl-C')
    .option('--json', 'print one JSON document instead of tables')
    .runs(() => stoppable<DemoOptions>(async () => (await import('./demo.js')).demo));
}

type Stoppable<Options> = (
  terminal: Terminal,
  stop: StopSignal,
  options: Options,
) => ReturnType<Work<Options>>;

/** Listens for Ctrl-C before the command's code is loaded, so that it can be stopped in order at any moment. */
const stoppable =
  <Options>(load: () => Promise<Stoppable<Options>>): Work<Options> =>
  async (terminal, options) => {
    const stop = listenForStop(terminal, () => performance.now());
    try {
      const run = await load();
      return await run(terminal, stop, options);
    } finally {
      stop.release();
    }
  };
