/** Runs the `leadwire` command, and ends the process with its exit code. */
import process from 'node:process';
import { describeError, EXIT, exitCodeOf, type ExitCode } from './terminal/errors.js';
import { OutputFailed, watchOutput } from './terminal/output.js';
import { runProgram } from './program.js';
import { createTerminal } from './terminal/terminal.js';

const output = watchOutput(process.stdout);
// A message that cannot be written cannot be reported either; the exit code remains.
process.stderr.on('error', () => undefined);

const args = process.argv.slice(2);
const terminal = createTerminal(process, args);
const explain = (error: unknown) =>
  terminal.say(
    `${terminal.sayPaint.red('Error:')} ${describeError(error, process.env.LOG_LEVEL === 'debug')}`,
  );
let code: ExitCode;
try {
  code = await runProgram(args, terminal);
} catch (error) {
  // A failure of the output is explained below, once.
  if (!(error instanceof OutputFailed)) explain(error);
  code = exitCodeOf(error);
}
const failure = await output.written();
if (failure) {
  explain(failure);
  // Other codes report a failure already, and say more of it.
  if (code === EXIT.done || code === EXIT.differs) code = EXIT.failed;
}
// Pipes are written in the background: leave only when this one is empty, too.
process.stderr.write('', () => process.exit(code));
