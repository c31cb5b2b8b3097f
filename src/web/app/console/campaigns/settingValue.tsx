/** The value of a setting in words, by its row of the settings table. */
import type { ReactNode } from 'react';
import { useFormats, type Formats } from '../../lib/format.js';
import type { Part, Term } from '../../lib/settings.js';
import { Written } from '../../ui/index.js';
import { optionText } from './words.js';

export function SettingValue({ term, value }: { term: Term; value: unknown }): ReactNode {
  const formats = useFormats();
  return <Written>{settingText(term, value, formats)}</Written>;
}

/** @param value as actions have it */
export function settingText(term: Term, value: unknown, formats: Formats): string {
  const { kind, unit, empty = 'none', parts = [] } = term;
  if (value == null || value === '' || (Array.isArray(value) && value.length === 0)) return empty;
  if (kind === 'parts' && typeof value === 'object') return partsText(parts, value, formats);
  if (typeof value === 'number') {
    if (unit === 'money') return formats.money(value);
    const amount = formats.number(value);
    if (unit === undefined) return amount;
    return unit === 'percent' ? `${amount}%` : `${amount} ${unit}`;
  }
  return plainText(value);
}

/** Each part that is set, with its label. */
function partsText(parts: readonly Part[], value: object, formats: Formats): string {
  const given = new Map<string, unknown>(Object.entries(value));
  return parts
    .filter(({ name }) => given.get(name) != null)
    .map((part) => {
      const one = given.get(part.name);
      const text = typeof one === 'number' ? formats.number(one) : plainText(one);
      return `${part.label}: ${text}`;
    })
    .join(', ');
}

function plainText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(plainText).join(', ');
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'string' ? optionText(value) : JSON.stringify(value);
}
