/** Tables without color, of an account of which nothing else is known. */
import { plainLook } from '../../cli/output/look.js';
import { createPaint } from '../../cli/output/paint.js';
import type { TableView } from '../../cli/output/table.js';

/** @param width of the terminal, in columns */
export const viewOf = (width: number, known: Partial<TableView> = {}): TableView => ({
  width,
  paint: createPaint(false),
  look: plainLook(),
  names: new Map(),
  ...known,
});
