/** `lockProcess.js <path>` tries the lock, prints `mine` or `taken`, and ends with its input. */
import { acquireLock, LockHeldError } from '../../src/stack/fileLock.js';

try {
  acquireLock(process.argv[2] ?? '', {});
  process.stdout.write('mine\n');
} catch (error) {
  if (!(error instanceof LockHeldError)) throw error;
  process.stdout.write('taken\n');
}
process.stdin.resume();
