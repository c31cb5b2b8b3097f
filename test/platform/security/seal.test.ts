import { describe, it, expect } from '@jest/globals';
import { createKeyring } from '../../../src/platform/security/seal.js';

const SECRET = 'a secret of at least thirty-two characters';
const LATER = 'another secret of thirty-two characters or more';

describe('a keyring', () => {
  const keyring = createKeyring(SECRET);

  it.each(['whsec_abc', '', 'ключ 🔑'])('opens %j unchanged', (text) => {
    expect(keyring.open(keyring.seal(text))).toBe(text);
  });

  it('seals the same text differently each time, and never in plain text', () => {
    const [a, b] = [keyring.seal('the text'), keyring.seal('the text')];
    expect(a.data).not.toBe(b.data);
    expect(a.iv).not.toBe(b.iv);
    expect(Buffer.from(a.data, 'base64url').toString()).not.toContain('the text');
  });

  it('seals equal values of one record to the same bytes, and of two records to different bytes', () => {
    const sealed = keyring.sealEqual('the text', 'a');
    expect(keyring.open(sealed)).toBe('the text');
    expect(createKeyring(SECRET).sealEqual('the text', 'a')).toEqual(sealed);
    const others = [
      keyring.sealEqual('the text', 'b'),
      keyring.sealEqual('the texts', 'a'),
      createKeyring(LATER).sealEqual('the text', 'a'),
    ];
    expect(new Set([sealed, ...others].map(({ iv }) => iv)).size).toBe(4);
    expect(new Set([sealed, ...others].map(({ data }) => data)).size).toBe(4);
  });

  it("derives the key's name from the secret alone", () => {
    expect(keyring.keyId).toMatch(/^[0-9a-f]{8}$/);
    expect(createKeyring(SECRET).keyId).toBe(keyring.keyId);
    expect(createKeyring(LATER).keyId).not.toBe(keyring.keyId);
    expect(keyring.seal('x').key_id).toBe(keyring.keyId);
  });

  it('opens what another process with the same secret sealed', () => {
    expect(createKeyring(SECRET).open(keyring.seal('text'))).toBe('text');
  });

  it('refuses a value sealed under another secret, naming both keys', () => {
    const other = createKeyring(LATER);
    expect(() => other.open(keyring.seal('text'))).toThrow(
      `This value was sealed under the key ${keyring.keyId}; the configured secrets have ${other.keyId}. Add the secret it was sealed under as an older one.`,
    );
  });

  it('opens older values after the secret was changed, and seals under the new one', () => {
    const changed = createKeyring(LATER, [SECRET]);
    expect(changed.open(keyring.seal('text'))).toBe('text');
    expect(changed.seal('text').key_id).toBe(createKeyring(LATER).keyId);
  });

  it.each(['iv', 'tag', 'data'] as const)('refuses a value whose %s was changed', (part) => {
    const sealed = keyring.seal('the text');
    const bytes = Buffer.from(sealed[part], 'base64url');
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    expect(() => keyring.open({ ...sealed, [part]: bytes.toString('base64url') })).toThrow(
      `This value, sealed under the key ${keyring.keyId}, was changed after it was sealed`,
    );
  });

  it('refuses a tag that was cut short', () => {
    const sealed = keyring.seal('the text');
    expect(() => keyring.open({ ...sealed, tag: sealed.tag.slice(0, 6) })).toThrow(
      'was changed after it was sealed',
    );
  });
});

describe('claimHash', () => {
  const claimHash = (text: string) => createKeyring(SECRET).claimHash(text);

  it('is the same for the same text under the same secret only', () => {
    expect(claimHash('phone:+15551234567')).toMatch(/^[0-9A-Za-z_-]{22}$/);
    expect(claimHash('phone:+15551234567')).toBe(
      createKeyring(SECRET, [LATER]).claimHash('phone:+15551234567'),
    );
    expect(claimHash('phone:+15551234568')).not.toBe(claimHash('phone:+15551234567'));
    expect(createKeyring(LATER).claimHash('phone:+15551234567')).not.toBe(
      claimHash('phone:+15551234567'),
    );
  });
});
