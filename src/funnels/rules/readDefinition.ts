/** Reads the definition of a funnel: in its normal form, or every problem with its place and its rule. */
import { z } from 'zod';
import type { InputFault } from '../../lib/errors.js';
import { getOwn } from '../../lib/getOwn.js';
import { didYouMean } from '../../lib/nearest.js';
import { problemsOf, readParts } from '../../lib/schema/zodIssues.js';
import { checkStructure } from './checkStructure.js';
import { cleanCustomCode } from './customCode.js';
import { FunnelDefinition } from './definition.js';
import { faultsOf, PROBLEMS_MAX } from './faults.js';
import { warningsOf } from './warnings.js';

export type DefinitionResult =
  /** Warnings are sentences, for the person who designs the funnel; none prevents publishing. */
  | { ok: true; definition: FunnelDefinition; warnings: string[] }
  /** Paths are such as `definition.blocks[2].options[0].next`. */
  | { ok: false; details: InputFault[] };

/**
 * Checks each part, and how they fit together. `checkAgainstCampaign` checks what depends on the campaign.
 * Reading a definition that was read before returns it unchanged.
 * @param options.ownOrigin whether funnels have a separate origin: only there are `custom_code` and certificates of
 * consent allowed
 */
export function readDefinition(input: unknown, options: { ownOrigin: boolean }): DefinitionResult {
  const parsed = FunnelDefinition.safeParse(input, { reportInput: true });
  const parts = parsed.success ? parsed.data : validParts(input);
  const problems = [
    ...(parsed.success ? [] : problemsOf(explained(parsed.error, input))),
    ...checkStructure(parts, options),
  ];
  if (!parsed.success || problems.length > 0) return { ok: false, details: faultsOf(problems) };
  const { definition, warnings } = cleanCustomCode(parsed.data);
  return { ok: true, definition, warnings: [...warningsOf(definition), ...warnings] };
}

/** The settings that are valid by themselves, so that an invalid one hides no problem of the others. */
function validParts(input: unknown): Partial<FunnelDefinition> {
  if (typeof input !== 'object' || input === null) return {};
  const known = Object.entries(input).filter(([key]) => Object.hasOwn(FunnelDefinition.shape, key));
  return readParts(FunnelDefinition, Object.fromEntries(known), () => '').values;
}

/** With the rule of what is missing, and with the place of each unknown key, and the key that may have been meant. */
function explained({ issues }: z.ZodError, input: unknown): z.ZodError {
  return new z.ZodError(
    issues.flatMap((issue, at): z.core.$ZodIssue[] => {
      // Beyond this number only the count is reported.
      if (at >= PROBLEMS_MAX) return [issue];
      if (issue.code === 'unrecognized_keys') return unknownKeys(issue, input);
      if (issue.input === undefined && isOfKind(issue))
        return [{ ...issue, code: 'invalid_type', expected: 'unknown', message: 'is required' }];
      const isObject = issue.code === 'invalid_type' && issue.expected === 'object';
      return [isObject ? { ...issue, message: 'must be an object' } : issue];
    }),
  );
}

const isOfKind = ({ code }: z.core.$ZodIssue): boolean =>
  code === 'invalid_type' || code === 'invalid_union' || code === 'invalid_value';

/** Maximum unknown keys named of one object. */
const UNKNOWN_KEYS_MAX = 20;

function unknownKeys(
  { keys, path }: z.core.$ZodIssueUnrecognizedKeys,
  input: unknown,
): z.core.$ZodIssue[] {
  const known = keysAt(FunnelDefinition, input, path);
  return keys.slice(0, UNKNOWN_KEYS_MAX).map((key) => ({
    code: 'unrecognized_keys',
    keys: [key],
    path: [...path, key.slice(0, 64)],
    message: `is not a key of the definition; there are ${known.join(', ')}.${didYouMean(key, known)}`,
  }));
}

/** The keys that the schema has at a place of the input; of a block, those of its type. */
function keysAt(
  schema: z.core.$ZodType | undefined,
  input: unknown,
  path: readonly PropertyKey[],
): string[] {
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const key = schema.def.discriminator;
    const type = isRecord(input) ? getOwn(input, key) : undefined;
    // The values that each option has at the discriminator.
    const option = schema.options.find(({ _zod }) =>
      getOwn(_zod.propValues ?? {}, key)?.has(type as string),
    );
    return keysAt(option, input, path);
  }
  if (isWrapper(schema)) return keysAt(schema.unwrap(), input, path);
  const [step, ...rest] = path;
  if (schema instanceof z.ZodArray && Array.isArray(input))
    return keysAt(schema.element, input[Number(step)], rest);
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum)
    return schema.keyType.options.map(String);
  if (!(schema instanceof z.ZodObject)) return [];
  if (step === undefined) return Object.keys(schema.shape);
  const shape: Record<string, z.core.$ZodType | undefined> = schema.shape;
  const name = String(step);
  return keysAt(getOwn(shape, name), isRecord(input) ? getOwn(input, name) : undefined, rest);
}

const isRecord = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' && input !== null;

const isWrapper = (
  schema: z.core.$ZodType | undefined,
): schema is z.ZodOptional | z.ZodNullable | z.ZodDefault | z.ZodPrefault =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodDefault ||
  schema instanceof z.ZodPrefault;
