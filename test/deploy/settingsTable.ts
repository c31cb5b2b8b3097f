/** The table of settings on the operations page, generated from `src/app/config.ts`. */
import type { Setting } from '../../src/app/config.js';
import { code, tableOf, withTable } from '../docs/generatedTable.js';

const START = '<!-- settings: made by `npm run docs:settings`, not by hand -->';
const END = '<!-- end of settings -->';

export const settingsTable = (settings: readonly Setting[]): string =>
  tableOf(
    ['Setting', 'Default', 'Meaning'],
    settings.map((one) => [code(one.name), code(one.default), one.meaning]),
  );

/**
 * The page with its table replaced.
 * @throws {Error} when the page lacks one of the two marks
 */
export const withSettings = (page: string, settings: readonly Setting[]): string =>
  withTable(page, START, END, settingsTable(settings));
