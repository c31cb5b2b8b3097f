import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aRun } from '../checker/stories.js';
import { loadEvidence, saveEvidence } from './evidenceFile.js';

describe('evidence on disk', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leadwire-evidence-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is the same when it is read again, including dates', async () => {
    const run = aRun();
    run.row(run.lead(run.asks()), 'holding');
    const evidence = run.finish();
    evidence.aim = { rate: 20, seconds: 26, kills: 10, whole: true };
    evidence.ends = [{ at: 1, name: 'api', served: true }];
    await saveEvidence(join(folder, 'evidence.jsonl'), evidence);
    expect(await loadEvidence(join(folder, 'evidence.jsonl'))).toEqual(evidence);
  });
});
