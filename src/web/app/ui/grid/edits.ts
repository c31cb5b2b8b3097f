/** What was typed into a grid and is not saved: kept by row and column, and laid over the rows as they are now. */
import type { CellKind, CellValue } from './cells.js';

/** One cell that was changed. */
export interface Edit {
  /** Its value when it was first changed. */
  from: CellValue;
  /** As it was typed. */
  text: string;
  /** Absent where the text breaks a rule. */
  to?: CellValue;
  fault?: string;
}

/** By the key of the row, then by the id of the column. */
export type Edits = ReadonlyMap<string, ReadonlyMap<string, Edit>>;

export interface CellPlace {
  row: string;
  column: string;
}

export const NO_EDITS: Edits = new Map();

/** Whether two values are the same; absent and null are. */
export const isSame = (a: CellValue, b: CellValue): boolean =>
  JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

export const editAt = (edits: Edits, { row, column }: CellPlace): Edit | undefined =>
  edits.get(row)?.get(column);

/**
 * What typing a text makes of a cell; null: the cell is as it was.
 * @param now its value, without the edit
 */
export function typed(kind: CellKind, now: CellValue, text: string, before?: Edit): Edit | null {
  const from = before ? before.from : now;
  const reading = kind.read(text);
  if (reading.fault !== undefined) return { from, text, fault: reading.fault };
  if (isSame(reading.value, now)) return null;
  return { from, text: kind.write(reading.value), to: reading.value };
}

/** @param edit null: the cell is as it was */
export function withEdit(edits: Edits, { row, column }: CellPlace, edit: Edit | null): Edits {
  const cells = new Map(edits.get(row));
  if (edit) cells.set(column, edit);
  else cells.delete(column);
  const all = new Map(edits);
  if (cells.size > 0) all.set(row, cells);
  else all.delete(row);
  return all;
}

/** Every cell that was changed. */
export const cellsOf = (edits: Edits): (CellPlace & { edit: Edit })[] =>
  [...edits].flatMap(([row, cells]) => [...cells].map(([column, edit]) => ({ row, column, edit })));

/** The value of a cell as it is stored now; undefined: its row is gone. */
export type StoredCell = (place: CellPlace) => CellValue;

/** The edits that still change something: others may have stored the same since, or removed the row. */
export const stillChanging = (edits: Edits, stored: StoredCell): Edits =>
  cellsOf(edits).reduce((kept, { row, column, edit }) => {
    const now = stored({ row, column });
    const isDone = edit.fault === undefined && isSame(edit.to, now);
    return now === undefined || isDone ? withEdit(kept, { row, column }, null) : kept;
  }, edits);

/** A cell that others have changed since it was edited. */
export interface Clash extends CellPlace {
  from: CellValue;
  theirs: CellValue;
  mine: CellValue;
}

export const clashesOf = (edits: Edits, stored: StoredCell): Clash[] =>
  cellsOf(edits).flatMap(({ row, column, edit }) => {
    const theirs = stored({ row, column });
    const isAsSeen = theirs === undefined || isSame(theirs, edit.from) || isSame(theirs, edit.to);
    return isAsSeen ? [] : [{ row, column, from: edit.from, theirs, mine: edit.to }];
  });

/** Resolves clashes for the cells' editor: the value of now is what the edit begins from. */
export const overTheirs = (edits: Edits, clashes: readonly Clash[]): Edits =>
  clashes.reduce((all, { theirs, ...place }) => {
    const edit = editAt(all, place);
    return edit ? withEdit(all, place, { ...edit, from: theirs }) : all;
  }, edits);

/** Resolves clashes for the others: their values stay. */
export const withoutClashes = (edits: Edits, clashes: readonly CellPlace[]): Edits =>
  clashes.reduce((all, place) => withEdit(all, place, null), edits);

/** The changed values of each row, for an action. Cells with faults are left out. */
export const changesOf = (edits: Edits): { row: string; values: Record<string, CellValue> }[] =>
  [...edits].flatMap(([row, cells]) => {
    const given = [...cells].filter(([, { fault }]) => fault === undefined);
    const values = Object.fromEntries(given.map(([column, { to }]) => [column, to]));
    return given.length > 0 ? [{ row, values }] : [];
  });

export const faultyCells = (edits: Edits): (CellPlace & { fault: string })[] =>
  cellsOf(edits).flatMap(({ edit: { fault }, ...place }) => (fault ? [{ ...place, fault }] : []));
