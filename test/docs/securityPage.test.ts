import { existsSync } from 'node:fs';
import { join } from 'node:path/posix';
import { describe, expect, it } from '@jest/globals';
import { readRoot, ROOT } from '../deploy/repository.js';
import { citationsOf } from './citedTests.js';

/** The level of each requirement of OWASP ASVS 5.0.0, levels 1 and 2, by its id. */
const LEVELS = JSON.parse(readRoot('test/fixtures/asvs-5.0.0-l1-l2.json')) as Record<
  string,
  number
>;
const VERDICTS = ['met', 'not applicable', 'gap', 'later', 'operator'];
const PAGE = readRoot('docs/security.md');

interface Row {
  id: string;
  phrase: string;
  level: number;
  verdict: string;
  how: string;
  test: string;
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

/** The rows of requirements: their first cell begins with an id. */
const rowsOf = (page: string): Row[] =>
  page
    .split('\n')
    .filter((line) => /^\| \d+\.\d+\.\d+ /.test(line))
    .map((line) => {
      const [requirement = '', level = '', verdict = '', how = '', test = ''] = cellsOf(line);
      const [id = '', ...words] = requirement.split(' ');
      return { id, phrase: words.join(' '), level: Number(level), verdict, how, test };
    });

const linksOf = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);

/** The anchor of a heading in Markdown: made of its words. */
const anchorsOf = (page: string): string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Whether a link of the page leads to an existing page and heading. */
function leads(target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? 'docs/security.md' : join('docs', path);
  if (!existsSync(join(ROOT, file))) return false;
  return anchor === undefined || anchorsOf(readRoot(file)).includes(anchor);
}

const rows = rowsOf(PAGE);
const named = (wrong: readonly Row[]): string[] => wrong.map(({ id }) => id);

describe('docs/security.md', () => {
  it('has each requirement of the levels 1 and 2 once, in its order, with its level', () => {
    expect(rows.map(({ id, level }) => [id, level])).toEqual(Object.entries(LEVELS));
    expect(rows).toHaveLength(253);
  });

  it('has a verdict and a phrase for each', () => {
    expect(named(rows.filter(({ verdict }) => !VERDICTS.includes(verdict)))).toEqual([]);
    expect(named(rows.filter(({ phrase }) => phrase === '' || phrase.length > 60))).toEqual([]);
  });

  it('shows the evidence of each requirement that is met: a test, or a page', () => {
    const met = rows.filter(({ verdict }) => verdict === 'met');
    const bare = met.filter(({ how, test }) => {
      const links = linksOf(how).filter((target) => !/^https?:/.test(target));
      return citationsOf(test).length === 0 && !links.some(leads);
    });
    expect(named(bare)).toEqual([]);
  });

  it('cites tests by their titles, never a whole file', () => {
    const cited = rows.flatMap(({ id, test }) => citationsOf(test).map((one) => ({ id, ...one })));
    expect(cited.filter(({ title }) => title === null)).toEqual([]);
  });

  it('gives a reason for each requirement that the service itself does not meet', () => {
    const others = rows.filter(({ verdict }) => verdict !== 'met');
    expect(named(others.filter(({ how }) => how.length < 15))).toEqual([]);
    const later = rows.filter(({ verdict }) => verdict === 'later');
    expect(named(later.filter(({ how }) => !how.startsWith('With sign-in')))).toEqual([]);
    const gaps = rows.filter(({ verdict }) => verdict === 'gap');
    expect(named(gaps.filter(({ how }) => !/[Cc]losed /.test(how)))).toEqual([]);
  });

  it('counts its verdicts', () => {
    const counted = Object.fromEntries(
      VERDICTS.map((one) => [one, rows.filter(({ verdict }) => verdict === one).length]),
    );
    const said = [...PAGE.matchAll(/^\| (met|not applicable|gap|later|operator) +\| +(\d+) /gm)];
    expect(
      Object.fromEntries(said.map(([, verdict = '', count]) => [verdict, Number(count)])),
    ).toEqual(counted);
  });

  it('links to existing pages and headings', () => {
    const targets = linksOf(PAGE).filter((target) => !/^(https?|mailto):/.test(target));
    expect(targets.length).toBeGreaterThan(20);
    expect([...new Set(targets)].filter((target) => !leads(target))).toEqual([]);
  });

  it('is linked from the pages that refer to it', () => {
    expect(linksOf(readRoot('README.md'))).toContain('docs/security.md');
    expect(linksOf(readRoot('docs/operations.md'))).toContain('security.md');
  });
});
