#!/usr/bin/env -S node --max-semi-space-size=32
/** The `leadwire` command. An older Node cannot even link the program, so the program is imported after the check. */
import '../src/app/runtime.js';

const [{ keepHeapSmall }, { run }] = await Promise.all([
  import('../src/app/keepHeapSmall.js'),
  import('./run.js'),
]);
keepHeapSmall();
const code = await run(process);
// Pipes are written in the background: leave only when this one is empty, too.
process.stderr.write('', () => process.exit(code));
