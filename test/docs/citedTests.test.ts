import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { readRoot, ROOT } from '../deploy/repository.js';
import { citationsOf, faultOf, titlesOf } from './citedTests.js';

const root = pathToFileURL(`${ROOT}/`);
const PAGES = ['docs/contract.md', 'docs/security.md'];

describe.each(PAGES)('%s', (page) => {
  const text = readRoot(page);

  it('cites tests that exist, under their titles', () => {
    const citations = citationsOf(text);
    expect(citations.length).toBeGreaterThan(50);
    expect(citations.map((one) => faultOf(one, root)).filter((fault) => fault !== null)).toEqual(
      [],
    );
  });

  it('names no test file in another form, which would not be checked', () => {
    const named = text.match(/[\w/.-]+\.test\.ts/g) ?? [];
    const checked = new Set(citationsOf(text).map(({ file }) => file));
    expect(named.filter((file) => !checked.has(file))).toEqual([]);
  });
});

describe('a section of the contract that a comment cites', () => {
  const headings = new Set(
    [...readRoot('docs/contract.md').matchAll(/^### (\d+\.\d+) /gm)].map(
      ([, number = '']) => number,
    ),
  );

  it.each(['src', 'activities', 'workflows', 'cli', 'test'])('exists, in %s', (folder) => {
    const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    const faults = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const text = readRoot(join(folder, file));
        const cited = [...text.matchAll(/\bcontract (\d+\.\d+(?:, \d+\.\d+)*)/gi)];
        return cited
          .flatMap(([, numbers = '']) => numbers.split(', '))
          .filter((number) => !headings.has(number))
          .map((number) => `${folder}/${file} cites contract ${number}`);
      });
    expect(faults).toEqual([]);
  });
});

describe('a citation', () => {
  it('is a file in code marks, with the titles that follow it in quotes', () => {
    expect(
      citationsOf('Kept (`test/a/b.test.ts` "is\n kept", "is told"; `test/c.test.ts`), "as is".'),
    ).toEqual([
      { file: 'test/a/b.test.ts', title: 'is kept' },
      { file: 'test/a/b.test.ts', title: 'is told' },
      { file: 'test/c.test.ts', title: null },
    ]);
  });

  it('may have a part of a title', () => {
    const file = 'test/docs/citedTests.test.ts';
    expect(faultOf({ file, title: 'a part of a title' }, root)).toBeNull();
    expect(faultOf({ file, title: null }, root)).toBeNull();
  });

  it('is faulty when the file or the title is not there', () => {
    const file = 'test/docs/citedTests.test.ts';
    expect(faultOf({ file, title: ['never', 'written'].join(' ') }, root)).toBe(
      `${file} has no test called "never written"`,
    );
    expect(faultOf({ file: 'test/none.test.ts', title: null }, root)).toBe(
      'test/none.test.ts does not exist',
    );
  });
});

describe('the titles of a test file', () => {
  it('are those of describe and it, with each and conditions, and not other texts', () => {
    const source = `
      describe('one', () => {
        it("two 'of'", () => { expect('three').toBe('four'); });
        it.each([['five']])('six %s', () => {});
        (true ? it : it.skip)(\`seven \${eight} nine\`, () => {});
      });`;
    expect(titlesOf(source)).toEqual(['one', "two 'of'", 'six %s', 'seven … nine']);
  });
});
