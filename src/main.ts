/**
 * One entry point for every role: `node dist/src/main.js <all|intake|api|worker|delivery>` on outside servers. An older
 * Node cannot even link the program, so the program is imported after the check.
 */
import './app/runtime.js';

await import('./app/runRole.js');
