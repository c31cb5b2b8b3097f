/** What the pages for maintainers name exists. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT, readRoot } from '../deploy/repository.js';

const PLACE =
  /`((?:src|workflows|activities|cli|test|docs|deploy|\.ci)\/[\w./-]*|[\w-]+\.(?:ts|tsx|mjs))`/g;

const allNames = new Set(
  ['src', 'workflows', 'activities', 'cli', 'test', '.ci']
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }))
    .map((path) => basename(path)),
);

/** Paragraphs, and the rows of tables each by itself. */
const passagesOf = (page: string): string[] =>
  page
    .split(/\n{2,}/)
    .flatMap((block) => (block.startsWith('|') ? block.split('\n') : [block.replace(/\n/g, ' ')]));

/** Names in one passage that exist nowhere. A bare file name belongs to a folder named before it, or is found by its name. */
function findMissing(passage: string): string[] {
  const folders: string[] = [];
  return [...passage.matchAll(PLACE)].flatMap(([, place = '']) => {
    const isPath = place.includes('/');
    const isFound = isPath
      ? existsSync(join(ROOT, place))
      : folders.length === 0
        ? allNames.has(place)
        : folders.some((folder) => existsSync(join(ROOT, folder, place)));
    if (isPath) folders.push(place, dirname(place));
    return isFound ? [] : [place];
  });
}

describe('the pages for maintainers', () => {
  it.each(['docs/architecture.md', 'docs/glossary.md', 'README.md'])(
    '%s names only files and folders that exist',
    (page) => {
      expect(passagesOf(readRoot(page)).flatMap(findMissing)).toEqual([]);
    },
  );
});

/** The rows of "A lead's way": the file of each step, and the files that it looks up. */
const leadsWay = (): { file: string; lookups: string[] }[] => {
  const [, section = ''] = readRoot('docs/architecture.md').split("### A lead's way, file by file");
  const [way = ''] = section.split('\n### ');
  return way
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [file = '', ...lookups] = [...line.matchAll(PLACE)].map(([, place = '']) => place);
      return { file, lookups };
    });
};

/** What a file imports, as paths from the root. */
const importsOf = (file: string): string[] =>
  [...readRoot(file).matchAll(/(?:from|import\() ?'(\.[^']+)\.js'/g)].map(
    ([, target = '']) => `${join(dirname(file), target)}.ts`,
  );

describe("a lead's way in docs/architecture.md", () => {
  const way = leadsWay();
  const steps = way.map(({ file }) => file);

  it('has at most 30 files, names each once, and changes rooms at most 12 times', () => {
    const all = way.flatMap(({ file, lookups }) => [file, ...lookups]);
    const rooms = steps.map((file) => file.split('/')[1]);
    expect(all.length).toBeGreaterThan(20);
    expect(all.length).toBeLessThanOrEqual(30);
    expect(new Set(all).size).toBe(all.length);
    expect(rooms.filter((room, at) => at > 0 && room !== rooms[at - 1]).length).toBeLessThanOrEqual(
      12,
    );
  });

  it('leads from each file to one that an earlier file or the wiring imports', () => {
    const wiring = ['src/app/startApi.ts', 'src/app/service.ts'].flatMap(importsOf);
    const unreached = steps.filter(
      (file, at) => at > 0 && ![...wiring, ...steps.slice(0, at).flatMap(importsOf)].includes(file),
    );
    expect(unreached).toEqual([]);
  });

  it('looks up only what the file of the step imports, itself or through one other file', () => {
    const astray = way.flatMap(({ file, lookups }) => {
      const near = importsOf(file).filter((path) => existsSync(join(ROOT, path)));
      const reached = new Set([...near, ...near.flatMap(importsOf)]);
      return lookups.filter((lookup) => !reached.has(lookup));
    });
    expect(astray).toEqual([]);
  });
});
