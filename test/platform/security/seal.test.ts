import { describe, it, expect } from '@jest/globals';
import { sealedBefore } from '../../support/sealedBefore.js';
import { createKeyring } from '../../../src/platform/security/seal.js';

const SECRET = 'a secret of at least thirty-two characters';
const PLACE = { collection: 'buyers', id: 'b-1', field: 'signing_secret' };
const LATER = 'another secret of thirty-two characters or more';

describe('a keyring', () => {
  const keyring = createKeyring(SECRET);

  it.each(['whsec_abc', '', 'ключ 🔑'])('opens %j unchanged', (text) => {
    expect(keyring.open(keyring.seal(text, PLACE), PLACE)).toBe(text);
  });

  it('seals the same text differently each time, and never in plain text', () => {
    const [a, b] = [keyring.seal('the text', PLACE), keyring.seal('the text', PLACE)];
    expect(a.data).not.toBe(b.data);
    expect(a.iv).not.toBe(b.iv);
    expect(Buffer.from(a.data, 'base64url').toString()).not.toContain('the text');
  });

  it('seals equal values of one record to the same bytes, and of two records to different bytes', () => {
    const sealed = keyring.sealEqual('the text', PLACE);
    expect(keyring.open(sealed, PLACE)).toBe('the text');
    expect(createKeyring(SECRET).sealEqual('the text', PLACE)).toEqual(sealed);
    const others = [
      keyring.sealEqual('the text', { ...PLACE, id: 'b-2' }),
      keyring.sealEqual('the texts', PLACE),
      createKeyring(LATER).sealEqual('the text', PLACE),
    ];
    expect(new Set([sealed, ...others].map(({ iv }) => iv)).size).toBe(4);
    expect(new Set([sealed, ...others].map(({ data }) => data)).size).toBe(4);
  });

  it("derives the key's name from the secret alone", () => {
    expect(keyring.keyId).toMatch(/^[0-9a-f]{8}$/);
    expect(createKeyring(SECRET).keyId).toBe(keyring.keyId);
    expect(createKeyring(LATER).keyId).not.toBe(keyring.keyId);
    expect(keyring.seal('x', PLACE).key_id).toBe(keyring.keyId);
  });

  it('opens what another process with the same secret sealed', () => {
    expect(createKeyring(SECRET).open(keyring.seal('text', PLACE), PLACE)).toBe('text');
  });

  it('refuses a value sealed under another secret, naming both keys', () => {
    const other = createKeyring(LATER);
    expect(() => other.open(keyring.seal('text', PLACE), PLACE)).toThrow(
      `This value was sealed under the key ${keyring.keyId}; the configured secrets have ${other.keyId}. Add the secret it was sealed under as an older one.`,
    );
  });

  it('opens older values after the secret was changed, and seals under the new one', () => {
    const changed = createKeyring(LATER, [SECRET]);
    expect(changed.open(keyring.seal('text', PLACE), PLACE)).toBe('text');
    expect(changed.seal('text', PLACE).key_id).toBe(createKeyring(LATER).keyId);
  });

  it.each(['iv', 'tag', 'data'] as const)('refuses a value whose %s was changed', (part) => {
    const sealed = keyring.seal('the text', PLACE);
    const bytes = Buffer.from(sealed[part], 'base64url');
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    expect(() => keyring.open({ ...sealed, [part]: bytes.toString('base64url') }, PLACE)).toThrow(
      `This value, sealed under the key ${keyring.keyId}, was changed after it was sealed`,
    );
  });

  it('refuses a tag that was cut short', () => {
    const sealed = keyring.seal('the text', PLACE);
    expect(() => keyring.open({ ...sealed, tag: sealed.tag.slice(0, 6) }, PLACE)).toThrow(
      'was changed after it was sealed',
    );
  });
});

describe('a sealed value', () => {
  const keyring = createKeyring(SECRET);
  const refused = 'was changed after it was sealed, or is not where it belongs';

  it.each([
    ['record', { ...PLACE, id: 'b-2' }],
    ['field', { ...PLACE, field: 'webhook_secret' }],
    ['collection', { ...PLACE, collection: 'suppliers' }],
    ['record and field, joined otherwise', { ...PLACE, id: 'b-1","signing', field: 'secret' }],
  ])('is refused in another %s, opened before or not', (_name, place) => {
    for (const value of [keyring.seal('text', PLACE), keyring.sealEqual('text', PLACE)]) {
      expect(() => keyring.open(value, place)).toThrow(refused);
      expect(keyring.open(value, PLACE)).toBe('text');
      expect(() => keyring.open(value, place)).toThrow(refused);
    }
  });

  it('cannot be made one of an earlier release', () => {
    const { v: version, ...rest } = keyring.seal('text', PLACE);
    expect(version).toBe(1);
    expect(() => keyring.open(rest, PLACE)).toThrow(refused);
    expect(() => keyring.open(rest, { ...PLACE, id: 'b-2' })).toThrow(refused);
  });

  it('of an earlier release opens, and is sealed again for its place alone, each time alike', () => {
    const before = sealedBefore(SECRET, 'text');
    expect(keyring.open(before, PLACE)).toBe('text');
    const after = keyring.reseal(before, PLACE);
    expect(after).toEqual(createKeyring(SECRET).reseal(sealedBefore(SECRET, 'text'), PLACE));
    expect(keyring.open(after, PLACE)).toBe('text');
    expect(() => keyring.open(after, { ...PLACE, id: 'b-2' })).toThrow(refused);
    expect(keyring.reseal(after, PLACE)).toBe(after);
  });

  it('under an older secret opens in its place alone, and is sealed again under the new one', () => {
    const before = keyring.seal('text', PLACE);
    const changed = createKeyring(LATER, [SECRET]);
    expect(changed.open(before, PLACE)).toBe('text');
    expect(() => changed.open(before, { ...PLACE, id: 'b-2' })).toThrow(refused);
    const after = changed.reseal(before, PLACE);
    expect(createKeyring(LATER).open(after, PLACE)).toBe('text');
    expect(() => createKeyring(LATER).reseal(before, PLACE)).toThrow(
      'Add the secret it was sealed under as an older one.',
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
