/**
 * A process of its own that owns a stack: prints one line of JSON when it has started, or the error, and
 * then waits to be killed. Arguments: the options of `startStack` as JSON.
 */
import { silentReporter } from '../support/silentReporter.js';
import { startStack } from '../../src/embedded/stack.js';
import { type StackOptions } from '../../src/embedded/stackOptions.js';

const options = JSON.parse(process.argv[2] ?? '{}') as Omit<StackOptions, 'reporter'>;
const stack = await startStack({ ...options, reporter: silentReporter });
process.stdout.write(`${JSON.stringify({ ...stack, home: options.home })}\n`);
