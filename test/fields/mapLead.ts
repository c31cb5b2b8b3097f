import type { FieldRule } from '../../src/fields/fieldRule.js';
import { type MappingResult, compileMapping } from '../../src/fields/mapping.js';

/** Applies a mapping once; callers with many leads keep the function that `compileMapping` returns. */
export const mapLead = (
  body: Record<string, unknown>,
  rules: readonly FieldRule[],
): MappingResult => compileMapping(rules)(body);
