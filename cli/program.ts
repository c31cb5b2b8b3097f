/** The commands and their options. A command's code is loaded when it is called, so that help is quick. */
import { Command, CommanderError, Option, type AddHelpTextContext } from 'commander';
import { addActionCommands } from './actions/commands.js';
import { nowhere } from './terminal/nowhere.js';
import { readManifest } from './actions/manifest.js';
import { addAccessCommands } from './commands/accessCommands.js';
import { addCampaignCommands } from './commands/campaignCommands.js';
import { addFileCommands } from './commands/fileCommands.js';
import type { DemoOptions } from './commands/demo.js';
import { addFunnelCommands } from './commands/funnelCommands.js';
import { addHostCommands } from './commands/hostCommands.js';
import { addEventCommands } from './commands/eventCommands.js';
import { addLeadCommands } from './commands/leadCommands.js';
import { addOperatorsCommands, HOST_GROUP } from './commands/operatorsCommands.js';
import { EXIT } from './terminal/errors.js';
import type { ExitCode } from './terminal/errors.js';
import { addTryCommands } from './commands/tryCommands.js';
import type { UpOptions } from './commands/up.js';
import { COLOR_CHOICES } from './output/paint.js';
import { listenForStop } from './terminal/stopSignal.js';
import type { StopSignal } from './terminal/stopSignal.js';
import type { Terminal } from './terminal/terminal.js';
import { findNearest } from '../src/lib/nearest.js';
import { readVersion } from '../src/lib/version.js';

const AFTER_HELP = `
Settings come from the environment, among them PORT (8080), LEADWIRE_HOME (.leadwire), MONGODB_URI and
TEMPORAL_ADDRESS (absent: leadwire starts both), LOG_LEVEL, NO_COLOR.

Which account: --profile, then LEADWIRE_URL and LEADWIRE_API_KEY, then LEADWIRE_PROFILE, then a stored one.
Exit codes: 0 done, 1 failed or wrong usage, 2 canceled, 3 diff found differences, 4 needs login,
8 result not known yet.

Examples:
  leadwire up --demo                          stay up with a demo account and a lead to paste
  leadwire login --demo                       store the key of that demo
  leadwire campaigns list                     also: --json, --jq, --csv, --jsonl
  leadwire campaigns create --name Auto --dry-run
  leadwire campaigns check ID                 what is missing before it accepts leads
  leadwire leads tail                         new leads as they arrive
  leadwire leads trail ID                     how a lead was decided; also: explain, watch
  leadwire export > account.yaml              the account as a file; also: diff, apply
  leadwire operator deliveries list --buyer ID    waiting deliveries of a buyer, on the servers' host`;

/**
 * Runs one command line (without node and script).
 * @returns the exit code; 1 for a wrong command line, which has been explained on standard error
 * @throws {Error} the error that made the command fail
 */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const program = createProgram(terminal, (ended) => (code = ended));
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return isHelp(error, args) ? EXIT.done : EXIT.failed;
  }
  return code;
}

type Ended = (code: ExitCode) => void;

/** The program for pages about it: it prints and runs nothing. */
export const describedProgram = (): Command => createProgram(nowhere(), () => undefined);

/** @param ended receives the exit code of the command that ran */
function createProgram(terminal: Terminal, ended: Ended): Command {
  const width = terminal.screen?.columns;
  const program = new Command('leadwire')
    .description('Open, self-hosted lead distribution.')
    .version(readVersion(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .configureHelp({ showGlobalOptions: true, helpWidth: Math.min(width ?? 100, 100) })
    .addOption(new Option('--profile <name>', 'the stored account to use'))
    .addOption(new Option('--color <when>', 'color').choices(COLOR_CHOICES))
    .addHelpText('beforeAll', refuseUnknown)
    .addHelpText('after', AFTER_HELP)
    .showHelpAfterError('(leadwire --help shows the commands)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.say(text.trimEnd()),
    });
  addActionCommands(program, readManifest(), terminal, ended);
  addCampaignCommands(program, terminal, ended);
  addLeadCommands(program, terminal, ended);
  addEventCommands(program, terminal, ended);
  addFunnelCommands(program, terminal, ended);
  addTryCommands(program, terminal, ended);
  addFileCommands(program, terminal, ended);
  addAccessCommands(program, terminal, describedProgram, ended);
  addStarts(program, terminal, ended);
  addHostCommands(program, terminal, ended);
  addOperatorsCommands(program, terminal, ended);
  return program;
}

/** `help` of a command that does not exist: commander shows the whole help instead, as if it was requested. */
function refuseUnknown({ error, command }: AddHelpTextContext): string {
  const [first, name] = command.args;
  if (!error || first !== 'help' || name === undefined) return '';
  if (name === 'help') command.help();
  const near = findNearest(
    name,
    command.commands.map((one) => one.name()),
  );
  const hint = near === undefined ? '' : `\n(Did you mean ${near}?)`;
  return command.error(`error: unknown command '${name}'${hint}`, {
    code: 'commander.unknownCommand',
  });
}

function addStarts(program: Command, terminal: Terminal, ended: Ended): void {
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
    .action(async (options: Partial<UpOptions>) => {
      const run = async (stop: StopSignal) => {
        const { up } = await import('./commands/up.js');
        return up(terminal, stop, { ...options, demo: options.demo ?? false });
      };
      ended(await stoppable(terminal, run));
    });
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
    .action(async (options: Partial<DemoOptions>) => {
      const run = async (stop: StopSignal) => {
        const { demo } = await import('./commands/demo.js');
        return demo(terminal, stop, { keep: options.keep ?? false, json: options.json ?? false });
      };
      ended(await stoppable(terminal, run));
    });
}

/** Listens for Ctrl-C before the command's code is loaded, so that it can be stopped in order at any moment. */
async function stoppable(
  terminal: Terminal,
  run: (stop: StopSignal) => Promise<ExitCode>,
): Promise<ExitCode> {
  const stop = listenForStop(terminal, () => performance.now());
  try {
    return await run(stop);
  } finally {
    stop.release();
  }
}

/** Requested help is no mistake; help because no command was named is. */
const isHelp = (error: CommanderError, args: readonly string[]): boolean =>
  args.length > 0 &&
  // The `help` command takes its code from the process, in which something else may have failed.
  (error.exitCode === 0 || (error.code === 'commander.help' && args[0] === 'help'));
