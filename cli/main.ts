#!/usr/bin/env -S node --max-semi-space-size=32
import '../src/app/runtime.js';
import process from 'node:process';
import { describeError, exitCodeOf } from './terminal/errors.js';
import { runProgram } from './program.js';
import { createTerminal } from './terminal/terminal.js';

// A reader that closes the output early (leadwire demo | head) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const args = process.argv.slice(2);
const terminal = createTerminal(process, args);
let code: number;
try {
  code = await runProgram(args, terminal);
} catch (error) {
  terminal.say(
    `${terminal.sayPaint.red('Error:')} ${describeError(error, process.env.LOG_LEVEL === 'debug')}`,
  );
  code = exitCodeOf(error);
}
// Pipes are written in the background: leave only when both are empty.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
