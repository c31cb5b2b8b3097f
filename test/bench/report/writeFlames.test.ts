import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CpuProfile } from './flame.js';
import { writeFlames } from './writeFlames.js';

const profileOf = (url: string): CpuProfile => ({
  nodes: [{ id: 1, callFrame: { functionName: 'run', url } }],
  samples: [1],
  timeDeltas: [1_000],
});

describe('the flame graphs of a run', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leadwire-flames-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('are of the main thread and the thread of workflows of each process', async () => {
    const files = {
      '20261126.1.7.0.001': 'file:///app/dist/src/main.js',
      '20261126.1.7.1.002': 'file:///app/dist/workflow-bundle.js',
      '20261126.1.7.2.003': 'node:internal/worker',
      '20261126.1.70.0.001': 'file:///app/dist/src/main.js',
      '20261126.1.8.0.001': 'file:///app/dist/src/main.js',
    };
    for (const [name, url] of Object.entries(files))
      await writeFile(join(folder, `CPU.${name}.cpuprofile`), JSON.stringify(profileOf(url)));
    const out = join(folder, 'out');
    const processes = [
      { name: 'intake', pid: 7 },
      { name: 'delivery', pid: 8 },
    ];
    const expected = ['delivery.svg', 'intake-workflows.svg', 'intake.svg'];
    expect((await writeFlames(folder, processes, out)).toSorted()).toEqual(expected);
    expect((await readdir(out)).toSorted()).toEqual(expected);
  });
});
