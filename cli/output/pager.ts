/** A pager for text that is longer than the terminal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Environment } from './paint.js';
import type { Terminal } from '../terminal/terminal.js';

/** A shell's exit code: there is no such command. */
const NOT_FOUND = 127;

/** LEADWIRE_PAGER before PAGER before less; an empty one, and `cat`, mean none. */
export function pagerOf(environment: Environment): string | null {
  const pager = environment.LEADWIRE_PAGER ?? environment.PAGER ?? 'less';
  return pager.trim() === '' || pager.trim() === 'cat' ? null : pager;
}

/** Prints it, through the pager where it is longer than the terminal. Closing the pager early is no failure. */
export async function printLong(text: string, terminal: Terminal): Promise<void> {
  const { screen, environment, print, host } = terminal;
  const pager = pagerOf(environment);
  const lines = text.split('\n').length;
  if (!screen || pager === null || lines < screen.rows) {
    print(text);
    return;
  }
  const child = spawn(pager, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    // Ends at once when it fits, passes colors on, ignores case, leaves the text on the screen.
    env: { LESS: 'FIRX', LESSCHARSET: 'utf-8', LV: '-c', ...environment },
  });
  child.stdin.on('error', () => undefined);
  // Ctrl-C belongs to the pager while it runs.
  const ignore = () => undefined;
  host.on('SIGINT', ignore);
  try {
    child.stdin.end(`${text}\n`);
    const [code] = (await once(child, 'close')) as [number | null];
    if (code === NOT_FOUND) print(text);
  } finally {
    host.off('SIGINT', ignore);
  }
}
