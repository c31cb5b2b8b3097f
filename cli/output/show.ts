/** Shows an answer in the requested format: a table, lines for programs, JSON. */
import type { CommandEntry } from '../actions/manifest.js';
import { UsageError, describeError } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';
import { columnsOf, pipedKeys } from './columns.js';
import { csvLine, jsonFields, pick, tabLine, tabRecord } from './formats.js';
import { plainLook } from './look.js';
import { printLong } from './pager.js';
import { isRow, type Row } from './rows.js';
import type { TableView } from './table.js';
import { getOwn } from '../../src/lib/getOwn.js';
import { visibleLines } from './cells.js';

export interface ShowOptions {
  /** `--json`, or its fields. */
  json?: string | true;
  jq?: string;
  jsonl?: true;
  csv?: true;
}

/** The options, checked. */
export interface Shown extends ShowOptions {
  /** The fields of `--json`; null: all. */
  fields: string[] | null;
}

type Described = Pick<CommandEntry, 'name' | 'cli' | 'fields' | 'columns'>;

/**
 * Checks the options before anything is requested from the server.
 * @throws {UsageError} for fields that do not exist, and for two formats at once
 */
export function readShown(entry: Described, options: ShowOptions): Shown {
  const formats = (['jsonl', 'csv'] as const).filter((name) => options[name]);
  const named = formats.map((name) => `--${name}`);
  if (options.jq !== undefined) named.push('--jq');
  if (named.length > 1) throw new UsageError(`${named.join(' and ')} exclude each other.`);
  const fields = jsonFields(options.json, entry.fields, `leadwire ${entry.cli.join(' ')}`);
  return { ...options, fields };
}

/** How the record of an action is written for people. */
type Format = (data: Row, view: TableView) => string;

/** Records with a format of their own, beyond keys and values. */
const FORMATS: Readonly<Record<string, () => Promise<Format>>> = {
  explain_lead: async () => (await import('./explanation.js')).formatExplanation,
  get_campaign: async () => (await import('./campaign.js')).formatCampaign,
  get_funnel_stats: async () => (await import('./funnelStats.js')).formatFunnelStats,
  get_ping: async () => (await import('./ping.js')).formatPing,
  get_today: async () => (await import('./today.js')).formatToday,
};

const formatOf = async (action: string | undefined): Promise<Format> => {
  const special = action === undefined ? undefined : getOwn(FORMATS, action);
  return special ? special() : (await import('./record.js')).formatRecord;
};

/** Whether an answer is written for people, who need names and their own time, and not for a program. */
export const isForPeople = (
  { screen }: Pick<Terminal, 'screen'>,
  { json, jq, jsonl, csv }: ShowOptions,
): boolean => screen !== null && [json, jq, jsonl, csv].every((one) => one === undefined);

/** Tables on this terminal, where nothing is known of the account. */
export const plainView = ({ screen, paint }: Pick<Terminal, 'screen' | 'paint'>): TableView => ({
  width: screen?.columns ?? 0,
  paint,
  look: plainLook(),
  names: new Map(),
});

/** What a record is, for people. */
interface Shape {
  /** Its action: some have a format of their own. */
  action?: string;
  /** Default: without names, in UTC. */
  view?: TableView;
}

export async function showRecord(
  terminal: Terminal,
  data: unknown,
  { json, jq, fields }: Shown,
  { action, view = plainView(terminal) }: Shape = {},
): Promise<void> {
  if (jq !== undefined) return showJq(terminal, pick(data, fields), jq);
  if (json !== undefined || !isRow(data)) {
    terminal.print(JSON.stringify(pick(data, fields), null, 2));
  } else if (!terminal.screen) {
    terminal.print(tabRecord(data));
  } else {
    const format = await formatOf(action);
    await printLong(format(data, view), terminal);
  }
}

