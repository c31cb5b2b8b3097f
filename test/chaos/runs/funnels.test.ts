import { describe, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { readConfig } from '../../../src/app/config.js';
import { plainReporter } from '../../../src/embedded/terminalReporter.js';
import { funnelMutants } from '../funnels/mutants.js';
import { describeFunnelRun, lastFunnelLine } from '../funnels/report.js';
import { runFunnelKills, type FunnelRunOptions } from '../funnels/run.js';

type Options = Pick<FunnelRunOptions, 'kills' | 'seed' | 'layout' | 'visitors' | 'planted'>;

const run = (options: Options) =>
  runFunnelKills({
    ...options,
    cacheDir: readConfig(process.env).cacheDir,
    reporter: plainReporter(() => undefined),
    say: () => undefined,
  });

const TEST_MS = 300_000;

describe('kills while visitors of a funnel submit', () => {
  it(
    'leave each visitor that was thanked with one lead and its consent, and no visitor with two',
    async () => {
      const result = await run({
        kills: 8,
        seed: 'eight kills',
        layout: 'together',
        visitors: 8,
      });
      const told = [...describeFunnelRun(result), lastFunnelLine(result)].join('\n');
      if (result.violations.length > 0) throw new Error(told);
      expect(told).toMatch(
        /^kills [78], visits \d+, thanked \d+, leads \d+, thanked without a lead 0, two leads 0, consent 0, other 0$/,
      );
      expect(result.kills['intake-1'] ?? result.kills['intake-2']).toBeGreaterThan(0);
      expect(result.evidence.visits.some(({ broken }) => broken > 0)).toBe(true);
    },
    TEST_MS,
  );
});

describe('planted bugs', () => {
  it(
    'are caught, each by its rule',
    async () => {
      const { violations, folder } = await run({
        kills: 0,
        seed: 'planted',
        layout: 'apart',
        visitors: 6,
        planted: Object.keys(funnelMutants),
      });
      if (folder !== null) await rm(folder, { recursive: true, force: true });
      const rules = new Set(violations.map(({ rule }) => rule));
      for (const { caughtBy } of Object.values(funnelMutants))
        expect(caughtBy.filter((rule) => rules.has(rule))).not.toEqual([]);
    },
    TEST_MS,
  );
});
