/** E-mail addresses in their one normal form. */
import { withoutInvisible } from '../lib/invisible.js';

/** RFC 5321 leaves 254 characters for an address. */
const EMAIL_MAX = 254;
const FORMAT = /\p{Cf}/gu;

const LOCAL_PART =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const DOMAIN_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
const ONLY_DIGITS = /^\p{N}+$/u;

/** An e-mail address in lower case; the shape is checked, not whether it can be reached. */
export function normalizeEmail(text: string): string | null {
  if (text.length > 2 * EMAIL_MAX) return null;
  const address = withoutInvisible(text).replace(FORMAT, '').trim().toLowerCase().normalize('NFC');
  if (address.length > EMAIL_MAX) return null;
  const [local, domain, ...rest] = address.split('@');
  if (local === undefined || domain === undefined || rest.length > 0) return null;
  if (local.length > 64 || !LOCAL_PART.test(local)) return null;
  const labels = domain.split('.');
  const top = labels.at(-1) ?? '';
  if (labels.length < 2 || top.length < 2 || ONLY_DIGITS.test(top)) return null;
  return labels.every((label) => label.length <= 63 && DOMAIN_LABEL.test(label)) ? address : null;
}
