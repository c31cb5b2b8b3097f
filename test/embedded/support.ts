import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/app/config.js';
import type { Reporter } from '../../src/embedded/reporter.js';
import { silentReporter } from '../support/silentReporter.js';
import type { StackOptions } from '../../src/embedded/stackOptions.js';

export interface TestFolder {
  path: string;
  remove(): void;
}

export function testFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'leadwire-stack-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Options for a real stack; the programs come from the user's cache, so that none is installed. */
export function stackOptions(home: string): StackOptions {
  const { cacheDir, mongodPath, temporalPath } = readConfig(process.env);
  const reporter = silentReporter;
  const temporalNamespace = 'leads';
  return { home, cacheDir, mongodPath, temporalPath, temporalNamespace, reporter, ports: 'any' };
}

/** Keeps the reported messages, one entry per call. */
export function recordingReporter(): Reporter & { said: string[] } {
  const said: string[] = [];
  const say = (kind: string) => (text: string) => void said.push(`${kind}: ${text}`);
  return {
    said,
    start: say('start'),
    progress: say('progress'),
    done: say('done'),
    fail: say('fail'),
    info: say('info'),
  };
}
