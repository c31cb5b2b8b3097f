import { describe, expect, it } from '@jest/globals';
import { reportOn, type Tried } from './report.js';

const CAPS = 'src/routing/rules/caps.ts';
const tried = (of: Partial<Tried> = {}): Tried => ({
  file: CAPS,
  line: 7,
  original: 'a < b',
  replacement: 'a <= b',
  status: 'survived',
  ...of,
});

describe('the report of the mutants', () => {
  it('counts what tests notice, an endless loop included, of all', () => {
    const { score, text } = reportOn(
      [
        tried({ status: 'killed' }),
        tried({ status: 'killed' }),
        tried({ status: 'endless' }),
        tried({ file: 'src/fields/money.ts', status: 'unreached' }),
      ],
      [],
    );
    expect(score).toBe(75);
    const rows = text.split('\n').map((line) => line.split(/\s+/));
    expect(rows.slice(-4)).toEqual([
      ['File', 'killed', 'endless', 'of', 'score'],
      ['src/fields/money.ts', '0', '0', '1', '0.0'],
      [CAPS, '3', '1', '3', '100.0'],
      ['All', '3', '1', '4', '75.0'],
    ]);
  });

  it('lists each survivor with its place and its change, by file and line', () => {
    const { text, open } = reportOn(
      [
        tried({ line: 30 }),
        tried({ line: 4, status: 'unreached', original: '{\n  go();\n}', replacement: '{}' }),
        tried({ line: 9, status: 'killed' }),
      ],
      [],
    );
    expect(open).toBe(2);
    expect(text.split('\n').slice(0, 3)).toEqual([
      'Survivors:',
      `  ${CAPS}:4  { go(); }  ->  {}  (no test reaches it)`,
      `  ${CAPS}:30  a < b  ->  a <= b`,
    ]);
  });

  it('lists survivors with a reason apart, wherever the line moved, and as many as the list says', () => {
    const entry = {
      file: CAPS,
      original: 'a  < b',
      replacement: 'a <=\n b',
      reason: 'Never equal.',
    };
    const { text, score, open } = reportOn([tried(), tried({ line: 90 })], [entry]);
    expect({ score, open }).toEqual({ score: 0, open: 1 });
    expect(text.split('\n').slice(0, 6)).toEqual([
      'Survivors that are accepted:',
      `  ${CAPS}:7  a < b  ->  a <= b`,
      '      Never equal.',
      '',
      'Survivors:',
      `  ${CAPS}:90  a < b  ->  a <= b`,
    ]);
    expect(reportOn([tried(), tried({ line: 90 })], [{ ...entry, times: 2 }]).open).toBe(0);
  });

  it('names reasons that have become needless, of the files that were tried', () => {
    const entry = { file: CAPS, original: 'a < b', replacement: 'a <= b', reason: 'Never equal.' };
    const other = { ...entry, file: 'src/fields/money.ts' };
    const { text } = reportOn([tried({ status: 'killed' })], [entry, other]);
    expect(text.split('\n').slice(0, 3)).toEqual([
      'Accepted ones that did not survive: remove them from the list.',
      `  ${CAPS}  a < b  ->  a <= b`,
      '',
    ]);
  });
});
