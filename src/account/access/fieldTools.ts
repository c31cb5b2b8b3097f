import type { FieldTools } from '../../fields/fieldReader.js';
import type { FieldRule } from '../../fields/fieldRule.js';
import type { Plan } from '../rules/plan.js';

/**
 * The tools that a mapping's rules need. The numbering plans (libphonenumber, its smallest set) are loaded when the
 * first strict field asks for them: they contain the numbers that a country can have, and no more.
 */
export async function createFieldTools(rules: readonly FieldRule[]): Promise<FieldTools> {
  if (!rules.some(({ strict }) => strict)) return {};
  const { isValidPhoneNumber } = await import('libphonenumber-js/min');
  return { isValidPhone: (e164) => isValidPhoneNumber(e164) };
}

/** Compiles the mapping of each plan once, with the tools that it needs. */
export function compileOnce<Mapper>(
  compile: (rules: readonly FieldRule[], tools: FieldTools) => Mapper,
): (plan: Plan) => Promise<Mapper> {
  const mappers = new WeakMap<Plan, Mapper>();
  return async (plan) => {
    const mapper = mappers.get(plan) ?? compile(plan.fields, await createFieldTools(plan.fields));
    mappers.set(plan, mapper);
    return mapper;
  };
}
