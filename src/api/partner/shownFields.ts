/**
 * Which fields of a lead a portal shows. A field that is not among them is shown nowhere: not in a list, a search, a
 * file, an import, a filter, nor in requests and answers.
 */
import { fieldOf } from '../../fields/fields.js';
import type { FieldRule } from '../../fields/fieldRule.js';
import type { Fields, Scalar } from '../../fields/values.js';
import type { PortalSettings } from '../../portal/settingsSchema.js';
import type { FilterGroup, FilterNode } from '../../fields/filterRules.js';

export interface ShownField {
  name: string;
  label: string;
  value: Scalar;
}

export const isShown = ({ fields }: Pick<PortalSettings, 'fields'>, name: string): boolean =>
  fields === null || fields.includes(name);

/** The shown fields of a mapping, in its order. */
export const shownRules = (
  settings: Pick<PortalSettings, 'fields'>,
  rules: readonly FieldRule[],
): FieldRule[] => rules.filter(({ name }) => isShown(settings, name));

/**
 * The shown fields that a lead has, in the order of the mapping; fields since removed from the mapping come last.
 * @param rules of the campaign, as they are now
 */
export function shownFields(
  settings: Pick<PortalSettings, 'fields'>,
  fields: Fields,
  rules: readonly FieldRule[],
): ShownField[] {
  const labels = new Map(rules.map(({ name, label }) => [name, label ?? name]));
  const left = Object.keys(fields).filter((name) => !labels.has(name));
  return [...labels.keys(), ...left].flatMap((name) => {
    const value = isShown(settings, name) ? fieldOf(fields, name) : undefined;
    return value === undefined ? [] : [{ name, label: labels.get(name) ?? name, value }];
  });
}

/** Fields that distinguish people come first in lists; if none of them is shown, the first fields of the mapping. */
const LISTED = [
  ...(['first_name', 'last_name', 'full_name', 'name'] as const),
  ...(['phone', 'email', 'city', 'state', 'zip_code'] as const),
];
const LISTED_MAX = 6;
const FIRST = 4;

export function listedFields(shown: readonly ShownField[]): ShownField[] {
  const known = LISTED.flatMap((name) => shown.filter((field) => field.name === name));
  return known.length > 0 ? known.slice(0, LISTED_MAX) : shown.slice(0, FIRST);
}

/** The hidden values of a lead, for masking texts that repeat them. */
export const hiddenValues = (
  settings: Pick<PortalSettings, 'fields'>,
  ...all: readonly Fields[]
): Scalar[] =>
  settings.fields === null
    ? []
    : all.flatMap((fields) =>
        Object.keys(fields).flatMap((name) => {
          const value = isShown(settings, name) ? undefined : fieldOf(fields, name);
          return value === undefined || value === '' ? [] : [value];
        }),
      );

const fieldsOf = (node: FilterNode): string[] => {
  if ('field' in node) return [node.field];
  return ('all' in node ? node.all : node.any).flatMap(fieldsOf);
};

/** Whether they use a hidden field. */
export const hasHidden = (
  settings: Pick<PortalSettings, 'fields'>,
  filters: FilterGroup | null | undefined,
): boolean => filters != null && fieldsOf(filters).some((name) => !isShown(settings, name));

/** For filters as written, in any form: every text under `field`, with its place. */
export function namedFields(written: unknown, path = 'filters'): { path: string; name: string }[] {
  if (typeof written !== 'object' || written === null) return [];
  return Object.entries(written).flatMap(([key, value]: [string, unknown]) => {
    const at = `${path}.${key}`;
    return key === 'field' && typeof value === 'string'
      ? [{ path: at, name: value.trim() }]
      : namedFields(value, at);
  });
}
