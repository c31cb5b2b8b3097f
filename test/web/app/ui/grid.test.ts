/** What is typed into a grid: how texts become values, and what becomes of it when others change the same rows. */
import { describe, expect, it } from '@jest/globals';
import {
  choiceCell,
  flagCell,
  listCell,
  moneyCell,
  numberCell,
} from '../../../../src/web/app/ui/grid/cells.js';
import {
  cellsOf,
  changesOf,
  clashesOf,
  faultyCells,
  NO_EDITS,
  overTheirs,
  stillChanging,
  typed,
  withEdit,
  withoutClashes,
  type CellPlace,
  type Edits,
} from '../../../../src/web/app/ui/grid/edits.js';

describe('a cell', () => {
  const cap = numberCell({ min: 0, max: 1_000, isWhole: true, isOptional: true });
  const price = moneyCell({});
  it.each([
    [cap, '', { value: null }],
    [cap, ' 1,000 ', { value: 1_000 }],
    [cap, '1001', { fault: 'From 0 to 1000.' }],
    [cap, '-1', { fault: 'From 0 to 1000.' }],
    [cap, '1.5', { fault: 'A whole number.' }],
    [cap, '1,50', { fault: '“1,50” is not a number. Write 1500 or 12.50.' }],
    [cap, 'Infinity', { fault: '“Infinity” is not a number. Write 1500 or 12.50.' }],
    [cap, '0x10', { fault: '“0x10” is not a number. Write 1500 or 12.50.' }],
    [price, '$1,250.50', { value: 1_250.5 }],
    [price, '€ 3', { value: 3 }],
    [price, '.5', { value: 0.5 }],
    [price, '', { fault: 'This cell needs a value.' }],
    [price, '-2', { fault: 'At least 0.' }],
    [price, '1.00001', { fault: 'At most 4 decimals.' }],
    [price, '.', { fault: '“.” is not a number. Write 1500 or 12.50.' }],
    [flagCell, 'YES', { value: true }],
    [flagCell, 'maybe', { fault: 'Yes or No.' }],
    [listCell(3), 'ca; tx NY', { value: ['ca', 'tx', 'NY'] }],
    [listCell(1), 'ca tx', { fault: 'At most 1 entries.' }],
  ] as const)('%# reads a text, or says the rule', (kind, text, reading) => {
    expect(kind.read(text)).toEqual(reading);
  });

  it('of a choice takes its label or its value, in any case', () => {
    const status = choiceCell([
      { value: 'active', label: 'Active' },
      { value: 'paused', label: 'Paused' },
    ]);
    expect(status.read(' PAUSED')).toEqual({ value: 'paused' });
    expect(status.read('gone')).toEqual({ fault: 'One of Active, Paused.' });
    expect(status.write('active')).toBe('Active');
  });
});

const PRICE = { row: 'acme', column: 'price' };
const CAP = { row: 'acme', column: 'daily_cap' };

/** Price 20 → 25, typed over what was stored; and a cap that breaks a rule. */
function edited(): Edits {
  const price = typed(moneyCell({}), 20, '25');
  const cap = typed(numberCell({ isOptional: true }), 100, 'many');
  return withEdit(withEdit(NO_EDITS, PRICE, price), CAP, cap);
}

const storedAs = (price: unknown) => (place: CellPlace) =>
  place.row !== 'acme' ? undefined : place.column === 'price' ? price : 100;

describe('edits', () => {
  it('keep what was typed, and give an action what is valid', () => {
    const edits = edited();
    expect(cellsOf(edits)).toHaveLength(2);
    expect(changesOf(edits)).toEqual([{ row: 'acme', values: { price: 25 } }]);
    expect(faultyCells(edits)).toMatchObject([{ ...CAP, fault: expect.stringContaining('many') }]);
  });

  it('are gone where a cell is typed back to what it was', () => {
    const [first] = cellsOf(edited());
    expect(typed(moneyCell({}), 20, '$20.00', first?.edit)).toBeNull();
    expect(withEdit(withEdit(edited(), PRICE, null), CAP, null)).toEqual(NO_EDITS);
  });

  it('clash with what others have stored meanwhile, and with nothing else', () => {
    const edits = withEdit(edited(), CAP, null);
    expect(clashesOf(edits, storedAs(20))).toEqual([]);
    // They stored the same.
    expect(clashesOf(edits, storedAs(25))).toEqual([]);
    const clashes = clashesOf(edits, storedAs(22));
    expect(clashes).toEqual([{ ...PRICE, from: 20, theirs: 22, mine: 25 }]);
    expect(withoutClashes(edits, clashes)).toEqual(NO_EDITS);
    const mine = overTheirs(edits, clashes);
    expect(clashesOf(mine, storedAs(22))).toEqual([]);
    expect(changesOf(mine)).toEqual([{ row: 'acme', values: { price: 25 } }]);
  });

  it('end where they are stored, or where their row is gone', () => {
    const edits = withEdit(edited(), CAP, null);
    expect(stillChanging(edits, storedAs(22))).toEqual(edits);
    expect(stillChanging(edits, storedAs(25))).toEqual(NO_EDITS);
    expect(stillChanging(edits, () => undefined)).toEqual(NO_EDITS);
    // A text with a fault stays: nothing that was typed is lost.
    expect(stillChanging(edited(), storedAs(25)).get('acme')?.has('daily_cap')).toBe(true);
  });
});
