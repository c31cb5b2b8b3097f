import { describe, expect, it } from '@jest/globals';
import { endpoints } from '../../src/api/endpoints/index.js';
import { listSettings } from '../../src/app/config.js';
import { createMetrics } from '../../src/platform/metrics.js';
import { manifest, readRoot } from './repository.js';
import { settingsTable, withSettings } from './settingsTable.js';

const PAGE = readRoot('docs/operations.md');

describe('docs/operations.md', () => {
  it('has the settings that src/app/config.ts has (npm run docs:settings writes them)', () => {
    expect(withSettings(PAGE, listSettings())).toBe(PAGE);
  });

  it('names every metric of the service, and no other', async () => {
    const all = await createMetrics({ ofProcess: true }).everything.getMetricsAsJSON();
    const real = all.map(({ name }) => name);
    const named = PAGE.match(/\b(leadwire|nodejs|process|temporal)_\w+[a-z]\b/g) ?? [];
    const others = ['leadwire_postgresql', 'leadwire_secret'];
    const metrics = [...new Set(named)].filter((name) => !others.includes(name));
    expect(real).toEqual(expect.arrayContaining(metrics));
    const own = real.filter((name) => /^(leadwire|temporal)_/.test(name));
    expect(metrics).toEqual(expect.arrayContaining(own));
  });

  it('names only endpoints that the metrics have', () => {
    const named = [...PAGE.matchAll(/endpoint="(\w+)"/g)].map(([, id]) => id);
    expect(endpoints.map(({ id }) => id)).toEqual(expect.arrayContaining(named));
    expect(named.length).toBeGreaterThan(0);
  });

  it('names scripts that exist', () => {
    const scripts = [...PAGE.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
    expect(Object.keys(manifest().scripts)).toEqual(expect.arrayContaining(scripts));
  });
});

describe('the settings', () => {
  it('all have a description', () => {
    expect(listSettings().filter(({ meaning }) => meaning === '')).toEqual([]);
  });

  it.each([
    ['PORT', '8080'],
    ['TRUST_PROXY', 'false'],
    ['LOG_LEVEL', 'info'],
    ['HEALTH_PORT', ''],
    ['LEADWIRE_SECRET', ''],
  ])('have for %s the default "%s"', (name, expected) => {
    expect(listSettings().find((setting) => setting.name === name)?.default).toBe(expected);
  });
});

describe('the table of settings', () => {
  const one = { name: 'A', default: '', meaning: 'this | that' };

  it('has columns as wide as their widest cells, and escapes a bar inside a cell', () => {
    expect(settingsTable([one, { name: 'LONGER', default: '12', meaning: 'x' }])).toBe(
      [
        '| Setting  | Default | Meaning      |',
        '| -------- | ------- | ------------ |',
        '| `A`      |         | this \\| that |',
        '| `LONGER` | `12`    | x            |',
      ].join('\n'),
    );
  });

  it('replaces only the text between its marks', () => {
    const [start = '', end = ''] = PAGE.match(/<!-- .*settings.*-->/g) ?? [];
    const page = `before\n\n${start}\n\nold\n\n${end}\n\nafter\n`;
    expect(withSettings(page, [one])).toBe(
      `before\n\n${start}\n\n${settingsTable([one])}\n\n${end}\n\nafter\n`,
    );
  });

  it('refuses a page without its marks', () => {
    expect(() => withSettings('no marks', [one])).toThrow('The page has no line "<!-- settings');
  });
});
