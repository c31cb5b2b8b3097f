/** The commands and their options. A command's code is loaded when it is called, so that help is quick. */
import { Command, CommanderError } from 'commander';
import { addOperatorsCommands } from './operatorsCommands.js';
import type { DemoOptions } from './commands/demo.js';
import { EXIT } from './errors.js';
import type { ExitCode } from './errors.js';
import { listenForStop } from './stopSignal.js';
import type { StopSignal } from './stopSignal.js';
import type { Terminal } from './terminal.js';
import { readVersion } from '../src/version.js';

const AFTER_HELP = `
Settings come from the environment, among them PORT (8080), LEADWIRE_HOME (.leadwire), MONGODB_URI and
TEMPORAL_ADDRESS (absent: both are started for you), LOG_LEVEL, NO_COLOR.

Exit codes: 0 done, 1 failed, 2 called wrongly.

Examples:
  leadwire demo               play 25 leads, check the books, and stop
  leadwire up --demo          stay up with a demo account and a lead to paste
  PORT=9000 leadwire up       the service alone, on another port
  leadwire deliveries list --buyer ID    what waits for a buyer; also: retry, hold, drop, resolve
  leadwire leads trail ID                how a lead was decided; also: replay`;

/**
 * Runs one command line (without node and script).
 * @returns the exit code; 2 for a wrong command line, which has been explained on standard error
 * @throws {Error} what made the command fail
 */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const program = new Command('leadwire')
    .description('Open, self-hosted lead distribution.')
    .version(readVersion(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .addHelpText('after', AFTER_HELP)
    .showHelpAfterError('(leadwire --help shows what there is)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.say(text.trimEnd()),
    });
  program
    .command('up')
    .summary('start everything and stay up')
    .description('Start MongoDB, Temporal and Leadwire in one go, and stay up until Ctrl-C.')
    .option('--demo', 'with a demo account, demo buyers and a lead to paste')
    .action(async (options: { demo?: true }) => {
      code = await stoppable(terminal, async (stop) => {
        const { up } = await import('./commands/up.js');
        return up(terminal, stop, { demo: options.demo ?? false });
      });
    });
  program
    .command('demo')
    .summary('play 25 leads and check the books')
    .description(
      'Start everything, send 25 varied leads to demo buyers, show what became of them, and compare ' +
        'what was booked with what the buyers took.',
    )
    .option('--keep', 'stay up afterwards, until Ctrl-C')
    .option('--json', 'print one JSON document instead of tables')
    .action(async (options: Partial<DemoOptions>) => {
      code = await stoppable(terminal, async (stop) => {
        const { demo } = await import('./commands/demo.js');
        return demo(terminal, stop, { keep: options.keep ?? false, json: options.json ?? false });
      });
    });
  addOperatorsCommands(program, terminal, (ended) => (code = ended));
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return isHelp(error, args) ? EXIT.done : EXIT.usage;
  }
  return code;
}

/** Listens for Ctrl-C before the command's code is loaded, so that no moment is without an orderly stop. */
async function stoppable(
  terminal: Terminal,
  run: (stop: StopSignal) => Promise<ExitCode>,
): Promise<ExitCode> {
  const stop = listenForStop({ process, say: terminal.say, now: () => performance.now() });
  try {
    return await run(stop);
  } finally {
    stop.release();
  }
}

/** Help that was asked for is no mistake; help because no command was named is. */
const isHelp = (error: CommanderError, args: readonly string[]): boolean =>
  error.exitCode === 0 && args.length > 0;
