/** One entry of a campaign's field mapping: its schema checks it and is published. */
import { z } from 'zod';

export const FIELD_TYPE_NAMES = [
  'String',
  'Number',
  'Boolean',
  'Phone',
  'Email',
  'Date',
  'State',
  'Zip / Postal Code',
  'URL',
  'List of Allowed Values',
] as const;
export type FieldType = (typeof FIELD_TYPE_NAMES)[number];

export const TRANSFORM_NAMES = [
  'trim',
  'lowercase',
  'uppercase',
  'titlecase',
  'phone_e164',
  'date_iso',
  'zip5',
  'digits',
] as const;
export type Transform = (typeof TRANSFORM_NAMES)[number];

const NAME_MAX = 64;
const LABEL_MAX = 200;
const TEXT_MAX = 10_000;
const PATTERN_MAX = 500;
const LENGTH_RULE = `must be a whole number from 1 to ${TEXT_MAX}`;

/** Fields of a mapping, in addition to those of the system. */
export const FIELDS_MAX = 500;

/** Its keys, each by itself; `checkFieldRules` adds what they must be together, and which names there may be. */
export const FieldRule = z
  .strictObject({
    name: z.string().min(1).max(NAME_MAX).describe('The key in a lead, such as loan_amount'),
    type: z
      .enum(FIELD_TYPE_NAMES, `must be one of ${FIELD_TYPE_NAMES.join(', ')}`)
      .describe('How its values are read and checked'),
    required: z.boolean().default(false).describe('A lead without it is refused'),
    ping_required: z.boolean().default(false).describe('A ping without it is refused'),
    label: z
      .string()
      .max(LABEL_MAX, `must be at most ${LABEL_MAX} characters`)
      .optional()
      .describe('The display name'),
    allowed_values: z
      .array(z.string())
      .min(1, 'must list at least one value')
      .optional()
      .describe('For a List of Allowed Values'),
    min: z.number('must be a number').optional().describe('Minimum of a Number'),
    max: z.number('must be a number').optional().describe('Maximum of a Number'),
    max_length: z
      .int(LENGTH_RULE)
      .min(1, LENGTH_RULE)
      .max(TEXT_MAX, LENGTH_RULE)
      .optional()
      .describe('Maximum number of characters'),
    // Matched on a linear-time engine, so that no value can stall a worker.
    pattern: z
      .string()
      .max(PATTERN_MAX, `must be at most ${PATTERN_MAX} characters`)
      .optional()
      .describe('A regular expression that the value must match'),
    // Else a plausible length is enough.
    strict: z.boolean().optional().describe('For a Phone: it must exist in its numbering plan'),
    transforms: z
      .array(z.enum(TRANSFORM_NAMES, `must be of ${TRANSFORM_NAMES.join(', ')}`))
      .optional()
      .describe('Transforms applied to a value before it is checked, in this order'),
    default: z
      .union([z.string(), z.number(), z.boolean()])
      .optional()
      .describe('The default for a lead without a value'),
  })
  .describe('One field of the mapping');
export type FieldRule = z.output<typeof FieldRule>;
