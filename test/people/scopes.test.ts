import { describe, expect, it } from '@jest/globals';
import { checkRole, scopeKey } from '../../src/people/scopes.js';
import type { AppError } from '../../src/lib/errors.js';
import type { OrgRole, Scope } from '../../src/people/types.js';

const ORGANIZATION: Scope = { kind: 'organization' };
const BUYER: Scope = { kind: 'buyer', buyer_id: 'x' };
const SUPPLIER: Scope = { kind: 'supplier', supplier_id: 'x' };

describe('a scope', () => {
  it('has a text of its own', () => {
    expect([ORGANIZATION, BUYER, SUPPLIER].map(scopeKey)).toEqual([
      'organization',
      'buyer:x',
      'supplier:x',
    ]);
  });

  it.each([
    [ORGANIZATION, 'admin, operator, analyst, viewer'],
    [BUYER, 'admin, viewer'],
    [SUPPLIER, 'admin, viewer'],
  ])('%j has the roles %s', (scope, names) => {
    const roles = names.split(', ') as OrgRole[];
    for (const role of roles) expect(() => checkRole(scope, role)).not.toThrow();
    const message = `role must be one of ${names}.`;
    for (const role of ['operator', 'owner'] as OrgRole[]) {
      if (roles.includes(role)) continue;
      const error = refused(() => checkRole(scope, role));
      expect(error).toMatchObject({ code: 'validation_failed', message });
      expect(error.extras.details).toEqual([{ path: 'role', code: 'not_allowed', message }]);
    }
  });
});

function refused(call: () => void): AppError {
  try {
    call();
  } catch (error) {
    return error as AppError;
  }
  throw new Error('It was not refused');
}
