import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keepPorts, readPorts } from '../../src/embedded/homePorts.js';

describe('the ports of a home', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'leadwire-ports-'));
    path = join(folder, 'ports.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are kept, those of one part without those of another', () => {
    keepPorts(path, { mongodb: 27_017, temporal: 7_233, temporal_ui: 8_233 });
    keepPorts(path, { api: 8_080 });
    keepPorts(path, { mongodb: 40_001 });
    expect(readPorts(path)).toEqual({
      mongodb: 40_001,
      temporal: 7_233,
      temporal_ui: 8_233,
      api: 8_080,
    });
    expect(readdirSync(folder)).toEqual(['ports.json']);
  });

  it.each([
    ['no file', null],
    ['no JSON', '{"mongodb":'],
    ['null', 'null'],
    ['no ports', '{"mongodb":0,"temporal":65536,"temporal_ui":"8233","api":1.5,"other":80}'],
  ])('are unknown where there is %s', (_, content) => {
    if (content !== null) writeFileSync(path, content);
    expect(readPorts(path)).toEqual({});
  });
});
