import { checkOutboundUrl } from '../../../platform/outbound/http.js';
import { requiredText } from '../../../lib/schema/settings.js';
import { problemsOf, type Problem } from '../../../lib/schema/zodIssues.js';
import type { OutboundPolicy } from './method.js';
import type { SettingReader } from './reader.js';

const URL_MAX = 2_000;

/** What is wrong with an address that is called from here. */
export function urlProblems(url: string, policy: OutboundPolicy): Problem[] {
  const rule = checkOutboundUrl(url, policy);
  return rule === null ? [] : [{ path: ['url'], code: 'not_allowed', rule }];
}

/**
 * An address that may be called from here; empty where a problem was noted.
 * @param purpose ends the sentence that says what address is needed
 */
export function readUrl(read: SettingReader, policy: OutboundPolicy, purpose: string): string {
  const schema = requiredText(URL_MAX, `must be the address that ${purpose}`);
  const found = schema.safeParse(read.given('url'), { reportInput: true });
  const problems = found.success ? urlProblems(found.data, policy) : problemsOf(found.error);
  for (const { code, rule } of problems) read.problem('url', code, `${rule}.`);
  return found.success ? found.data : '';
}
