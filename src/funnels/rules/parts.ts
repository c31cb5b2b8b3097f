/** The kinds of settings in a definition: texts, ids, addresses and pictures. */
import { z } from 'zod';
import { PICTURE_TEXT_MAX } from '../../account/rules/pictureSize.js';
import { isBlank, isCleanText, isUnsafeName } from '../../fields/fields.js';
import { choice } from '../../lib/schema/settings.js';

/** A text that must be there, in Unicode, without markup: it is shown verbatim. */
export const shown = (max: number) =>
  z
    .string('must be text')
    .min(1, 'must not be empty')
    .regex(/\S/, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .refine((text) => !isBlank(text), 'must not be empty')
    .refine(isCleanText, 'must not contain NUL or broken characters');

const LEAST = ['none', 'one', 'two'] as const;
/**
 * A list of at most `max`.
 * @param options.min 0 to 2
 * @param options.of what it is a list of, for the refusal of anything else
 */
export function listOf<S extends z.ZodType>(
  item: S,
  max: number,
  { min = 0, of = '' }: { min?: 0 | 1 | 2; of?: string } = {},
) {
  const list = z
    .array(item, `must be a list${of && ` of ${of}`}`)
    .max(max, `must list at most ${max}`);
  return min === 0 ? list : list.min(min, `must list at least ${LEAST[min]}`);
}

export const ICONS = [
  'bolt',
  'briefcase',
  'building',
  'calendar',
  'car',
  'check',
  'clock',
  'dollar',
  'gift',
  'globe',
  'heart',
  'home',
  'leaf',
  'lock',
  'mail',
  'phone',
  'shield',
  'star',
  'sun',
  'tool',
  'truck',
  'umbrella',
  'user',
  'users',
] as const;
export type Icon = (typeof ICONS)[number];

export const icon = choice(ICONS).describe('A picture drawn by Leadwire, in the accent color');

const ID_RULE = 'must be 1 to 40 of a-z, 0-9, _ and -, and begin with a letter';
/** Names a block or a page within its funnel, such as `contact`. */
export const blockId = z
  .string('must be text')
  .regex(/^[a-z][a-z0-9_-]{0,39}$/, ID_RULE)
  .refine((id) => !isUnsafeName(id), 'must not be a reserved name')
  .describe('Unique within the funnel, such as contact; steps and statistics are named by it');

const ADDRESS_RULE = 'must be an address that begins with https://';
/** An address that visitors are sent to. */
export const webAddress = z
  .string('must be text')
  .max(2_000, 'must have at most 2000 characters')
  .regex(/^https:\/\/\S+$/, ADDRESS_RULE)
  .refine((text) => URL.canParse(text) && new URL(text).protocol === 'https:', ADDRESS_RULE);

/** A picture that Leadwire serves itself. */
export const image = z
  .string('must be text')
  .max(PICTURE_TEXT_MAX, `must have at most ${PICTURE_TEXT_MAX} characters`)
  .regex(
    /^(?:data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}|asset:[0-9a-f]{64})$/,
    'must be a PNG, JPEG or WebP picture as data:image/…;base64,…',
  )
  .describe(
    'A PNG, JPEG or WebP picture as a data: address in base64, at most 200000 bytes; Leadwire stores and serves it, and ' +
      'returns its name, such as asset:9f86d081…, which stands for it from then on',
  );

const VALUE_MAX = 1_000;
/** A value that a lead may carry. */
export const leadValue = z.union(
  [shown(VALUE_MAX), z.number(), z.boolean()],
  'must be a text, a number, true or false',
);
