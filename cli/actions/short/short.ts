/** Short forms of values that are otherwise JSON: which inputs have one, and how they are read. */
import type { ShortKind } from '../manifest.js';
import type { Row } from '../../output/rows.js';
import { UsageError } from '../../terminal/errors.js';
import { parseLimits, type LimitKind } from './caps.js';
import { ShortFormFault } from './fault.js';
import { parseFilter } from './filter.js';
import { parseSchedule } from './schedule.js';

const PARSERS: Readonly<Record<ShortKind, (text: string) => unknown>> = {
  schedule: parseSchedule,
  filter: parseFilter,
};

/**
 * @param name the flag, as refusals name it
 * @throws {UsageError} with the place of the fault, and what would be right
 */
export const readShort = (kind: ShortKind, name: string, text: string): unknown =>
  placed(name, text, () => PARSERS[kind](text));

/** `--filter`, given several times: a lead passes all of them. @throws {UsageError} */
export function readFilters(texts: readonly string[]): unknown {
  const [only = '', ...more] = texts;
  if (more.length === 0) return readShort('filter', '--filter', only);
  return { all: texts.map((text) => readShort('filter', '--filter', text)) };
}

/** `--cap` and `--budget`, given several times or with commas: settings by their keys. @throws {UsageError} */
export function readLimits(kind: LimitKind, texts: readonly string[]): Row {
  const text = texts.join(',');
  return placed(`--${kind}`, text, () => parseLimits(text, kind));
}

function placed<T>(name: string, text: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ShortFormFault)) throw error;
    const { message, at } = error;
    const upTo = text.slice(0, at).replaceAll(/\s/g, ' ');
    const line = text.replaceAll(/\s/g, ' ');
    // A mark under the place; of a long text only the part around it is shown.
    const from = Math.max(0, at - CONTEXT);
    throw new UsageError(
      `${name}: ${message}.\n  ${line.slice(from, at + CONTEXT)}\n  ${' '.repeat(upTo.length - from)}^`,
    );
  }
}

const CONTEXT = 60;
