/** deploy/leadwire.service: it stops `leadwire up` in order, and is what systemd understands. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { STOP_TIMEOUTS_MS } from '../../src/embedded/guardMessages.js';
import { readRoot } from './repository.js';

const UNIT = readRoot('deploy/leadwire.service');
const setting = (name: string): string | undefined =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(UNIT)?.[1];

/** Requests in flight, then the servers and their guard; a delay of 30 s is what the operations guide promises room for. */
const STOP_MS = 30_000 + 30_000 + STOP_TIMEOUTS_MS.mongod + STOP_TIMEOUTS_MS.temporal + 5_000;

describe('deploy/leadwire.service', () => {
  it('waits for longer than a stop takes, and tells the main process alone to stop', () => {
    expect(Number(setting('TimeoutStopSec')) * 1_000).toBeGreaterThan(STOP_MS);
    expect(setting('KillMode')).toBe('mixed');
    expect(setting('Restart')).toBe('on-failure');
  });

  it('may write its own folders alone, and has no capabilities', () => {
    expect(setting('ProtectSystem')).toBe('strict');
    expect(setting('NoNewPrivileges')).toBe('true');
    expect(setting('CapabilityBoundingSet')).toBe('');
    expect(setting('Environment')).toContain(`LEADWIRE_HOME=/var/lib/${setting('StateDirectory')}`);
    expect(setting('Environment')).toContain(
      `LEADWIRE_CACHE=/var/cache/${setting('CacheDirectory')}`,
    );
    expect(UNIT).not.toMatch(/^ReadWritePaths=/m);
  });

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
  (hasSystemd ? it : it.skip)('is a unit that systemd understands', () => {
    const folder = mkdtempSync(join(tmpdir(), 'leadwire-unit-'));
    try {
      const path = join(folder, 'leadwire.service');
      // The program and its user are not installed here.
      const runnable = UNIT.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`);
      writeFileSync(path, runnable.replaceAll(/^(User|Group)=.*$/gm, '$1=root'));
      const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path]);
      const said = `${String(stdout)}${String(stderr)}`.split('\n');
      expect(said.filter((line) => line.includes('leadwire.service'))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
