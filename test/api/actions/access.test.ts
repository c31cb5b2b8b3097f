import { describe, expect, it } from '@jest/globals';
import { findKey, findMissing, holds } from '../../../src/api/actions/access.js';
import { createKey, hashKey } from '../../../src/platform/security/keys.js';
import type { ApiKeyDoc, OrgKeyDoc } from '../../../src/account/store/keyDocs.js';
import type { AppError } from '../../../src/lib/errors.js';

const NOW = new Date('2026-11-21T12:00:00Z');
const KEY = createKey('live');

const orgKey = (more: Partial<OrgKeyDoc> = {}): OrgKeyDoc => ({
  _id: hashKey(KEY),
  id: 'k1',
  prefix: 'lw_live_abcd',
  kind: 'org',
  org_id: 'o1',
  name: 'Key',
  permissions: ['leads:read'],
  created_at: NOW,
  ...more,
});

/** Calls with a key, where these keys are stored. */
function find(authorization: string | undefined, ...stored: ApiKeyDoc[]) {
  const keys = {
    find: (hash: string) => Promise.resolve(stored.find(({ _id }) => _id === hash) ?? null),
  };
  return findKey(authorization, { keys, clock: { now: () => NOW } });
}

const refusal = async (authorization: string | undefined, ...stored: ApiKeyDoc[]) => {
  const error = await find(authorization, ...stored).then(
    () => null,
    (thrown: unknown) => thrown as AppError,
  );
  return { code: error?.code, message: error?.message, headers: error?.extras.headers };
};

const REFUSED = {
  code: 'unauthorized',
  headers: { 'www-authenticate': 'Bearer realm="leadwire", error="invalid_token"' },
};

describe('the key of a call', () => {
  it('is the one that is sent', async () => {
    const key = orgKey({ expires_at: new Date(Number(NOW) + 1) });
    expect(await find(`Bearer ${KEY}`, key)).toBe(key);
  });

  it('is asked for where none is sent', async () => {
    expect(await refusal(undefined)).toEqual({
      code: 'unauthorized',
      message: 'Send "Authorization: Bearer <ORG_API_KEY>".',
      headers: { 'www-authenticate': 'Bearer realm="leadwire"' },
    });
  });

  it('is refused when it is mistyped, even if a key had its hash', async () => {
    expect(await refusal('Bearer lw_live_x', orgKey({ _id: hashKey('lw_live_x') }))).toEqual({
      ...REFUSED,
      message: 'This is not an organization key.',
    });
  });

  it('is refused when it is a key of a supplier', async () => {
    const supplier = { ...orgKey(), kind: 'supplier', supplier_id: 's1' } as unknown as ApiKeyDoc;
    expect(await refusal(`Bearer ${KEY}`, supplier)).toEqual({
      ...REFUSED,
      message: "This is a supplier's key; use a key of the organization.",
    });
  });

  it.each([
    ['there is none', []],
    ['it was revoked', [orgKey({ revoked_at: NOW })]],
    ['it was revoked, and has expired too', [orgKey({ revoked_at: NOW, expires_at: NOW })]],
  ])('is refused in the same words when %s', async (_case, stored) => {
    expect(await refusal(`Bearer ${KEY}`, ...stored)).toEqual({
      ...REFUSED,
      message: 'This key does not exist, or was revoked.',
    });
  });

  it('is refused from its last instant on', async () => {
    expect(await refusal(`Bearer ${KEY}`, orgKey({ expires_at: NOW }))).toEqual({
      ...REFUSED,
      message: 'This key expired at 2026-11-21T12:00:00.000Z. Use another one.',
    });
  });
});

describe('permissions', () => {
  it.each([
    ['leads:read', 'leads:read', true],
    ['leads:write', 'leads:write', true],
    ['leads:write', 'leads:read', true],
    ['leads:read', 'leads:write', false],
    ['buyers:write', 'leads:read', false],
    ['buyers:read', 'leads:read', false],
  ] as const)('%s for a call that needs %s: %s', (held, needed, is) => {
    expect(holds([held], needed)).toBe(is);
    expect(holds(['reports:read', held], needed)).toBe(is);
  });

  it('are all needed; the first that is missing is named', () => {
    expect(findMissing(['leads:write'], ['leads:read', 'leads:write'])).toBeUndefined();
    expect(findMissing(['leads:write'], ['leads:read', 'buyers:write', 'buyers:read'])).toBe(
      'buyers:write',
    );
    expect(findMissing([], [])).toBeUndefined();
    expect(findMissing([], ['leads:read'])).toBe('leads:read');
  });
});
