import { checkOutboundUrl } from '../../../platform/outbound/http.js';
import type { OutboundPolicy } from './method.js';
import type { SettingReader } from './reader.js';

const URL_LENGTH = 2_000;

/**
 * An address that may be called from here; empty where a problem was noted.
 * @param purpose ends the sentence that says what address is needed
 */
export function readUrl(read: SettingReader, policy: OutboundPolicy, purpose: string): string {
  const url = read.text('url', URL_LENGTH);
  if (url === null) {
    read.problem('url', 'required', `must be the address that ${purpose}.`);
    return '';
  }
  const wrong = checkOutboundUrl(url, policy);
  if (wrong !== null) read.problem('url', 'not_allowed', `${wrong}.`);
  return url;
}
