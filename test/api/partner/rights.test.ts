/** What a role in a portal comes to as permissions: every call of a portal, beside the permission of a like action. */
import { describe, expect, it } from '@jest/globals';
import { holds } from '../../../src/api/actions/access.js';
import { permissionsGiven } from '../../../src/api/actions/roles.js';
import { PORTALS } from '../../../src/api/partner/registry.js';
import type { Permission } from '../../../src/account/store/keyDocs.js';

/** A team invites its own, as its admins' roles allow: an invitation from there gives what its sender has. */
const OF_TEAM = ['list_team', 'invite_team_member', 'update_team_member', 'remove_team_member'];

const NEEDS: Readonly<Record<'buyer' | 'supplier', Partial<Record<Permission, string[]>>>> = {
  buyer: {
    'leads:read': [
      'list_sales',
      'get_sale',
      'list_returns',
      'get_return_allowance',
      'list_attempts',
      'leads.csv',
      'returns.csv',
    ],
    'leads:write': [
      'record_outcome',
      'import_outcomes',
      'request_return',
      'resend_delivery',
      'send_test_lead',
      'try_postback',
    ],
    'buyers:read': [
      'get_endpoint',
      'get_terms',
      'get_usage',
      'get_daily_rates',
      'get_postback_guide',
      'list_changes',
    ],
    'buyers:write': [
      'update_endpoint',
      'rotate_secret',
      'request_change',
      'withdraw_change',
      'pause',
      'resume',
    ],
  },
  supplier: {
    'leads:read': ['list_posts', 'get_post', 'posts.csv', 'get_ping_stats'],
    'leads:write': ['send_test_post', 'send_test_ping'],
    'suppliers:read': [
      'list_campaigns',
      'get_posting_guide',
      'get_caps_left',
      'get_payout',
      'payout.csv',
      'list_keys',
      'get_webhook',
    ],
    'suppliers:write': [
      'create_key',
      'rotate_key',
      'revoke_key',
      'set_webhook',
      'rotate_webhook_secret',
      'test_webhook',
      'remove_webhook',
      'pause',
      'resume',
    ],
  },
};

describe.each(['buyer', 'supplier'] as const)("a role in a %s's portal", (side) => {
  const { calls, files } = PORTALS[side];
  const ofSide = [...calls, ...files].filter(({ name }) => !OF_TEAM.includes(name));
  const needs = Object.entries(NEEDS[side]) as [Permission, string[]][];

  it('is compared call by call, and none is missing', () => {
    const named = needs.flatMap(([, names]) => names);
    expect(named.toSorted()).toEqual(ofSide.map(({ name }) => name).toSorted());
  });

  it.each(['admin', 'viewer'] as const)('%s gives the permission of each of its calls', (role) => {
    const given = permissionsGiven(side, role);
    const open = ofSide.filter((one) => role === 'admin' || one.needs !== 'admin');
    const lacking = open.filter(({ name }) => {
      const needed = needs.find(([, names]) => names.includes(name))?.[0];
      return needed === undefined || !holds(given, needed);
    });
    expect(lacking.map(({ name }) => name)).toEqual([]);
  });
});
