/** Makes the input of an action from the command line: flags over the file of `--input`. */
import { readFile } from 'node:fs/promises';
import { describeError, UsageError } from '../terminal/errors.js';
import { fileKey, flagName, positionalOf, type CommandEntry, type Flag } from './manifest.js';
import { sampleText } from './options.js';
import { isRow } from '../output/rows.js';
import { parseExactJson } from '../../src/lib/exactJson.js';
import { getOwn } from '../../src/lib/getOwn.js';

export interface Typed {
  /** By the camel-case names that commander gives options. */
  options: Readonly<Record<string, unknown>>;
  /** The id that was given without a flag. */
  positional?: string;
  /** `--input`: a file, or `-`. */
  input?: string;
  /** What the verb of the command decides. */
  fixed?: Readonly<Record<string, unknown>>;
}

export type ReadAll = () => Promise<string>;

/**
 * @param readStandardInput called at most once
 * @throws {UsageError} for a value that cannot be read, and for a missing required value
 */
export async function readInput(
  entry: CommandEntry,
  typed: Typed,
  readStandardInput: ReadAll,
): Promise<Record<string, unknown>> {
  const files = fileReader(readStandardInput);
  const input: Record<string, unknown> =
    typed.input === undefined ? {} : await readObject(typed.input, files);
  for (const flag of entry.flags) {
    const given = getOwn(typed.options, camelCase(flag.key));
    const file = flag.secret ? getOwn(typed.options, camelCase(fileKey(flag))) : undefined;
    if (typeof file === 'string') input[flag.key] = await secretIn(flag, file, given, files);
    else if (given !== undefined) input[flag.key] = await valueOf(flag, given, files);
  }
  await addShortForms(entry, typed, input);
  Object.assign(input, typed.fixed);
  addPositional(entry, typed, input);
  requireAll(entry, input);
  return input;
}

export const camelCase = (key: string): string =>
  key.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());

/** `--filter`, `--cap` and `--budget`: each input is given once, by them or by its own flag. */
async function addShortForms(
  { flags }: CommandEntry,
  { options }: Typed,
  input: Record<string, unknown>,
): Promise<void> {
  const { filter, cap, budget } = options;
  if (!filter && !cap && !budget) return;
  const { readFilters, readLimits } = await import('./short/short.js');
  const add = (short: string, values: Record<string, unknown>) => {
    for (const [key, value] of Object.entries(values)) {
      if (getOwn(options, camelCase(key)) !== undefined)
        throw new UsageError(`Give ${key} only once: by ${short}, or by ${flagName(key)}.`);
      input[key] = value;
    }
  };
  const words = flags.find(({ short }) => short?.kind === 'filter');
  if (isTexts(filter) && words) add('--filter', { [words.key]: readFilters(filter) });
  if (isTexts(cap)) add('--cap', readLimits('cap', cap));
  if (isTexts(budget)) add('--budget', readLimits('budget', budget));
}

/** What these options give; an input of an action may have the name of one. */
const isTexts = (value: unknown): value is string[] => Array.isArray(value);

function addPositional(entry: CommandEntry, typed: Typed, input: Record<string, unknown>): void {
  const flag = positionalOf(entry);
  if (!flag || typed.positional === undefined) return;
  if (getOwn(typed.options, camelCase(flag.key)) !== undefined)
    throw new UsageError(
      `Give ${flag.key} only once: as an argument, or by ${flagName(flag.key)}.`,
    );
  input[flag.key] = typed.positional;
}

/** Accepts keys in camel case and in snake case, as the server does. */
function requireAll({ flags, cli }: CommandEntry, input: Record<string, unknown>): void {
  const missing = flags.filter(
    ({ key, required }) => required && !(key in input) && !(camelCase(key) in input),
  );
  if (missing.length === 0) return;
  const lines = missing.map(({ key, description }) => `  ${flagName(key)}  ${description}`);
  throw new UsageError(
    `${missing.length === 1 ? 'This is' : 'These are'} required:\n${lines.join('\n')}\n` +
      `leadwire ${cli.join(' ')} --help shows an example.`,
  );
}

type Files = (path: string) => Promise<string>;

