/** The commands and their options. A command's code is loaded when it is called, so that help is quick. */
import { CommanderError, Option, type Command } from 'commander';
import { addActionCommands } from './actions/commands.js';
import { readManifest } from './actions/manifest.js';
import { addAccessCommands } from './commands/accessCommands.js';
import { addAccountCommands } from './commands/accountCommands.js';
import { addFileCommands } from './commands/fileCommands.js';
import { addHelp } from './commands/help.js';
import { addHostCommands } from './commands/hostCommands.js';
import { addOperatorsCommands } from './commands/operatorsCommands.js';
import { CliCommand } from './terminal/command.js';
import { EXIT, type ExitCode } from './terminal/errors.js';
import { addTryCommands } from './commands/tryCommands.js';
import { COLOR_CHOICES, createPaint } from './output/paint.js';
import type { Terminal } from './terminal/terminal.js';
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
    return isHelp(error) ? EXIT.done : EXIT.failed;
  }
  return code;
}

/** The program for pages about it: it prints and runs nothing. */
export const describedProgram = (): Command => createProgram(nowhere(), () => undefined);

/** @param ended receives the exit code of the command that ran */
function createProgram(terminal: Terminal, ended: (code: ExitCode) => void): Command {
  const width = terminal.screen?.columns;
  const program = new CliCommand('leadwire', terminal, ended)
    .description('Open, self-hosted lead distribution.')
    .version(readVersion(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .configureHelp({ showGlobalOptions: true, helpWidth: Math.min(width ?? 100, 100) })
    .addOption(new Option('--profile <name>', 'the stored account to use'))
    .addOption(new Option('--color <when>', 'color').choices(COLOR_CHOICES))
    .addHelpText('after', AFTER_HELP)
    .showHelpAfterError('(leadwire --help shows the commands)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.say(text.trimEnd()),
    });
  addActionCommands(program, readManifest());
  addAccountCommands(program);
  addTryCommands(program);
  addFileCommands(program);
  addAccessCommands(program, describedProgram);
  addHostCommands(program);
  addOperatorsCommands(program);
  addHelp(program);
  return program;
}

/** Commander takes the code of help from the process, in which something else may have failed. */
const isHelp = ({ exitCode, code }: CommanderError): boolean =>
  exitCode === 0 || code === 'commander.help';

/** A terminal for a program that is only described: it prints, reads and runs nothing. */
const nowhere = (): Terminal => ({
  // Required, but never used: no command runs on this terminal.
  host: process,
  environment: {},
  print: () => undefined,
  say: () => undefined,
  paint: createPaint(false),
  sayPaint: createPaint(false),
  screen: null,
  isWatched: false,
  keyboard: {
    isTerminal: false,
    readAll: () => Promise.resolve(''),
    readBytes: () => Promise.resolve(new Uint8Array()),
    ask: () => Promise.resolve(null),
  },
});
