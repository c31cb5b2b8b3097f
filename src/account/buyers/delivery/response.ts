import { problemsOf } from '../../../lib/schema/zodIssues.js';
import { ResponseRulesSchema, type ResponseRules } from '../responseSchema.js';
import type { SettingReader } from './reader.js';

/** The rules for reading answers; null when none are given. */
export function readResponse(read: SettingReader): ResponseRules | null {
  const given = read.given('response');
  if (given === undefined) return null;
  const found = ResponseRulesSchema.safeParse(given, { reportInput: true });
  if (found.success) return found.data;
  for (const { path, code, rule } of problemsOf(found.error)) {
    const at = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
    read.problem(`response${at.join('')}`, code, `${rule}.`);
  }
  return null;
}
