/** Funnels created and published as an assistant does: by the Actions API. */
import { createOrgKey, permissionsOf } from '../../src/account/keys/keys.js';
import type { Collections } from '../../src/app/database.js';
import type { FunnelDefinitionInput } from '../../src/funnels/rules/definition.js';
import type { TemplateName } from '../../src/funnels/rules/templates/names.js';
import type { TestAccount } from './account.js';
import { accountOf } from './org.js';

export interface FunnelWanted {
  name: string;
  slug: string;
  /** Default `lead_form`. */
  template?: TemplateName;
  /** Default `en`. */
  language?: string;
  /** Replaces the template's own. */
  definition?: FunnelDefinitionInput;
}

export interface PublishedFunnel {
  id: string;
  slug: string;
  /** The path for visitors. */
  url: string;
}

export interface FunnelMaker {
  /** Runs an action, and returns its `data`. */
  act<T>(action: string, input: Record<string, unknown>): Promise<T>;
  publish(wanted: FunnelWanted): Promise<PublishedFunnel>;
}

/**
 * Works on one account, with a key of its own.
 * @param apiUrl base URL of the service
 */
export async function openFunnelMaker(
  apiUrl: string,
  collections: Collections,
  { orgId, campaignId, suppliers }: Pick<TestAccount, 'orgId' | 'campaignId' | 'suppliers'>,
): Promise<FunnelMaker> {
  const { api_key } = await createOrgKey(accountOf({ collections }, orgId), {
    name: 'Funnels',
    permissions: permissionsOf('write'),
    created_by: { kind: 'operator', name: 'a test' },
  });
  const act = async <T>(action: string, input: Record<string, unknown>): Promise<T> => {
    const reply = await fetch(`${apiUrl}/api/v1/actions/${action}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${action} was answered ${reply.status}: ${text}`);
    return (JSON.parse(text) as { data: T }).data;
  };
  return {
    act,
    async publish({ definition, template = 'lead_form', ...wanted }) {
      const { id } = await act<{ id: string }>('create_funnel', {
        ...wanted,
        template,
        campaign_id: campaignId,
        supplier_id: suppliers[0]?.id,
      });
      if (definition) await act('update_funnel', { funnel_id: id, definition });
      await act('publish_funnel', { funnel_id: id });
      return { id, slug: wanted.slug, url: `${apiUrl}/f/${wanted.slug}` };
    },
  };
}
