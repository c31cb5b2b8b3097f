/** Size budgets of what a browser must load, compressed with gzip, in kB of 1,000 bytes. */
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';

const WEB = 'dist/web/';
const FURTHER_KB = 40;
/** The budget of a funnel's first view, 15 kB with document and stylesheet: `browser/funnels/templates.test.ts`. */
const FUNNEL_SCRIPT_KB = 6.5;
const EMBED_KB = 1.5;

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
  dynamicImports?: string[];
  isEntry?: boolean;
}

let chunks: Record<string, Chunk>;
const sizes = new Map<string, number>();

beforeAll(async () => {
  chunks = JSON.parse(await readFile(`${WEB}manifest.json`, 'utf8')) as Record<string, Chunk>;
  for (const file of filesOf(Object.keys(chunks)))
    sizes.set(file, gzipSync(await readFile(`${WEB}${file}`), { level: 9 }).length / 1000);
});

/** Scripts and styles of these chunks and of all that they import statically. */
function filesOf(names: readonly string[]): Set<string> {
  const seen = new Set(names);
  for (const name of seen) for (const imported of chunks[name]?.imports ?? []) seen.add(imported);
  return new Set([...seen].flatMap((name) => [chunks[name]!.file, ...(chunks[name]!.css ?? [])]));
}

const kilobytes = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);

describe.each([
  ['main.tsx', 130],
  ['console.tsx', 200],
])('%s', (entry, firstScreenKb) => {
  it(`and any one screen are at most ${firstScreenKb} kB`, () => {
    const screens = chunks[entry]?.dynamicImports ?? [];
    expect(screens.length).toBeGreaterThan(0);
    const firsts = screens.map((screen) => [screen, kilobytes(filesOf([entry, screen]))] as const);
    expect(firsts.filter(([, size]) => size > firstScreenKb)).toEqual([]);
  });

  it(`loads at most ${FURTHER_KB} kB more for a further screen`, () => {
    const first = filesOf([entry]);
    const reached = new Set(chunks[entry]?.dynamicImports);
    for (const name of reached)
      for (const next of chunks[name]?.dynamicImports ?? []) reached.add(next);
    const further = [...reached].map(
      (screen) => [screen, kilobytes(filesOf([screen]).difference(first))] as const,
    );
    expect(further.filter(([, size]) => size > FURTHER_KB)).toEqual([]);
  });
});

describe('scripts of funnels', () => {
  const funnel = '../funnels/client/funnel.ts';
  const embed = '../funnels/client/embed.ts';

  it.each([
    [funnel, FUNNEL_SCRIPT_KB],
    [embed, EMBED_KB],
  ])('%s is one file of at most %s kB', (entry, most) => {
    const files = filesOf([entry]);
    expect(files.size).toBe(1);
    expect(kilobytes(files)).toBeLessThan(most);
  });

  it('can stand in a page of another site as a plain script', async () => {
    const text = await readFile(`${WEB}${chunks[embed]?.file}`, 'utf8');
    expect(text).not.toMatch(/\b(?:import|export)\b/);
  });
});
