/** Runs the `leadwire` command on its process. */
import { describeError, EXIT, exitCodeOf, type ExitCode } from './terminal/errors.js';
import { OutputFailed, watchOutput } from './terminal/output.js';
import { runProgram } from './program.js';
import type { Host } from './terminal/keyboard.js';
import { createTerminal } from './terminal/terminal.js';
import { watchForUpdate } from './client/updateNotice.js';

/** @returns the exit code, once all results are written, or cannot be */
export async function run(host: Host): Promise<ExitCode> {
  const output = watchOutput(host.stdout);
  // A message that cannot be written cannot be reported either; the exit code remains.
  host.stderr.on('error', () => undefined);
  const args = host.argv.slice(2);
  const terminal = createTerminal(host, args);
  const explain = (error: unknown) =>
    terminal.say(
      `${terminal.sayPaint.red('Error:')} ${describeError(error, host.env.LOG_LEVEL === 'debug')}`,
    );
  const notice = watchForUpdate(terminal, Date.now());
  let code: ExitCode;
  try {
    code = await runProgram(args, terminal);
  } catch (error) {
    // A failure of the output is explained below, once.
    if (!(error instanceof OutputFailed)) explain(error);
    code = exitCodeOf(error);
  }
  await notice.show();
  const failure = await output.written();
  if (failure === null) return code;
  explain(failure);
  // Other codes report a failure already, and say more of it.
  return code === EXIT.done || code === EXIT.differs ? EXIT.failed : code;
}
