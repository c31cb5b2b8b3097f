/** A ping's fields: as much of the campaign's mapping as was sent. */
import type { FieldError } from '../../lib/errors.js';
import { compileField, type FieldTools } from '../../fields/fieldReader.js';
import type { Fields } from '../../fields/values.js';
import { compileReading, missingField, orInstead } from '../../fields/mapping.js';
import type { FieldRule } from '../../fields/fieldRule.js';

export type PingReading = { ok: true; fields: Fields } | { ok: false; errors: FieldError[] };
export type PingMapper = (body: Record<string, unknown>) => PingReading;

/**
 * Compiles a campaign's mapping for its pings. Fields that were sent are read by the rules of the post. Only
 * `ping_required` ones are required (contract 5.1), and no default replaces a missing one: the post may
 * have another value. Unmapped fields are checked as at the post, and dropped.
 * @param tools the tools that the rules need, see `compileField`
 * @throws {Error} when a pattern does not compile, or a tool is missing
 */
export function compilePingMapping(
  rules: readonly FieldRule[],
  tools: FieldTools = {},
): PingMapper {
  const map = compileReading(rules, 'A ping', (rule) => {
    const missing = missingField(rule, 'is required in every ping of this campaign');
    const instead = rule.ping_required ? missing : undefined;
    return { name: rule.name, read: orInstead(compileField(rule, tools), instead) };
  });
  return (body) => {
    const result = map(body);
    return result.ok ? { ok: true, fields: result.fields } : result;
  };
}
