/** Shows an answer in the requested format: a table, lines for programs, JSON. */
import type { CommandEntry } from '../actions/manifest.js';
import { UsageError, describeError } from '../terminal/errors.js';
import type { Paint } from './paint.js';
import type { Terminal } from '../terminal/terminal.js';
import { columnsOf } from './columns.js';
import { csvLine, jsonFields, pick, tabLine, tabRecord } from './formats.js';
import { printLong } from './pager.js';
import { isRow, type Row } from './rows.js';
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

type Described = Pick<CommandEntry, 'name' | 'cli' | 'fields'>;

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
type Format = (data: Row, width: number, paint: Paint) => string;

/** Records with a format of their own, beyond keys and values. */
const FORMATS: Readonly<Record<string, () => Promise<Format>>> = {
  explain_lead: async () => (await import('./explanation.js')).formatExplanation,
  get_funnel_stats: async () => (await import('./funnelStats.js')).formatFunnelStats,
  get_ping: async () => (await import('./ping.js')).formatPing,
};

const formatOf = async (action: string | undefined): Promise<Format> => {
  const special = action === undefined ? undefined : getOwn(FORMATS, action);
  return special ? special() : (await import('./record.js')).formatRecord;
};

/** @param action the record's action: some have a format of their own for people */
export async function showRecord(
  terminal: Terminal,
  data: unknown,
  { json, jq, fields }: Shown,
  action?: string,
): Promise<void> {
  if (jq !== undefined) return showJq(terminal, pick(data, fields), jq);
  if (json !== undefined || !isRow(data)) {
    terminal.print(JSON.stringify(pick(data, fields), null, 2));
  } else if (!terminal.screen) {
    terminal.print(tabRecord(data));
  } else {
    const format = await formatOf(action);
    await printLong(format(data, terminal.screen.columns, terminal.paint), terminal);
  }
}

/** Receives rows as they arrive: formats that do not need all of them first write them at once. */
export interface RowSink {
  /** Called once for each page, an empty one too. */
  take(rows: readonly unknown[]): void;
  /** Called once, after the last. */
  end(): Promise<void>;
}

export function rowSink(terminal: Terminal, entry: Described, shown: Shown): RowSink {
  const { json, jq, jsonl, csv, fields } = shown;
  if (csv) return csvSink(terminal, entry, fields);
  if (jsonl) return lineSink(terminal, (row) => JSON.stringify(pick(row, fields)));
  if (json !== undefined || jq !== undefined || terminal.screen)
    return collected(terminal, entry, shown);
  const keys = columnsOf(entry, []);
  return lineSink(terminal, (row) => (isRow(row) ? tabLine(row, keys) : String(row)));
}

const lineSink = (terminal: Terminal, lineOf: (row: unknown) => string): RowSink => ({
  take: (rows) => {
    for (const row of rows) terminal.print(lineOf(row));
  },
  end: () => Promise.resolve(),
});

function csvSink(terminal: Terminal, entry: Described, fields: string[] | null): RowSink {
  let keys: string[] | null = null;
  return {
    take: (rows) => {
      if (keys === null) {
        keys = fields ?? (entry.fields.length > 0 ? entry.fields : columnsOf(entry, rows));
        terminal.print(csvLine(keys));
      }
      for (const row of rows)
        terminal.print(csvLine(isRow(row) ? keys.map((key) => getOwn(row, key)) : [row]));
    },
    end: () => Promise.resolve(),
  };
}

function collected(terminal: Terminal, entry: Described, { json, jq, fields }: Shown): RowSink {
  const all: unknown[] = [];
  return {
    take: (rows) => void all.push(...rows),
    async end() {
      const picked = all.map((row) => pick(row, fields));
      if (jq !== undefined) return showJq(terminal, picked, jq);
      if (json !== undefined) terminal.print(JSON.stringify(picked, null, 2));
      else if (all.length > 0) await showTable(terminal, entry, all);
    },
  };
}

async function showTable(terminal: Terminal, entry: Described, rows: unknown[]): Promise<void> {
  const { formatRows } = await import('./table.js');
  const width = terminal.screen?.columns ?? 0;
  const { text, left } = formatRows(rows, columnsOf(entry, rows), width, terminal.paint);
  await printLong(text, terminal);
  if (left.length > 0) terminal.say(`Too narrow for ${left.join(', ')}; --json shows all.`);
}

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
