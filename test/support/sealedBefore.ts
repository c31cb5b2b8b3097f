/** A value as releases before places sealed it: it opens anywhere. */
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SealedValue } from '../../src/platform/security/sealedValue.js';

const derived = (secret: string, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'leadwire', `leadwire ${purpose}`, bytes));

export function sealedBefore(secret: string, text: string): SealedValue {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', derived(secret, 'seal', 32), iv);
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return {
    key_id: derived(secret, 'key id', 4).toString('hex'),
    iv: iv.toString('base64url'),
    tag: cipher.getAuthTag().toString('base64url'),
    data: data.toString('base64url'),
  };
}
