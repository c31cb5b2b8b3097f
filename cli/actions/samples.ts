/** Samples of the values that are JSON, for help and for refusals: of the examples that the actions publish. */
import { getOwn } from '../../src/lib/getOwn.js';
import type { CommandEntry, Flag, ShortKind } from './manifest.js';
import { formatFilter } from './short/filterWords.js';
import { formatSchedule } from './short/schedule.js';

/** The inputs that have a short form, by their keys. */
const SHORT_KINDS: Readonly<Record<string, ShortKind>> = {
  schedule: 'schedule',
  filters: 'filter',
  conditions: 'filter',
};

const isJson = ({ kind }: Flag): boolean => kind === 'json' || kind === 'any';

/**
 * The sample of an input is the one in the example of its action, or the example of its schema, or that of another action
 * with the same input.
 */
export function addSamples(entries: readonly CommandEntry[]): CommandEntry[] {
  const own = (entry: CommandEntry, flag: Flag): unknown =>
    getOwn(entry.example, flag.key) ?? flag.sample;
  const all = entries.flatMap((entry) =>
    entry.flags.filter(isJson).map((flag) => ({ name: nameOf(flag), value: own(entry, flag) })),
  );
  const known = all.filter(({ value }) => value !== undefined);
  const sampleOf = (entry: CommandEntry, flag: Flag): unknown =>
    own(entry, flag) ?? known.find(({ name }) => name === nameOf(flag))?.value;
  return entries.map((entry) => ({
    ...entry,
    flags: entry.flags.map((flag) =>
      isJson(flag) ? withSample(flag, sampleOf(entry, flag)) : { ...flag, sample: undefined },
    ),
  }));
}

/** Filters go by several names. */
const nameOf = ({ key }: Flag): string => getOwn(SHORT_KINDS, key) ?? key;

function withSample(flag: Flag, sample: unknown): Flag {
  const kind = getOwn(SHORT_KINDS, flag.key);
  if (kind === undefined || sample === undefined) return { ...flag, sample };
  const words = kind === 'filter' ? formatFilter(sample) : formatSchedule(sample as never);
  return { ...flag, sample, short: words === null ? undefined : { kind, sample: words } };
}
