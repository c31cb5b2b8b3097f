import { describe, expect, it } from '@jest/globals';
import { permissionsGiven, rightsOf } from '../../../src/api/actions/roles.js';

const AREAS = ['campaigns', 'buyers', 'suppliers', 'leads', 'funnels', 'reports', 'portal'];
const every = (kind: 'read' | 'write', ...more: string[]) =>
  [...AREAS, ...more].map((area) => `${area}:${kind}`);

describe('the role of a member', () => {
  it.each([
    ['admin', every('write', 'settings'), false],
    ['operator', every('write'), false],
    ['analyst', every('read'), false],
    ['viewer', every('read'), true],
  ] as const)('%s gives these permissions', (role, permissions, seesNoPeople) => {
    expect(rightsOf(role)).toEqual({ permissions, seesNoPeople });
    expect(permissionsGiven('organization', role)).toEqual(permissions);
  });

  it.each([
    ['buyer', 'admin', ['leads:write', 'buyers:write']],
    ['buyer', 'viewer', ['leads:read', 'buyers:read']],
    ['supplier', 'admin', ['leads:write', 'suppliers:write']],
    ['supplier', 'viewer', ['leads:read', 'suppliers:read']],
  ] as const)('of a %s, %s, comes to these permissions', (kind, role, permissions) => {
    expect(permissionsGiven(kind, role)).toEqual(permissions);
  });

  it.each(['operator', 'analyst'] as const)(
    '%s, which partners do not have, gives a partner no more than to read',
    (role) => {
      expect(permissionsGiven('buyer', role)).toEqual(['leads:read', 'buyers:read']);
    },
  );
});