/** Receives rows as they arrive: formats that do not need all of them first write them at once. */
export interface RowSink {
  /** Called once for each page, an empty one too. */
  take(rows: readonly unknown[]): void;
  /** Called once, after the last. @param view of the table, where people see one; default: without names, in UTC */
  end(view?: TableView): Promise<void>;
  /** The rows of that table, as far as they were taken; empty in other formats. */
  tabled: readonly unknown[];
}

export function rowSink(terminal: Terminal, entry: Described, shown: Shown): RowSink {
  const { json, jq, jsonl, csv, fields } = shown;
  if (csv) return csvSink(terminal, entry, fields);
  if (jsonl) return lineSink(terminal, (row) => JSON.stringify(pick(row, fields)));
  if (json !== undefined || jq !== undefined) return collected(terminal, shown);
  if (terminal.screen) return tableSink(terminal, entry);
  return lineSink(terminal, tabLineOf(entry));
}

/** A row as a line for other programs. */
export function tabLineOf(entry: Described): (row: unknown) => string {
  const keys = pipedKeys(entry, []);
  return (row) => (isRow(row) ? tabLine(row, keys) : String(row));
}

const lineSink = (terminal: Terminal, lineOf: (row: unknown) => string): RowSink => ({
  take: (rows) => {
    for (const row of rows) terminal.print(lineOf(row));
  },
  end: () => Promise.resolve(),
  tabled: [],
});

function csvSink(terminal: Terminal, entry: Described, fields: string[] | null): RowSink {
  let keys: string[] | null = null;
  return {
    take: (rows) => {
      if (keys === null) {
        keys = fields ?? (entry.fields.length > 0 ? entry.fields : pipedKeys(entry, rows));
        terminal.print(csvLine(keys));
      }
      for (const row of rows)
        terminal.print(csvLine(isRow(row) ? keys.map((key) => getOwn(row, key)) : [row]));
    },
    end: () => Promise.resolve(),
    tabled: [],
  };
}

function collected(terminal: Terminal, { json, jq, fields }: Shown): RowSink {
  const all: unknown[] = [];
  return {
    take: (rows) => void all.push(...rows),
    async end() {
      const picked = all.map((row) => pick(row, fields));
      if (jq !== undefined) return showJq(terminal, picked, jq);
      if (json !== undefined) terminal.print(JSON.stringify(picked, null, 2));
    },
    tabled: [],
  };
}

function tableSink(terminal: Terminal, entry: Described): RowSink {
  const all: unknown[] = [];
  return {
    take: (rows) => void all.push(...rows),
    async end(view = plainView(terminal)) {
      if (all.length === 0) return;
      const { formatRows } = await import('./table.js');
      const { text, left } = formatRows(all, columnsOf(entry, all), view);
      await printLong(text, terminal);
      if (left.length > 0) terminal.say(terminal.sayPaint.dim(narrowNote(left)));
    },
    tabled: all,
  };
}

/** What a terminal is too narrow for. */
export const narrowNote = (left: readonly string[]): string =>
  `Too narrow for ${left.join(', ')}; --json shows all.`;

async function showJq(terminal: Terminal, value: unknown, filter: string): Promise<void> {
  const text = await runJq(value, filter);
  if (text !== '') terminal.print(text);
}

// `--jq`: the language of jq, without jq being installed.

/**
 * The results of the filter, one per line; texts without quotes, as `jq -r`, and without terminal control characters.
 * @throws {UsageError} for a filter that jq cannot read, or that fails on the value
 */
async function runJq(value: unknown, filter: string): Promise<string> {
  // A megabyte of WebAssembly: loaded only when it is used.
  const jq = await import('jq-wasm');
  try {
    return visibleLines((await jq.raw(JSON.stringify(value), filter, ['-r', '-c'])).trimEnd());
  } catch (error) {
    const text = describeError(error, false).replace(/^(?:.*jq: )?error(?: \(at [^)]*\))?: /s, '');
    throw new UsageError(`--jq: ${text.trim()}`);
  }
}