/** Reads files, and standard input (`-`), which can be read only once, by one flag. */
export function fileReader(readStandardInput: ReadAll): Files {
  let isRead = false;
  return async (path) => {
    if (path !== '-') {
      return readFile(path, 'utf8').catch((error: unknown) => {
        throw new UsageError(`Cannot read the file ${path}: ${describeError(error, false)}`);
      });
    }
    if (isRead) throw new UsageError('Standard input (-) can be read by one flag only.');
    isRead = true;
    return readStandardInput();
  };
}

/** @throws {UsageError} for a file that cannot be read, or that is no JSON object */
export async function readObject(path: string, files: Files): Promise<Record<string, unknown>> {
  const value = parseJson('--input', await files(path));
  if (isRow(value)) return value;
  throw new UsageError('--input must contain one JSON object.');
}

/** Without the line break that editors and shells add at the end. */
async function secretIn(flag: Flag, path: string, given: unknown, files: Files): Promise<string> {
  const name = flagName(fileKey(flag));
  if (given !== undefined)
    throw new UsageError(`Give only one of ${name} and ${flagName(flag.key)}.`);
  const secret = (await files(path)).replace(/\r?\n$/, '');
  if (secret !== '') return secret;
  throw new UsageError(`${name}: ${path === '-' ? 'standard input' : path} is empty.`);
}

/** The secrets that are on the command line itself, by their flags. */
export const exposedSecrets = ({ flags }: CommandEntry, { options }: Typed): Flag[] =>
  flags.filter((flag) => {
    const given = flag.secret ? getOwn(options, camelCase(flag.key)) : undefined;
    return typeof given === 'string' && (!given.startsWith('@') || given.startsWith('@@'));
  });

async function valueOf(flag: Flag, given: unknown, files: Files): Promise<unknown> {
  if (typeof given === 'boolean') return given;
  if (Array.isArray(given)) return listOf(flag, given.map(String));
  const text = await contentOf(String(given), files);
  if (flag.nullable && text === 'null') return null;
  switch (flag.kind) {
    case 'integer':
    case 'number':
      return numberOf(flag, text);
    case 'json':
      return jsonOf(flag, text);
    case 'any':
      return /^\s*[[{"]/.test(text) ? jsonOf(flag, text) : text;
    case 'text':
    case 'texts':
    case 'numbers':
    case 'boolean':
      return text;
  }
}

/** `@file` is the content of a file, `@-` standard input, `@@x` the text `@x`. */
async function contentOf(text: string, files: Files): Promise<string> {
  if (text.startsWith('@@')) return text.slice(1);
  return text.startsWith('@') ? files(text.slice(1)) : text;
}

function listOf(flag: Flag, texts: string[]): unknown {
  const [only = ''] = texts;
  if (texts.length === 1 && flag.nullable && only === 'null') return null;
  if (texts.length === 1 && only.trimStart().startsWith('['))
    return parseJson(flagName(flag.key), only);
  const items = texts.flatMap((text) => (text === '' ? [] : text.split(',')));
  const trimmed = items.map((item) => item.trim());
  return flag.kind === 'numbers' ? trimmed.map((item) => numberOf(flag, item)) : trimmed;
}

function numberOf({ key, kind, nullable }: Flag, text: string): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (kind === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value)) return value;
  const what = kind === 'integer' ? 'a whole number' : 'a number';
  throw new UsageError(
    `${flagName(key)} must be ${what}${nullable ? ', or null for none' : ''}; "${text.slice(0, 40)}" is not.`,
  );
}

/** JSON, or its short form, which begins with neither a bracket nor a quote. */
async function jsonOf(flag: Flag, text: string): Promise<unknown> {
  const name = flagName(flag.key);
  if (flag.short && !/^\s*[[{]/.test(text)) {
    const { readShort } = await import('./short/short.js');
    return readShort(flag.short.kind, name, text);
  }
  const sample = sampleText(flag);
  return parseJson(name, text, sample === null ? '' : `\n  Such as ${sample}`);
}

function parseJson(name: string, text: string, hint = ''): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    throw new UsageError(`${name} is not valid JSON: ${describeError(error, false)}${hint}`);
  }
}
