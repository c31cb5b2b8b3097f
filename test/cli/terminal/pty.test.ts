/**
 * The program on a terminal of its own: what only a terminal shows. Everything else is tested in this process, by
 * `runCli`. The terminal is that of `script`, which is a part of every Linux; its size is set by `stty`.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { MAIN } from '../../support/program.js';
import { waitFor } from '../../support/waitFor.js';
import { startCliAccount, type CliAccount } from '../cliAccount.js';

const CTRL_C = '\u0003';

let account: CliAccount;
beforeAll(async () => {
  account = await startCliAccount();
});
afterAll(() => account.stop());

interface Session {
  /** What is on the screen so far, with its control sequences. */
  raw: () => string;
  type: (keys: string) => void;
  shows: (what: RegExp) => Promise<unknown>;
  /** Its exit code. */
  ended: Promise<number | null>;
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Runs it on a terminal of this width. */
function onTerminal(columns: number, args: readonly string[]): Session {
  const program = [process.execPath, MAIN, ...args].map(quoted).join(' ');
  const line = `stty cols ${columns} rows 24; exec ${program}`;
  // -e: with the exit code of the program.
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    env: environment(),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const read = readAll(child);
  return {
    raw: read,
    type: (keys) => void child.stdin.write(keys),
    shows: (what) =>
      waitFor(() => what.test(stripVTControlCharacters(read())), {
        message: `it shows ${String(what)}`,
        timeoutMs: 60_000,
      }),
    ended: once(child, 'close').then(([code]) => code as number | null),
  };
}

const environment = (): NodeJS.ProcessEnv => ({
  ...account.surroundings,
  LEADWIRE_API_KEY: account.keys.all,
  PATH: process.env.PATH,
  SHELL: '/bin/sh',
  TERM: 'xterm-256color',
});

function readAll({ stdout }: ChildProcess): () => string {
  let text = '';
  stdout?.setEncoding('utf8').on('data', (part: string) => (text += part));
  return () => text;
}

/** The longest line, without colors. */
const widthOf = (text: string): number =>
  Math.max(
    ...stripVTControlCharacters(text)
      .split(/\r?\n/)
      .map((line) => line.length),
  );

// On other systems `script` has other flags.
(process.platform === 'linux' ? describe : describe.skip)('on a terminal', () => {
  it('a list is as wide as the terminal, with color for its status', async () => {
    const narrow = onTerminal(60, ['campaigns', 'list']);
    const wide = onTerminal(140, ['campaigns', 'list']);
    expect([await narrow.ended, await wide.ended]).toEqual([0, 0]);
    const [table = '', note = ''] = narrow.raw().split(/(?=Too narrow)/);
    expect(widthOf(table)).toBeLessThanOrEqual(60);
    expect(table).toContain('\u001b[32mACTIVE\u001b[39m');
    expect(note).toMatch(/^Too narrow for .*created_at/);
    expect(wide.raw()).not.toContain('Too narrow');
    expect(stripVTControlCharacters(wide.raw())).toMatch(/STATUS +NAME +ID .* CREATED ET/);
  });

  it('a question is asked where it is typed, and Ctrl-C answers it with 2', async () => {
    const asked = onTerminal(80, ['suppliers', 'rotate-key', account.ids.supplier]);
    await asked.shows(/This cannot be undone\. \[y\/N\] /);
    asked.type(CTRL_C);
    expect(await asked.ended).toBe(2);
    expect(asked.raw()).toContain('Nothing was done.');
    const declined = onTerminal(80, ['suppliers', 'rotate-key', account.ids.supplier]);
    await declined.shows(/\[y\/N\] /);
    declined.type('n\r');
    expect(await declined.ended).toBe(2);
  });

  it('a watched list is drawn in its place until Ctrl-C, which is its end', async () => {
    const watched = onTerminal(100, ['buyers', 'list', '--watch', '2']);
    await watched.shows(/every 2 s/);
    await account.run(['buyers', 'create', '--name', 'Arrived']);
    await watched.shows(/Arrived/);
    watched.type(CTRL_C);
    expect(await watched.ended).toBe(0);
    // The second picture begins where the first did: three lines up.
    expect(watched.raw()).toContain('\u001b[3F\u001b[2mleadwire buyers list, ');
  });
});

describe('in a pipe', () => {
  it('what follows something ends with its reader, where nothing comes that it could write', async () => {
    const program = [process.execPath, MAIN, 'leads', 'tail'].map(quoted).join(' ');
    // The status of the program, not that of the reader.
    const line = `{ ${program}; echo "ended with $?" >&2; } | true`;
    const child = spawn('sh', ['-c', line], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
    await once(child, 'close');
    expect(said).toBe('ended with 0\n');
  });
});
