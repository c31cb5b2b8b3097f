/** Mail addresses, as a person sets them up. */
import { normaliseEmail } from '../../../fields/normalise.js';
import type { SettingReader } from './reader.js';

/** In one list. */
export const ADDRESSES = 20;

/** Plain ASCII addresses: what every mail server takes, and nothing that could mean more in a header. */
const ASCII = /^[\x21-\x7e]+$/;

/** Each once; none where a problem was noted, or nothing given. */
export function readAddresses(read: SettingReader, key: string): string[] {
  const addresses = read.texts(key, ADDRESSES) ?? [];
  for (const address of addresses) {
    if (ASCII.test(address) && normaliseEmail(address) !== null) continue;
    read.problem(key, 'invalid_format', `must hold addresses; "${address.slice(0, 60)}" is none.`);
  }
  return [...new Set(addresses)];
}
