/** An account with known secrets, and a person with unmistakable values, sent along many paths. */
import { createOrgKey, permissionsOf } from '../../src/account/keys/keys.js';
import { createLog } from '../../src/lib/log.js';
import type { Service } from '../../src/app/service.js';
import { postMcp } from '../api/mcp/post.js';
import {
  startFakeBuyer,
  YES,
  type Behavior,
  type BuyerRequest,
  type FakeBuyer,
} from '../support/fakeBuyer.js';
import { send, type HttpReply } from '../support/http.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { waitFor } from '../support/waitFor.js';
import { accountOf, makeOrg } from '../support/org.js';

/** Each of these occurs only in personal data. */
export const MARKERS = [
  'Zebulonia',
  'Quagmirewicz',
  'canary.example',
  'canary-custom',
  'canary-extra',
];

export const HEADERS = {
  delivery: 'canary-header-of-the-delivery',
  ping: 'canary-header-of-the-ping',
  automation: 'canary-header-of-the-automation',
};
const SLACK_PATH = 'T0CANARY/B0CANARY/canarySlackToken';

const FILTER = { field: 'state', operator: '!=', value: 'NV' };
const FIELDS = [
  { name: 'case_note', type: 'String', required: false, ping_required: false },
  { name: 'state', type: 'State', required: false, ping_required: true },
];

/** The answer of the buyer at each path: failing ones echo the lead, as some servers do. */
const ANSWERS: Record<string, (body: string) => Behavior> = {
  '/takes': () => YES,
  '/fails': (body) => ({ status: 500, body: `cannot store ${body}` }),
  '/garbage': (body) => ({ status: 422, body: [body] }),
  '/breaks': () => 'reset',
  '/hook': (body) => ({ status: 500, body: `no room for ${body}` }),
  '/bids': () => ({ status: 200, body: { bid_price: 12 } }),
};

export interface Canaries {
  bed: ServiceBed;
  service: Service & { url: string };
  /** Log lines of every level. */
  logged: string[];
  /** The texts of all answers. */
  answers: string[];
  /** Ids of the stored leads. */
  leads: string[];
  secrets: string[];
  phones: string[];
  /** Requests to buyers and automations. */
  received: readonly BuyerRequest[];
  stop(): Promise<void>;
}

/** Resolves when everything has been sent, and waiting work has been tried. */
export async function sendCanaries(): Promise<Canaries> {
  const logged: string[] = [];
  const bed = await startServiceBed();
  const buyer = await startFakeBuyer(({ path, rawBody }) => ANSWERS[path]?.(rawBody) ?? YES);
  bed.onStop(() => buyer.stop());
  const log = createLog('trace', 'all', { write: (line) => void logged.push(line) });
  const service = await bed.start('all', { METRICS_ON_PORT: 'all' }, { log });
  const scene = new Scene(bed, service.url, buyer);
  await scene.setUp();
  await scene.sendLeads();
  await scene.askAndFail();
  await waitFor(
    async () =>
      (await bed.collections.eventDeliveries.countDocuments({ attempts: { $gt: 0 } })) > 0,
    { message: 'an event was refused' },
  );
  const { answers, leads, secrets, phones } = scene;
  const stop = () => bed.stop();
  return { bed, service, logged, answers, leads, secrets, phones, received: buyer.requests, stop };
}

class Scene {
  readonly answers: string[] = [];
  readonly leads: string[] = [];
  readonly secrets: string[] = [...Object.values(HEADERS), SLACK_PATH];
  readonly phones: string[] = [];
  private orgKey = '';
  private supplier = { id: '', key: '' };
  private campaigns: Record<string, string> = {};
  private webhookSecret = '';
  /** The person of a lead that the buyer of the first campaign accepted. */
  private known: Record<string, string> = {};

  constructor(
    private readonly bed: ServiceBed,
    private readonly url: string,
    private readonly buyer: FakeBuyer,
  ) {}

  async setUp(): Promise<void> {
    const { collections } = this.bed;
    const org = await makeOrg(collections, 'Canaries');
    const permissions = permissionsOf('write');
    const made = await createOrgKey(accountOf({ collections }, org._id), {
      name: 'Admin',
      permissions,
    });
    await collections.apiKeys.updateOne(
      { _id: made.key._id },
      { $set: { limits: { calls_per_minute: 10_000, writes_per_minute: 10_000 } } },
    );
    this.orgKey = made.api_key;
    const supplier = await this.act('create_supplier', { name: 'Source' });
    this.supplier = { id: String(supplier.id), key: String(supplier.api_key) };
    this.secrets.push(this.orgKey, this.supplier.key);
    for (const name of ['takes', 'fails', 'garbage', 'breaks']) await this.addCampaign(name);
    await this.addCampaign('pinged', 'PING_POST');
    await this.addAutomations();
    await this.act('upload_suppressions', {
      name: 'Do not call',
      csv: `email\nsuppressed@${MARKERS[2] ?? ''}`,
    });
  }

