/** E-mail addresses in their one normal form (contract 2.2.6). */
import { domainToASCII, domainToUnicode } from 'node:url';
import { withoutInvisible } from '../lib/invisible.js';

/** RFC 5321 leaves 254 characters for an address. */
const EMAIL_MAX = 254;
const FORMAT = /\p{Cf}/gu;

const LOCAL_PART =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const ASCII = /^[\x21-\x7e]*$/;
/** In other scripts a full stop has other forms, too; nothing here ends a host name for the one who converts it. */
const INTERNATIONAL = /^[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]+$/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const ONLY_DIGITS = /^[0-9]+$/;

/**
 * An e-mail address in lower case, its domain in ASCII (IDNA): however a domain is written, it is one domain. The shape
 * is checked, not whether the address can be reached.
 * @returns null for text that is not an address
 */
export function normalizeEmail(text: string): string | null {
  if (text.length > 4 * EMAIL_MAX) return null;
  const written = withoutInvisible(text).replace(FORMAT, '').trim().toLowerCase().normalize('NFC');
  const [local, domain, ...rest] = written.split('@');
  if (local === undefined || domain === undefined || rest.length > 0) return null;
  if (local.length > 64 || !LOCAL_PART.test(local)) return null;
  const host = asciiDomain(domain);
  const labels = host.split('.');
  const top = labels.at(-1) ?? '';
  if (labels.length < 2 || top.length < 2 || ONLY_DIGITS.test(top)) return null;
  const address = `${local}@${host}`;
  if (address.length > EMAIL_MAX) return null;
  return labels.every((label) => label.length <= 63 && LABEL.test(label)) ? address : null;
}

/** Empty for a domain that has no ASCII form. */
function asciiDomain(domain: string): string {
  if (ASCII.test(domain)) return domain;
  return INTERNATIONAL.test(domain) ? domainToASCII(domain) : '';
}

/** The same address with its domain as people read it; most addresses are the same in both forms. */
export function readableEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at);
  if (at === 0 || !/(?:^|\.)xn--/.test(domain)) return email;
  const readable = domainToUnicode(domain);
  return readable === '' ? email : email.slice(0, at) + readable;
}
