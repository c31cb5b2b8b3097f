/** `--jq`: the language of jq, without jq being installed. */
import { describeError, UsageError } from '../terminal/errors.js';
import { visibleLines } from './cells.js';

/**
 * What the filter gives, a result a line; texts without quotes, as `jq -r`, and without what commands a terminal.
 * @throws {UsageError} for a filter that jq cannot read, or that fails on the value
 */
export async function runJq(value: unknown, filter: string): Promise<string> {
  // A megabyte of WebAssembly: only when it is asked for.
  const jq = await import('jq-wasm');
  try {
    return visibleLines((await jq.raw(JSON.stringify(value), filter, ['-r', '-c'])).trimEnd());
  } catch (error) {
    const text = describeError(error, false).replace(/^(?:.*jq: )?error(?: \(at [^)]*\))?: /s, '');
    throw new UsageError(`--jq: ${text.trim()}`);
  }
}
