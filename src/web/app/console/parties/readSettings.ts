/** The values of a portal's settings form: every setting, with null for those that are not set there. */
import { formText } from '../../lib/formValues.js';
import { notSent } from '../../lib/api.js';
import type { PortalFlag, SettingsInput, Side } from './types.js';

/** Settings that allow or show something, by side. */
export const FLAGS: Record<Side, readonly (readonly [PortalFlag, string])[]> = {
  buyer: [
    ['exports', 'Export lists as CSV'],
    ['returns', 'Returns'],
    ['change_requests', 'Change requests (caps, prices, states and filters)'],
    ['resend', 'Resend deliveries'],
  ],
  supplier: [
    ['exports', 'Export lists as CSV'],
    ['show_buyer_names', 'Show buyer names'],
    ['show_prices', 'Show prices that buyers paid'],
  ],
};

/** The largest logo that the service takes, in bytes. */
export const LOGO_MAX = 200_000;

/** The service would refuse a larger one only after reading all of it, and for a huge one without naming the field. */
function refuseLarge(logo: File): void {
  if (logo.size <= LOGO_MAX) return;
  const kilobytes = Math.ceil(logo.size / 1_000).toLocaleString('en-US');
  throw notSent('logo', `The logo must have at most 200 kB; this file has ${kilobytes} kB.`);
}

/** Settings that the form does not have stay as they are. @throws {ApiError} for a logo that is too large */
export async function readSettings(values: FormData): Promise<SettingsInput> {
  const text = (name: string): string | null => formText(values, name) || null;
  const settings: SettingsInput = {
    fields: fieldsIn(values),
    pause: text('pause'),
    display_name: text('display_name'),
    primary_color: text('primary_color'),
    accent_color: text('accent_color'),
  };
  for (const [flag] of [...FLAGS.buyer, ...FLAGS.supplier]) {
    if (values.has(flag)) settings[flag] = text(flag) === null ? null : text(flag) === 'true';
  }
  const logo = values.get('logo');
  if (logo instanceof File && logo.size > 0) {
    refuseLarge(logo);
    settings.logo = await dataUrlOf(logo);
  } else if (values.has('remove_logo')) settings.logo = null;
  return settings;
}

/** @throws {ApiError} where none of them has a mark */
function fieldsIn(values: FormData): string[] | null {
  const mode = formText(values, 'fields');
  if (mode === '') return null;
  if (mode === 'all') return ['*'];
  const marked = values.getAll('field').filter((name) => typeof name === 'string');
  if (marked.length === 0)
    throw notSent('fields', 'Mark at least one field.', 'Nothing was saved.');
  return marked;
}

/** As base64 with its type before it. */
export async function dataUrlOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte));
  return `data:${file.type};base64,${btoa(characters.join(''))}`;
}
