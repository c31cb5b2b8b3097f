/**
 * The commands of the Actions API for the command line: made from the registry when the program is built, so
 * that no start has to load the registry and all that its actions need.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailed } from '../terminal/errors.js';

/**
 * How the text of a flag becomes a value. texts, numbers: a list, repeated or with commas. json: JSON only.
 * any: JSON where it begins like a list, an object or a quoted text, otherwise the text itself.
 */
export type FlagKind =
  'text' | 'integer' | 'number' | 'boolean' | 'texts' | 'numbers' | 'json' | 'any';

/** Values of JSON that are also written in words. */
export type ShortKind = 'schedule' | 'filter';

export interface Flag {
  /** The key of the input, such as `daily_cap`; its flag is `--daily-cap`. */
  key: string;
  kind: FlagKind;
  required: boolean;
  /** Whether `null` is a value. */
  nullable: boolean;
  description: string;
  choices?: string[];
  default?: unknown;
  maximum?: number;
  /** A value of JSON as it may be written. */
  sample?: unknown;
  /** It has a short form next to JSON, and this is the sample in it. */
  short?: { kind: ShortKind; sample: string };
  /** Not for a command line, which other users of the machine can see: a second flag reads it from a file. */
  secret?: true;
}

/** A column of a list, for people. */
export interface Column {
  /** Of the value in a row. */
  key: string;
  /** Absent: the key. */
  title?: string;
}

export interface CommandEntry {
  name: string;
  cli: readonly [noun: string, verb: string];
  summary: string;
  description: string;
  effect: 'read' | 'write' | 'destroy';
  idempotent: boolean;
  permission: string;
  /** The list comes in pages: the input has `limit` and `cursor`. */
  paged: boolean;
  /** Where the rows of a list are: a key of `data`, or '' for `data` itself. Null: the action returns one record. */
  rows: string | null;
  /** The fields of a row, or of the record. */
  fields: string[];
  /** What people see of a list, the most worth first; absent for a record. */
  columns?: Column[];
  flags: Flag[];
  example: Record<string, unknown>;
}

export const MANIFEST_PATH = join(import.meta.dirname, '..', 'manifest.json');

/** @throws {CommandFailed} when the program was not built completely */
export function readManifest(path = MANIFEST_PATH): CommandEntry[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as CommandEntry[];
  } catch {
    throw new CommandFailed(`The list of commands is missing (${path}): npm run build creates it.`);
  }
}

/** Whether the server tells what a call would do: `dry_run` is a part of its input. */
export const asksServer = ({ flags }: Pick<CommandEntry, 'flags'>): boolean =>
  flags.some(({ key }) => key === 'dry_run');

export const flagName = (key: string): string => `--${key.replaceAll('_', '-')}`;

/** The key of the flag that reads a secret from a file. */
export const fileKey = ({ key }: Pick<Flag, 'key'>): string => `${key}_file`;

/** The one id that a command concerns, or what it searches, may be given without its flag: `leadwire campaigns get ID`. */
export function positionalOf({ flags }: CommandEntry): Flag | undefined {
  const ids = flags.filter(({ key, required }) => required && /_id$|^query$/.test(key));
  return ids.length === 1 ? ids[0] : undefined;
}
