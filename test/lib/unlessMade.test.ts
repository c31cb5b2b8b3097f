import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { unlessMade } from '../../src/lib/unlessMade.js';

describe('a step of the build', () => {
  let home: string;
  let times: number;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'leadwire-made-'));
    times = 0;
    await mkdir(join(home, 'sources/deep'), { recursive: true });
    await writeFile(join(home, 'sources/deep/one.js'), 'one');
    await writeFile(join(home, 'sources/one.map'), 'map');
    await writeFile(join(home, 'lock'), 'lock');
  });
  afterEach(() => rm(home, { recursive: true }));

  const step = (make = () => Promise.resolve()) =>
    unlessMade(
      {
        stamp: join(home, 'stamp'),
        sources: [join(home, 'sources'), join(home, 'lock')],
        counts: (path) => !path.endsWith('.map'),
      },
      () => {
        times += 1;
        return make();
      },
    );

  it('is done once, and again when a file has changed, come or gone', async () => {
    await step();
    await step();
    expect(times).toBe(1);
    await writeFile(join(home, 'sources/deep/one.js'), 'two');
    await step();
    expect(times).toBe(2);
    await writeFile(join(home, 'sources/two.js'), '');
    await step();
    expect(times).toBe(3);
    await rm(join(home, 'sources/two.js'));
    await step();
    await writeFile(join(home, 'lock'), 'another');
    await step();
    await step();
    expect(times).toBe(5);
  });

  it('is not done again for a file that does not count', async () => {
    await step();
    await writeFile(join(home, 'sources/one.map'), 'another');
    await step();
    expect(times).toBe(1);
  });

  it('is done again after one that failed, even where an earlier one had succeeded', async () => {
    await step();
    await writeFile(join(home, 'lock'), 'another');
    await expect(step(() => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
    await writeFile(join(home, 'lock'), 'lock');
    await step();
    expect(times).toBe(3);
    expect(await readFile(join(home, 'stamp'), 'utf8')).toMatch(/^[0-9a-f]{64}$/);
  });
});