  /** Sends one lead, or several, along each path. */
  async sendLeads(): Promise<void> {
    for (const name of ['takes', 'fails', 'garbage', 'breaks']) await this.post(name);
    this.known = this.person();
    await this.post('takes', this.known);
    await this.post('takes', this.known);
    await this.post('takes', { ...this.person(), state: 'NV' });
    await this.post('takes', { ...this.person(), email: `suppressed@${MARKERS[2] ?? ''}` });
    await this.post('takes', { ...this.person(), email: 'Zebulonia at Quagmirewicz' });
    const pinged = this.person();
    const ping = await this.send('/api/v1/ping', this.addressed('pinged', pinged));
    await this.post('pinged', { ...pinged, flo_ping_id: ping.json?.ping_id });
    await this.post('pinged', { ...this.person(), flo_ping_id: 'not.a.token' });
  }

  /** Refused lookups, postbacks and calls, all with the person in them. */
  async askAndFail(): Promise<void> {
    const { phone = '', email = '' } = this.known;
    const body = `{"first_name": "Zebulonia", "phone": "${phone}", `;
    await this.send('/api/v1/ingest', body);
    await this.send('/api/v1/ingest', this.addressed('takes', this.person()), 'x-api-key', 'wrong');
    await this.send(`/api/v1/leads/lookup?campaign_id=${this.campaigns.takes}&phone=${phone}`);
    const postback = { phone, campaign_id: this.campaigns.takes, outcome: 'converted' };
    await this.send('/api/webhooks/buyer-outcome', postback, 'x-buyer-secret', this.webhookSecret);
    await this.act('get_leads', { campaign_id: this.campaigns.takes });
    await this.act('get_leads', { limit: 'Zebulonia' });
    for (const lead_id of this.leads) {
      await this.act('get_lead', { lead_id, include_trail: true });
      await this.act('explain_lead', { lead_id });
    }
    const tool = { name: 'get_leads', arguments: { email, phone } };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool };
    this.answers.push((await postMcp(this.url, this.orgKey, call)).text);
  }

  private async addCampaign(name: string, routing_method = 'DIRECT_POST'): Promise<void> {
    const campaign = await this.act('create_campaign', { name, routing_method, status: 'ACTIVE' });
    const campaign_id = String(campaign.id);
    this.campaigns[name] = campaign_id;
    await this.act('add_campaign_fields', { campaign_id, fields: FIELDS });
    await this.act('update_inbound_filters', { campaign_id, filters: [FILTER] });
    const url = `${this.buyer.url}/${name === 'pinged' ? 'takes' : name}`;
    const headers = { 'X-Own': HEADERS.delivery };
    const delivery = { method: 'WEBHOOK', url, headers };
    const buyer = await this.act('create_buyer', { name: `Buyer ${name}`, delivery });
    const buyer_id = String(buyer.id);
    const secret = String(buyer.webhook_secret);
    if (name === 'takes') this.webhookSecret = secret;
    this.secrets.push(secret, String(buyer.signing_secret));
    if (name === 'pinged') {
      const ping = {
        enabled: true,
        url: `${this.buyer.url}/bids`,
        headers: { 'X-Own': HEADERS.ping },
      };
      await this.act('set_buyer_ping', { buyer_id, ...ping });
    }
    await this.act('add_buyer_to_campaign', { campaign_id, buyer_id, price: 10 });
    const { id: supplier_id } = this.supplier;
    await this.act('add_supplier_to_campaign', { campaign_id, supplier_id, cost_per_lead: 4 });
  }

  private async addAutomations(): Promise<void> {
    const headers = { 'X-Own': HEADERS.automation };
    const hook = await this.act('create_automation', {
      trigger: 'lead.accepted',
      action: 'WEBHOOK',
      target: { url: `${this.buyer.url}/hook`, headers },
    });
    this.secrets.push(String(hook.secret));
    await this.act('create_automation', {
      trigger: 'lead.returned',
      action: 'SLACK',
      target: { url: `https://hooks.slack.com/services/${SLACK_PATH}` },
    });
  }

  private person(): Record<string, string> {
    const n = String(this.phones.length + 10);
    const phone = `41577701${n}`;
    this.phones.push(phone);
    return {
      first_name: 'Zebulonia',
      last_name: 'Quagmirewicz',
      phone,
      email: `z${n}@canary.example`,
      state: 'CA',
      case_note: `canary-custom ${n}`,
      hobby: `canary-extra ${n}`,
    };
  }

  private addressed(campaign: string, fields: Record<string, unknown>): object {
    const flo_campaign_id = this.campaigns[campaign];
    return { flo_campaign_id, flo_supplier_id: this.supplier.id, ...fields };
  }

  private async post(campaign: string, fields: Record<string, unknown> = this.person()) {
    const { json } = await this.send('/api/v1/ingest', this.addressed(campaign, fields));
    const { data } = json as { data?: { id: string } };
    if (data) this.leads.push(data.id);
  }

  private async send(
    path: string,
    body?: object | string,
    name = 'x-api-key',
    key = this.supplier.key,
  ): Promise<HttpReply> {
    const reply = await send(`${this.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', [name]: key },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    this.answers.push(reply.text);
    return reply;
  }

  /** The `data` of an action's answer; empty for a refusal. Answers that show a secret once are not recorded. */
  private async act(action: string, input: object): Promise<Record<string, unknown>> {
    const path = `/api/v1/actions/${action}`;
    const { json, text } = await send(`${this.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.orgKey}` },
      body: JSON.stringify(input),
    });
    const { data = {} } = json as { data?: Record<string, unknown> };
    const isOnce = ['api_key', 'webhook_secret', 'secret'].some(
      (key) => typeof data[key] === 'string',
    );
    if (!isOnce) this.answers.push(text);
    return data;
  }
}
