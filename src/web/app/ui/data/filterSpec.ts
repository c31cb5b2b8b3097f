/** What a list can be filtered by; the values live in the address, by name. */
import type { Option } from '../fields.js';
import { DAY_PRESETS, readSpan } from './daySpan.js';

interface Named<K extends string> {
  /** As the address names it. */
  name: K;
  label: string;
  /** Shown as a chip without a value too. */
  isPinned?: boolean;
}

/** Options that are found by typing. Both are hooks: keep the filter's definition outside of components. */
export interface RecordSource {
  useOptions(search: string): { options: readonly Option[]; isLoading: boolean };
  /** The name of a chosen record; undefined until it is known, null for one that is deleted. */
  useLabel(value: string): string | null | undefined;
}

export type FilterSpec<K extends string = string> = Named<K> &
  (
    | { kind: 'choice'; options: readonly Option[] }
    /** The values are joined by commas. */
    | { kind: 'multi'; options: readonly Option[] }
    | { kind: 'text'; placeholder?: string }
    /** A preset or two days: see `daySpan.ts`. */
    | { kind: 'days' }
    | ({ kind: 'record' } & RecordSource)
    /** `true`, or absent. */
    | { kind: 'switch' }
  );

/** By the names of filters. */
export type FilterValues<K extends string = string> = Partial<Record<K, string>>;

/** The values of a filter of several. */
export const valuesOf = (value: string | undefined): readonly string[] =>
  value ? value.split(',').filter(Boolean) : [];

/** What a chip says of its value, for filters whose options are known here. */
export function wordsOf(
  spec: FilterSpec,
  value: string,
  date: (day: string) => string,
): string | undefined {
  switch (spec.kind) {
    case 'choice':
      return labelIn(spec.options, value);
    case 'multi': {
      const [first, ...others] = valuesOf(value).map((one) => labelIn(spec.options, one));
      return others.length > 1 ? `${first} +${others.length}` : [first, ...others].join(', ');
    }
    case 'days':
      return spanWords(value, date);
    case 'text':
      return value;
    case 'switch':
    case 'record':
      return undefined;
  }
}

const labelIn = (options: readonly Option[], value: string): string =>
  options.find((option) => option.value === value)?.label ?? value;

function spanWords(value: string, date: (day: string) => string): string {
  const preset = DAY_PRESETS.find((candidate) => candidate.value === value);
  if (preset) return preset.label;
  const { from, to } = readSpan(value, '');
  if (from && to) return from === to ? date(from) : `${date(from)} – ${date(to)}`;
  if (from) return `since ${date(from)}`;
  return to ? `until ${date(to)}` : 'any';
}
