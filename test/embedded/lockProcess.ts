/**
 * `lockProcess.js <path> [host] [beat]` tries the lock, prints `mine` or `taken`, then `lost` if it loses it, and ends
 * with its input. It touches the lock every `beat` milliseconds and claims to run on `host`.
 */
import { hostname } from 'node:os';
import { acquireLock, LockHeldError } from '../../src/embedded/fileLock.js';

const [path = '', host = hostname(), beat = '5000'] = process.argv.slice(2);
try {
  const lock = await acquireLock(path, {}, { host, beatEvery: Number(beat) });
  process.stdout.write('mine\n');
  void lock.lost.then(() => process.stdout.write('lost\n'));
} catch (error) {
  if (!(error instanceof LockHeldError)) throw error;
  process.stdout.write('taken\n');
}
process.stdin.resume();
