/** The references among the words of a command line. */
import { positionalOf, type CommandEntry } from '../actions/manifest.js';
import { camelCase, type Typed } from '../actions/readFlags.js';
import { getOwn } from '../../src/lib/getOwn.js';
import { isKind } from './kinds.js';
import { LAST } from './lastRecords.js';

/** Where `@` begins the name of a file, `@last` is none: of a flag for an id it is the last record. */
export function withLast({ flags }: CommandEntry, typed: Typed): Typed {
  const options: Record<string, unknown> = { ...typed.options };
  for (const { key } of flags) {
    const option = camelCase(key);
    if (isKind(key) && getOwn(options, option) === LAST) options[option] = `@${LAST}`;
  }
  return { ...typed, options };
}

/** The keys of the references that were typed, and not read from a file of input. */
export function typedKeys(entry: CommandEntry, { options, positional }: Typed): string[] {
  const keys = entry.flags.map(({ key }) => key).filter(isKind);
  const argument = positional === undefined ? undefined : positionalOf(entry)?.key;
  return keys.filter((key) => key === argument || getOwn(options, camelCase(key)) !== undefined);
}
