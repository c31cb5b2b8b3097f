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
