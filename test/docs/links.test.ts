/** Every link and picture of the documentation leads somewhere. */
import { existsSync, globSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT, readRoot } from '../deploy/repository.js';

const PAGES = ['*.md', 'docs/**/*.md', 'clients/*.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: ROOT }),
);
const LINK = /\]\(([^)\s]+)\)/g;
const PICTURES = 'docs/images/console';
const PICTURE_MAX_BYTES = 200_000;

/** What is between fences or backticks is no link. */
const proseOf = (page: string): string =>
  readRoot(page)
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`/g, '``');

/** As GitHub makes them of headings. */
const anchorsOf = (page: string): string[] =>
  [...readRoot(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The links of a page to files of the repository, from its root. */
const linksOf = (page: string): { path: string; anchor?: string }[] =>
  [...proseOf(page).matchAll(LINK)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [path = '', anchor] = target.split('#');
    return [{ path: path === '' ? page : join(dirname(page), path), anchor }];
  });

const isFound = ({ path, anchor }: { path: string; anchor?: string }): boolean => {
  if (!existsSync(join(ROOT, path))) return false;
  return anchor === undefined || !path.endsWith('.md') || anchorsOf(path).includes(anchor);
};

describe('the documentation', () => {
  it('has pages', () => {
    expect(PAGES).toEqual(expect.arrayContaining(['README.md', 'docs/console.md']));
  });

  it.each(PAGES)('%s links to files, headings and pictures that exist', (page) => {
    expect(linksOf(page).filter((link) => !isFound(link))).toEqual([]);
  });

  it('shows every picture of the console that is kept, each of a size that a page can load', () => {
    const shown = new Set(PAGES.flatMap(linksOf).map(({ path }) => path));
    const kept = readdirSync(join(ROOT, PICTURES)).map((name) => `${PICTURES}/${name}`);
    expect(kept.filter((path) => !shown.has(path))).toEqual([]);
    const large = kept.filter((path) => statSync(join(ROOT, path)).size > PICTURE_MAX_BYTES);
    expect(large.map((path) => relative(PICTURES, path))).toEqual([]);
  });
});
