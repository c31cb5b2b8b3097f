/** Stops a process as a machine that stalls does. */
import { readdirSync, readFileSync } from 'node:fs';
import { waitFor } from './waitFor.js';

/**
 * Sends SIGSTOP, and resolves when every thread has stopped: on a busy machine a thread may work on for a while, and a
 * server among them answer one more request.
 */
export async function stopProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  const tasks = `/proc/${pid}/task`;
  const isStopped = (task: string): boolean =>
    // The state follows the name, which is in parentheses and may contain some.
    /^.*\) T /s.test(readFileSync(`${tasks}/${task}/stat`, 'utf8'));
  await waitFor(() => readdirSync(tasks).every(isStopped), {
    message: `every thread of process ${pid} has stopped`,
  });
}
