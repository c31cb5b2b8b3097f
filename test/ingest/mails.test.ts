/** Mails go only to confirmed recipients, up to the organization's daily limit. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mailKeyOf } from '../../src/platform/security/seal.js';
import { createConfirmations } from '../../src/deliveries/recipients/confirmations.js';
import { createMailGate } from '../../src/deliveries/recipients/gate.js';
import { createMailRecipientStore } from '../../src/account/store/mailRecipients.js';
import { startMailServer, type MailServer } from '../platform/outbound/mailServer.js';
import { createAccount } from '../support/account.js';
import { send } from '../support/http.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { supplierOf } from '../support/supplier.js';
import { createOrgKey, permissionsOf } from '../../src/account/keys/keys.js';
import { waitFor } from '../support/waitFor.js';
import { accountOf } from '../support/org.js';

const PER_DAY = 4;
let bed: ServiceBed;
let mail: MailServer;
let url: string;
beforeAll(async () => {
  [bed, mail] = await Promise.all([startServiceBed(), startMailServer()]);
  ({ url } = await bed.start('all', {
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    SMTP_FROM: 'Leads <leads@sender.example>',
    MAIL_ALLOWED_DOMAINS: 'Allowed.example',
    MAIL_PER_ORG_PER_DAY: String(PER_DAY),
  }));
});
afterAll(async () => {
  await bed.stop();
  await mail.stop();
});

const mailsTo = (address: string) => mail.received.filter(({ to }) => to.includes(address));
/** Confirmations are requested in the background. */
const got = (address: string, count: number) =>
  waitFor(() => mailsTo(address).length === count, { message: `${count} mails to ${address}` });
const linkIn = (address: string): URL => {
  const text = mailsTo(address)[0]?.raw.replace(/=\r\n/g, '').replaceAll('=3D', '=') ?? '';
  return new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? 'http://none.example');
};

