import type { Part, SettingsTables, Term } from '../../build/terms.js';

/** The build replaces it with the tables of settings. */
declare const SETTINGS_TABLES: SettingsTables;

/**
 * All settings of each kind of record, in the order of its table, by the names that actions have. Pages of the
 * organization alone load them: those of the portal have `terms.ts`.
 */
export const SETTINGS = SETTINGS_TABLES;

/** What a page calls a setting; a name that the table lacks is shown as it is. */
export const labelOfSetting = (table: keyof SettingsTables, name: string): string =>
  SETTINGS[table].find((one) => one.name === name)?.label ?? name;

export type { Part, SettingsTables, Term };
