/** What each permission allows: a list by hand, to which the registry and `invoke` must agree. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PERMISSIONS } from '../../../src/account/keys/keys.js';
import { contextOf } from '../../../src/api/actions/named.js';
import type { ActionName } from '../../../src/api/actions/names.js';
import { createReadAudit } from '../../../src/api/calls/readAudit.js';
import { runCall } from '../../../src/api/calls/runCall.js';
import { NO_WITNESS } from '../../../src/api/http/witness.js';
import { REGISTRY } from '../../../src/api/actions/registry.js';
import type { Permission } from '../../../src/account/store/keyDocs.js';
import { AppError } from '../../../src/lib/errors.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { actionDeps } from '../../support/api.js';
import { makeOrg } from '../../support/org.js';

/** The actions that need each permission. */
const NEEDING: Record<Permission, readonly ActionName[]> = {
  'campaigns:read': [
    'list_campaigns',
    'get_campaign',
    'get_plan_history',
    'get_campaign_api_spec',
    'get_onboarding_status',
    'list_automations',
    'get_automation',
  ],
  'campaigns:write': [
    'create_campaign',
    'update_campaign',
    'update_field_mapping',
    'add_campaign_fields',
    'update_inbound_filters',
    'configure_ping_post',
    'revert_plan',
    'add_buyer_to_campaign',
    'update_campaign_buyer',
    'add_supplier_to_campaign',
    'update_campaign_supplier',
    'set_supplier_cost_mode',
    'create_automation',
    'update_automation',
    'send_test_event',
  ],
  'buyers:read': ['list_buyers', 'get_buyer'],
  'buyers:write': [
    'create_buyer',
    'update_buyer',
    'set_buyer_delivery',
    'set_buyer_ping',
    'rotate_buyer_secret',
    'set_buyer_returns',
  ],
  'suppliers:read': ['list_suppliers', 'get_supplier'],
  'suppliers:write': [
    'create_supplier',
    'update_supplier',
    'rotate_supplier_key',
    'delete_supplier',
  ],
  'leads:read': [
    'get_leads',
    'get_lead',
    'get_lead_distribution_trail',
    'explain_lead',
    'get_consent_record',
    'get_ping',
    'list_returns',
    'list_events',
    'listen_events',
    'list_event_deliveries',
    'list_suppressions',
  ],
  'leads:write': [
    'send_test_lead',
    'record_outcome',
    'retry_deliveries',
    'hold_deliveries',
    'drop_deliveries',
    'resolve_delivery',
    'request_return',
    'resolve_return',
    'resend_event',
    'upload_suppressions',
    'remove_suppressions',
    'delete_suppression_list',
  ],
  'funnels:read': ['list_funnel_templates', 'list_funnels', 'get_funnel', 'get_funnel_stats'],
  'funnels:write': [
    'create_funnel',
    'update_funnel',
    'publish_funnel',
    'unpublish_funnel',
    'delete_funnel',
  ],
  'reports:read': [
    'get_lead_stats',
    'get_lead_breakdown',
    'get_campaign_performance',
    'get_buyer_reconciliation',
  ],
  'reports:write': [],
  'portal:read': [
    'list_portals',
    'get_portal_settings',
    'get_portal_members',
    'list_change_requests',
  ],
  'portal:write': [
    'enable_buyer_portal',
    'enable_supplier_portal',
    'configure_portal_settings',
    'add_portal_member',
    'remove_portal_member',
    'resolve_change_request',
  ],
  'settings:read': [
    'list_members',
    'list_sessions',
    'list_api_keys',
    'get_single_sign_on',
    'list_audit',
  ],
  'settings:write': [
    'invite_member',
    'update_member',
    'remove_member',
    'revoke_session',
    'create_api_key',
    'revoke_api_key',
    'configure_single_sign_on',
  ],
};

const NEEDED = PERMISSIONS.flatMap((permission) =>
  NEEDING[permission].map((name) => [name, permission] as const),
);

/** The permissions that allow an action: its own, or the write permission of the area where reading is enough. */
const enough = (needed: Permission): Permission[] =>
  needed.endsWith(':read') ? [needed, needed.replace(/read$/, 'write') as Permission] : [needed];

describe('the registry', () => {
  it('asks of each action the permission that this list has for it', () => {
    const asked = REGISTRY.map(({ name, permission }) => `${name} ${permission}`);
    expect(asked.toSorted()).toEqual(NEEDED.map((one) => one.join(' ')).toSorted());
  });
});

describe('an action', () => {
  let database: TestDatabase;
  let org_id: string;
  beforeAll(async () => {
    database = await openDatabase();
    org_id = (await makeOrg(database.collections))._id;
  });
  afterAll(() => database.drop());

  /** Its refusal for a key with these permissions: its status, and the permission that is missing; null: it ran. */
  async function refusal(name: ActionName, permissions: readonly Permission[]) {
    const action = REGISTRY.find((one) => one.name === name)!;
    const { collections } = database;
    const actor = { kind: 'key', id: 'key-1', name: 'Key' } as const;
    const caller = { org_id, actor, permissions };
    const context = contextOf(action, caller, actionDeps(collections));
    const body = () => Promise.resolve(action.example);
    const recordRead = createReadAudit(collections);
    try {
      await runCall(action, context, body, { recordRead, witness: NO_WITNESS });
      return null;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { status: error.status, error: error.code, required: error.extras.required };
    }
  }

  it.each(NEEDED)(
    '%s is refused without %s: with each other permission alone, and with all of them',
    async (name, permission) => {
      const others = PERMISSIONS.filter((one) => !enough(permission).includes(one));
      const refused = { status: 403, error: 'forbidden', required: permission };
      for (const held of [...others.map((one) => [one]), others])
        expect([held, await refusal(name, held)]).toEqual([held, refused]);
    },
  );

  const allowed = NEEDED.flatMap(([name, permission]) =>
    enough(permission).map((held) => [name, held, permission] as const),
  );
  it.each(allowed)(
    '%s is not refused for its permission with %s alone',
    async (name, held, permission) => {
      const refused = await refusal(name, [held]);
      expect(refused?.status ?? 200).toBeLessThan(500);
      // Whatever else an input needs (lead fields in events, for example) is another permission, and named.
      expect(refused?.required).not.toBe(permission);
    },
  );
});
