/** The records that the calls of a run name, new for each run: whatever an earlier run did to its own, these accept leads. */
import { randomUUID } from 'node:crypto';
import type { Client } from '../../cli/client/client.js';
import { postLead } from '../../src/demo/post.js';

export interface FuzzRecords {
  supplier_key: string;
  buyer_secret: string;
  ping_post_id: string;
  /** By the key of an input: the leads of this campaign need no ping, and the buyer has this lead. */
  ids: Record<
    'campaign_id' | 'supplier_id' | 'buyer_id' | 'lead_id' | 'funnel_id' | 'automation_id',
    string
  >;
}

/** @throws {Error} when the service refuses a record, or does not sell the lead */
export async function makeRecords(url: string, client: Client): Promise<FuzzRecords> {
  const name = `Fuzz ${randomUUID()}`;
  const make = async <T = { id: string }>(action: string, input: object): Promise<T> =>
    (await client.run(action, { name, ...input })).data as T;
  const buyer = await make<{ id: string; webhook_secret: string }>('create_buyer', {});
  const supplier = await make<{ id: string; api_key: string }>('create_supplier', {});
  const campaignOf = async (routing_method: 'DIRECT_POST' | 'PING_POST'): Promise<string> => {
    const { id: campaign_id } = await make('create_campaign', {
      name: `${name}: ${routing_method}`,
      status: 'ACTIVE',
      routing_method,
    });
    const link = async (action: string, terms: object): Promise<unknown> =>
      client.run(action, { campaign_id, ...terms });
    await link('add_buyer_to_campaign', { buyer_id: buyer.id, price: 25 });
    await link('add_supplier_to_campaign', { supplier_id: supplier.id, cost_mode: 'NONE' });
    return campaign_id;
  };
  const campaign_id = await campaignOf('DIRECT_POST');
  const parties = { campaign_id, supplier_id: supplier.id };
  return {
    supplier_key: supplier.api_key,
    buyer_secret: buyer.webhook_secret,
    ping_post_id: await campaignOf('PING_POST'),
    ids: {
      ...parties,
      buyer_id: buyer.id,
      lead_id: await sellLead(url, supplier.api_key, parties),
      funnel_id: (await make('create_funnel', { ...parties, template: 'quiz' })).id,
      automation_id: (
        await make('create_automation', {
          trigger: 'lead.accepted',
          action: 'WEBHOOK',
          target: { url: 'https://crm.example/leadwire' },
        })
      ).id,
    },
  };
}

async function sellLead(
  ingestUrl: string,
  apiKey: string,
  { campaign_id, supplier_id }: Record<'campaign_id' | 'supplier_id', string>,
): Promise<string> {
  const { answer, leadId, message } = await postLead({
    ingestUrl,
    apiKey,
    body: {
      flo_campaign_id: campaign_id,
      flo_supplier_id: supplier_id,
      first_name: 'Jane',
      last_name: 'Doe',
      phone: '4155550100',
      email: 'jane@example.com',
    },
  });
  if (answer !== 'ACCEPTED' || leadId === null)
    throw new Error(`The lead of the run was not sold: ${message ?? answer}`);
  return leadId;
}
