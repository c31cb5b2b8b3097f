/** A campaign whose delivery to a buyer differs from the buyer's own settings. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOrgKey, permissionsOf } from '../../src/account/keys/keys.js';
import type { DeliveryInput } from '../../src/account/buyers/delivery.js';
import { startGoogle, type GoogleServer } from '../platform/outbound/googleServer.js';
import { startMailServer, type MailServer } from '../platform/outbound/mailServer.js';
import { createAccount, type TestAccount } from '../support/account.js';
import { startFakeBuyer, YES, type FakeBuyer } from '../support/fakeBuyer.js';
import { send } from '../support/http.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { supplierOf } from '../support/supplier.js';
import { accountOf } from '../support/org.js';

let bed: ServiceBed;
let url: string;
let mail: MailServer;
let google: GoogleServer;
let buyer: FakeBuyer;

beforeAll(async () => {
  bed = await startServiceBed();
  mail = await startMailServer();
  google = await startGoogle();
  buyer = await startFakeBuyer(() => YES);
  ({ url } = await bed.start('all', {
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_ALLOWED_DOMAINS: '*',
    SMTP_FROM: 'Leads <leads@sender.example>',
    GOOGLE_SERVICE_ACCOUNT_JSON: google.keyJson,
    GOOGLE_SHEETS_ENDPOINT: google.url,
  }));
});
afterAll(async () => {
  await bed.stop();
  await mail.stop();
  google.stop();
  await buyer.stop();
});

let markets = 0;

/** A campaign with one buyer, by default with a webhook of its own, and a second campaign with the same buyer. */
async function market(own: DeliveryInput = {}) {
  const base = `${buyer.url}/o${++markets}`;
  const account = await createAccount(bed, {
    buyers: {
      only: {
        delivery: own.method ? own : { url: `${base}/own`, headers: { 'X-Own': '1' }, ...own },
      },
    },
  });
  const { api_key } = await createOrgKey(accountOf(bed, account.orgId), {
    name: 'Admin',
    permissions: permissionsOf('write'),
  });
  const call = async (action: string, input: object) => {
    const reply = await send(url, {
      method: 'POST',
      path: `/api/v1/actions/${action}`,
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    return reply.json as { success: boolean; data: Record<string, unknown>; details?: unknown };
  };
  const ids = { campaign_id: account.campaignId, buyer_id: account.buyers.only };
  return {
    account,
    base,
    call,
    ids,
    override: (delivery: object | null) => call('update_campaign_buyer', { ...ids, delivery }),
    post: () => post(account),
    sentTo: (path: string) =>
      buyer.requests.filter((one) => one.path === `${base.slice(buyer.url.length)}/${path}`),
  };
}

async function post(account: TestAccount): Promise<string> {
  const supplier = supplierOf(url, account);
  const answer = await supplier.post();
  await supplier.close();
  expect(answer.data).toMatchObject({ status: 'ACCEPTED', delivery: 'delivered' });
  return answer.data?.id ?? '';
}

describe("a campaign that overrides settings of a buyer's delivery", () => {
  it("posts to its own address with its own body, and keeps the buyer's other settings", async () => {
    const { base, override, post, sentTo } = await market();
    const said = await override({ url: `${base}/auto`, template: { id: '{{lead_id}}' } });
    expect(said.data.delivery).toEqual({
      method: 'WEBHOOK',
      url: `${base}/auto`,
      template: { id: '{{lead_id}}' },
    });
    const id = await post();
    expect(sentTo('own')).toEqual([]);
    const [sent, ...more] = sentTo('auto');
    expect(more).toEqual([]);
    expect(sent?.body).toEqual({ id });
    expect(sent?.headers['x-own']).toBe('1');
  });

  it('follows a later change of the buyer, and the buyer itself once the override is removed', async () => {
    const { base, call, ids, override, post, sentTo } = await market();
    await override({ url: `${base}/auto` });
    const { buyer_id } = ids;
    await call('set_buyer_delivery', { buyer_id, url: `${base}/new`, headers: { 'X-New': '2' } });
    await post();
    expect(sentTo('auto').map(({ headers }) => headers['x-new'])).toEqual(['2']);
    expect((await override(null)).data.delivery).toBeNull();
    await post();
    expect([sentTo('auto').length, sentTo('new').length]).toEqual([1, 1]);
  });

  it('sends mail where the buyer has a webhook', async () => {
    const { override, post: postHere, sentTo } = await market();
    await override({ method: 'EMAIL', to: 'desk@buyer.example', subject: 'Auto' });
    const id = await postHere();
    expect(sentTo('own')).toEqual([]);
    const got = mail.received.filter(({ raw }) => raw.includes(id));
    expect(got.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim())).toEqual(['Auto']);
  });

  it('writes a row where the buyer has a mailbox', async () => {
    const { override, post } = await market({ method: 'EMAIL', to: 'desk@buyer.example' });
    const columns = ['email'];
    await override({ method: 'GOOGLE_SHEET', spreadsheet_id: 'sheet-of-campaign', columns });
    const id = await post();
    const rows = google.appends().filter(({ body }) => body.includes(id));
    expect(rows.map(({ path }) => path.split('/')[3])).toEqual(['sheet-of-campaign']);
    expect(mail.received.some(({ raw }) => raw.includes(id))).toBe(false);
  });

  it('writes into no spreadsheet that another organization names', async () => {
    const other = await market();
    await other.override({ method: 'GOOGLE_SHEET', spreadsheet_id: 'sheet-of-other' });
    const { override, ids } = await market();
    const refused = await override({ method: 'GOOGLE_SHEET', spreadsheet_id: 'sheet-of-other' });
    expect(refused.details).toMatchObject([{ path: 'delivery.spreadsheet_id' }]);
    const link = await bed.collections.campaignBuyers.findOne({ campaign_id: ids.campaign_id });
    expect(link?.delivery ?? null).toBeNull();
  });

  it('posts to the address of a campaign whose buyer uses STORE', async () => {
    const { base, override, post, sentTo } = await market({ method: 'STORE' });
    await override({ url: `${base}/auto` });
    const id = await post();
    expect(sentTo('auto').map(({ leadId }) => leadId)).toEqual([id]);
  });

  it('is reverted to an earlier version with the overrides of that version', async () => {
    const { base, call, ids, override, post, sentTo } = await market();
    await override({ url: `${base}/first`, headers: { 'X-Key': 'secret' } });
    const seen = await call('get_campaign', { campaign_id: ids.campaign_id });
    await override({ url: `${base}/second`, headers: null });
    const { campaign_id } = ids;
    const history = await call('get_plan_history', { campaign_id });
    const text = JSON.stringify(history);
    expect(text).toContain('delivery_overrides');
    expect(text).not.toContain('secret');
    const back = await call('revert_plan', { campaign_id, version: seen.data.version });
    expect(back.data.still_different).toEqual([]);
    await post();
    expect(sentTo('second')).toEqual([]);
    expect(sentTo('first').map(({ headers }) => headers['x-key'])).toEqual(['secret']);
  });
});
