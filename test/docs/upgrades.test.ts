/** What only serves an upgrade is deleted in the version that its comment names: `@until 0.3`. */
import { globSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { manifest, readRoot, ROOT } from '../deploy/repository.js';

interface Upgrade {
  file: string;
  until: string;
}

const upgrades = globSync(['src/**/*.ts', 'activities/*.ts', 'workflows/*.ts', 'cli/**/*.ts'], {
  cwd: ROOT,
}).flatMap((file): Upgrade[] =>
  [...readRoot(file).matchAll(/^\s*(?:\/\*)?\*.*@until (\S+)/gm)].map(([, until = '']) => ({
    file,
    until,
  })),
);

const inOrder = (version: string): number => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major * 1_000 + minor;
};

const isDue = ({ until }: Upgrade, version: string): boolean => inOrder(version) >= inOrder(until);

describe('what only serves an upgrade', () => {
  it('names the version that deletes it', () => {
    expect(upgrades.length).toBeGreaterThan(5);
    for (const { until } of upgrades) expect(until).toMatch(/^\d+\.\d+$/);
  });

  it('is due for deletion with that version, and not before', () => {
    const one = { file: '', until: '0.3' };
    expect(['0.2.9', '0.3.0', '0.10.0', '1.0.0'].map((version) => isDue(one, version))).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  it('is not due for deletion: delete it, and its tests', () => {
    expect(upgrades.filter((one) => isDue(one, manifest().version))).toEqual([]);
  });
});
