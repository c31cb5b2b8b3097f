#!/usr/bin/env -S node --max-semi-space-size=32
/** The `leadwire` command. An older Node cannot even link the program, so the program is imported after the check. */
import '../src/app/runtime.js';

await import('./run.js');
