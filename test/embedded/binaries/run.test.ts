import { describe, expect, it } from '@jest/globals';
import { run } from '../../../src/embedded/binaries/run.js';

const node = (script: string, options: Partial<Parameters<typeof run>[2]> = {}) =>
  run(process.execPath, ['-e', script], { timeout: 20_000, ...options });

describe('run', () => {
  it('returns what the program printed and hands it on line by line', async () => {
    const lines: string[] = [];
    const output = await node('console.log("a\\nb"); console.error("c")', {
      onLine: (line) => lines.push(line),
    });
    expect(output).toContain('a\nb\n');
    expect(lines.sort()).toEqual(['a', 'b', 'c']);
  });

  it('names a program that does not exist', async () => {
    await expect(run('no-such-program', [], { timeout: 1_000 })).rejects.toThrow(
      'no-such-program was not found',
    );
  });

  it('returns the exit and the last output of a program that fails', async () => {
    await expect(node('console.error("no route\\nto host"); process.exit(3)')).rejects.toThrow(
      /ended with 3: no route \/ to host$/,
    );
  });

  it('ends a program that takes too long', async () => {
    const running = node('setInterval(() => console.log("busy"), 20)', { timeout: 300 });
    await expect(running).rejects.toThrow('not done after 300 ms');
  });

  it('ends a download without progress, and not one whose size grows', async () => {
    const waiting = 'setTimeout(() => undefined, 2500)';
    let bytes = 0;
    const [stalled, growing] = await Promise.allSettled([
      node(waiting, { stallAfter: 1_200 }),
      node(waiting, { stallAfter: 1_200, size: () => (bytes += 1) }),
    ]);
    expect(stalled).toMatchObject({ reason: { message: 'no progress for 1 s' } });
    expect(growing.status).toBe('fulfilled');
  });
});
