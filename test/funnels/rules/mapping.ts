/** Briefs: a definition, and the campaign it is for. */
import { mergeFields } from '../../../src/account/plans/compilePlan.js';
import type { FieldRule } from '../../../src/fields/fieldRule.js';
import type { FunnelDefinitionInput } from '../../../src/funnels/rules/definition.js';
import { aField } from '../../support/builders.js';

export interface Brief {
  title: string;
  /** All of the campaign. */
  fields: FieldRule[];
  definition: FunnelDefinitionInput;
}

/** The fields of a campaign, in the form of its plan. */
export const mapping = (...own: (Partial<FieldRule> & { name: string })[]): FieldRule[] =>
  mergeFields(own.map(aField));

export const yesNo = (name: string, more: Partial<FieldRule> = {}) => ({
  name,
  type: 'Boolean' as const,
  required: true,
  ...more,
});

export const listOf = (name: string, values: string[], more: Partial<FieldRule> = {}) => ({
  name,
  type: 'List of Allowed Values' as const,
  required: true,
  allowed_values: values,
  ...more,
});