/** A campaign with one buyer that gets mails, and a way to post to it. */
async function market(to: string) {
  const delivery = { method: 'EMAIL', to } as const;
  const account = await createAccount(bed, { buyers: { only: { delivery } } });
  const { orgId, buyers } = account;
  const permissions = permissionsOf('write');
  const { api_key } = await createOrgKey(accountOf(bed, orgId), { name: 'Key', permissions });
  const act = (action: string, input: object) =>
    send(`${url}/api/v1/actions/${action}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
  const setTo = (address: string) =>
    act('set_buyer_delivery', { buyer_id: buyers.only, method: 'EMAIL', to: address });
  const post = async () => {
    const supplier = supplierOf(url, account);
    const { data } = await supplier.post({ state: 'CA' });
    await supplier.close();
    return { id: data?.id, delivery: data?.delivery };
  };
  const row = (lead_id = '') => bed.collections.deliveries.findOne({ lead_id });
  const sold = (id?: string) =>
    waitFor(
      async () => {
        expect(await row(id)).toMatchObject({ state: 'accepted' });
        return true;
      },
      { message: `lead ${id} is sold` },
    );
  return { account, act, setTo, post, row, sold, buyerId: buyers.only ?? '' };
}
const form = (token: string) =>
  send(`${url}/mail/confirm`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token }).toString(),
  });

describe('a recipient of mails', () => {
  it('gets none before it has confirmed on its page, and then the waiting ones', async () => {
    const to = 'desk@outside.example';
    const { setTo, post, row, sold } = await market('first@allowed.example');
    const shown = await setTo(to);
    expect(shown.status).toBe(200);
    expect(shown.text).not.toContain('checked');
    const { id, delivery } = await post();
    expect(delivery).toBe('pending');
    expect((await row(id))?.reason).toBe(
      `${to} has not confirmed yet that it wants these mails; it was asked by mail`,
    );
    await got(to, 1);
    const link = linkIn(to);
    const page = await send(`${url}${link.pathname}${link.search}`);
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.text).toContain(to);
    expect(page.text).not.toContain('<script');
    // A program that follows links does not confirm.
    expect(await bed.collections.mailRecipients.findOne({ address: to })).not.toHaveProperty(
      'confirmed_at',
    );
    expect((await form(link.searchParams.get('token') ?? '')).status).toBe(200);
    await sold(id);
    await got(to, 2);
  });

  it('is asked once, however often it is configured', async () => {
    const to = 'often@outside.example';
    const { setTo } = await market('first@allowed.example');
    await Promise.all([setTo(to), setTo(to)]);
    await setTo(to);
    await got(to, 1);
    // A second confirmation request would have gone before this mail.
    const later = 'later@outside.example';
    await setTo(later);
    await got(later, 1);
    expect(mailsTo(to)).toHaveLength(1);
  });

  it('cannot be confirmed by a link that was altered, or is too old', async () => {
    const to = 'old@outside.example';
    const { setTo } = await market('first@allowed.example');
    await setTo(to);
    await got(to, 1);
    const token = linkIn(to).searchParams.get('token') ?? '';
    const [id = '', until = '', signature = ''] = token.split('.');
    const later = String(Number(until) + 1);
    for (const wrong of ['', 'x', `${id}.${later}.${signature}`, `${id}.${until}.x`, `${token}.x`])
      expect((await form(wrong)).status).toBe(400);
    expect(await bed.collections.mailRecipients.findOne({ address: to })).not.toHaveProperty(
      'confirmed_at',
    );
  });

  it('is not searched for in the database for a forged link', async () => {
    const notAsked = () => Promise.reject(new Error('not asked here'));
    const find = jest.spyOn(bed.collections.mailRecipients, 'findOne');
    const confirmations = createConfirmations({
      collections: bed.collections,
      mail: null,
      allowedDomains: [],
      log: { warn: jest.fn() },
      background: { add: jest.fn() },
      recipients: createMailRecipientStore(bed.collections.mailRecipients),
      gate: { unconfirmed: notAsked, draw: notAsked, giveBack: notAsked },
      key: mailKeyOf('of the test, and of nobody else'),
      clock: { now: () => new Date(), monotonic: () => 0 },
      url: () => url,
    });
    expect(await confirmations.read('x.9999999999999.y')).toBeNull();
    expect(await confirmations.confirm('')).toBeNull();
    expect(find).not.toHaveBeenCalled();
    find.mockRestore();
  });

  it('in a domain of the list need not confirm, and one below it must', async () => {
    const inside = await market('desk@ALLOWED.example');
    expect((await inside.post()).delivery).toBe('delivered');
    const below = await market('desk@sub.allowed.example');
    expect((await below.post()).delivery).toBe('pending');
  });

  it('from before confirmations existed stays valid, also when others are added', async () => {
    const to = 'before@outside.example';
    const { account, setTo, act, buyerId, post } = await market(to);
    const { buyers, plans } = bed.collections;
    // As an older release stored it.
    await buyers.updateOne({ _id: buyerId }, { $unset: { 'delivery.checked': true } });
    await plans.updateMany(
      { campaign_id: account.campaignId },
      { $unset: { 'buyers.$[].delivery.checked': true } },
    );
    expect((await post()).delivery).toBe('delivered');
    expect((await setTo(to)).status).toBe(200);
    expect((await act('set_buyer_delivery', { buyer_id: buyerId, subject: 'A' })).status).toBe(200);
    expect((await post()).delivery).toBe('delivered');
  });
});

describe('the mails of an organization', () => {
  it('wait once its daily limit is reached, and its buyer stays healthy', async () => {
    const { account, post, row, buyerId } = await market('many@allowed.example');
    for (let n = 0; n < PER_DAY; n += 1) expect((await post()).delivery).toBe('delivered');
    const { id, delivery } = await post();
    expect(delivery).toBe('pending');
    expect(await row(id)).toMatchObject({
      state: 'parked',
      reason: 'the organization has sent as many mails as it may in a day',
    });
    const health = await bed.collections.destinations.findOne({ _id: buyerId });
    expect(health).toMatchObject({ failures: 0, pauses: 0 });
    expect(health?.paused_at ?? null).toBeNull();
    expect(mailsTo('many@allowed.example')).toHaveLength(PER_DAY);
    const { rates, destinations } = bed.collections;
    await rates.updateOne(
      { _id: `mail:${account.orgId}` },
      { $set: { sustained: PER_DAY, burst: PER_DAY } },
    );
    await destinations.updateOne({ _id: buyerId }, { $set: { open_until: null, retry_at: null } });
    const after = await post();
    expect(after.delivery).toBe('delivered');
  });

  it('are counted exactly by all processes', async () => {
    const gates = Array.from({ length: 4 }, () =>
      createMailGate({
        recipients: createMailRecipientStore(bed.collections.mailRecipients),
        rates: bed.collections.rates,
        allowedDomains: [],
        perDay: 7,
        onLimit: () => undefined,
      }),
    );
    const drawn = await Promise.all(
      gates.flatMap((gate) => Array.from({ length: 10 }, () => gate.draw('an-org'))),
    );
    expect(drawn.filter((one) => one.allowed)).toHaveLength(7);
  });
});
