import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoFilePath, readDemoFile, writeDemoFile } from '../../src/demo/file.js';
import type { DemoFile } from '../../src/demo/file.js';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'leadwire-demo-'));
});
afterEach(() => rm(home, { recursive: true }));

const content: DemoFile = {
  base_url: 'http://127.0.0.1:1',
  ingest_url: 'http://127.0.0.1:1',
  temporal_ui_url: null,
  temporal_address: '127.0.0.1:2',
  mongodb_uri: 'mongodb://127.0.0.1:3',
  org_api_key: 'a',
  read_only_api_key: 'b',
  supplier: { id: 's', api_key: 'c' },
  campaigns: { direct_post_id: 'd', ping_post_id: 'p' },
  buyer: { id: 'b', webhook_secret: 'w' },
};

describe('demo.json', () => {
  it('is read back as it was written, and only its owner may read it', async () => {
    await writeFile(demoFilePath(home), 'open to all', { mode: 0o644 });
    await writeDemoFile(home, content);
    expect(await readDemoFile(home)).toEqual(content);
    expect((await stat(demoFilePath(home))).mode & 0o777).toBe(0o600);
    expect(await readdir(home)).toEqual(['demo.json']);
  });

  it('creates its folder', async () => {
    await writeDemoFile(join(home, 'new'), content);
    expect(await readDemoFile(join(home, 'new'))).toEqual(content);
  });

  it('counts as absent when it is missing or not valid', async () => {
    expect(await readDemoFile(home)).toBeNull();
    await writeFile(demoFilePath(home), '{"base_url":1}');
    expect(await readDemoFile(home)).toBeNull();
  });
});
