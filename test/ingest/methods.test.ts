/** Every delivery method through the whole service: what the buyer gets, and what is stored of it. */
import { signingSecretPlace } from '../../src/account/rules/sealedPlaces.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeliveryInput } from '../../src/account/buyers/delivery.js';
import { METHOD_NAMES } from '../../src/account/buyers/deliverySchema.js';
import type { DeliveryMethod } from '../../src/account/rules/deliverySettings.js';
import { signBody } from '../../src/platform/security/signatures.js';
import { startGoogle, type GoogleServer } from '../platform/outbound/googleServer.js';
import { startMailServer, type MailServer } from '../platform/outbound/mailServer.js';
import { createAccount } from '../support/account.js';
import { startFakeBuyer, type Behavior, type FakeBuyer } from '../support/fakeBuyer.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { supplierOf, type Answer } from '../support/supplier.js';

let bed: ServiceBed;
let url: string;
let mail: MailServer;
let buyer: FakeBuyer;
let answers: Behavior;
let google: GoogleServer;
/** A service with a service account; its task queues are its own. */
let withSheets: { url: string };

beforeAll(async () => {
  bed = await startServiceBed();
  mail = await startMailServer({
    onRcptTo({ address }, _, done) {
      const reply = address.startsWith('full') ? 450 : 550;
      const isKnown = address.startsWith('desk');
      done(isKnown ? null : Object.assign(new Error('not here'), { responseCode: reply }));
    },
  });
  buyer = await startFakeBuyer(() => answers);
  const mailSettings = {
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_ALLOWED_DOMAINS: '*',
    SMTP_FROM: 'Leads <leads@sender.example>',
  };
  ({ url } = await bed.start('all', mailSettings));
  google = await startGoogle();
  withSheets = await bed.start('all', {
    TEMPORAL_TASK_QUEUE_PREFIX: `${bed.stack.taskQueuePrefix}sheets-`,
    ...mailSettings,
    GOOGLE_SERVICE_ACCOUNT_JSON: google.keyJson,
    GOOGLE_SHEETS_ENDPOINT: google.url,
  });
});
afterAll(async () => {
  await bed.stop();
  await mail.stop();
  google.stop();
  await buyer.stop();
});

/** Posts a lead to a campaign with one buyer that has this delivery. */
async function post(delivery: DeliveryInput, at = url) {
  const account = await createAccount(bed, { buyers: { only: { delivery } } });
  const supplier = supplierOf(at, account);
  const answer = await supplier.post({ state: 'CA', hobby: 'chess' });
  await supplier.close();
  const lead = await bed.collections.leads.findOne({ _id: answer.data?.id ?? '' });
  const row = await bed.collections.deliveries.findOne({ lead_id: answer.data?.id ?? '' });
  return { account, answer, lead, row };
}
const outcome = ({ status, data }: Answer) => [status, data?.status, data?.delivery ?? null];

/** A delivery by each method, whose leads are sold. */
const DELIVERIES: { [M in DeliveryMethod]: () => DeliveryInput } = {
  WEBHOOK: () => ({ url: buyer.url }),
  EMAIL: () => ({ method: 'EMAIL', to: 'desk@buyer.example' }),
  GOOGLE_SHEET: () => ({ method: 'GOOGLE_SHEET', spreadsheet_id: 'sheet-of-any-buyer' }),
  STORE: () => ({ method: 'STORE' }),
};

describe('a lead for a buyer with a template and response rules', () => {
  const settings = (): DeliveryInput => ({
    url: buyer.url,
    template: { lead_id: '{{lead_id}}', who: '{{first_name}}', hobby: '{{extra.hobby}}' },
    response: {
      accept_when: { path: 'result', equals: 'taken' },
      reason_path: 'why',
      reference_path: 'id',
    },
  });

  it('is sold, with the reference of the buyer, and signed over what was sent', async () => {
    answers = { status: 200, body: { result: 'Taken', id: 'b-77' } };
    const { account, answer, lead, row } = await post(settings());
    expect(outcome(answer)).toEqual([201, 'ACCEPTED', 'delivered']);
    expect(row).toMatchObject({ state: 'accepted', http_status: 200, reference: 'b-77' });
    expect(lead?.trail).toContainEqual(
      expect.objectContaining({
        step: 'delivery',
        detail: expect.objectContaining({ reference: 'b-77' }) as unknown,
      }),
    );
    const sent = buyer.requests.find(({ leadId }) => leadId === answer.data?.id);
    expect(sent?.body).toEqual({ lead_id: answer.data?.id, who: 'Jane', hobby: 'chess' });
    const stored = await bed.collections.buyers.findOne({ _id: account.buyers.only ?? '' });
    const secret = stored
      ? bed.keyring.open(stored.signing_secret, signingSecretPlace(stored._id))
      : '';
    expect(sent?.headers['x-leaddistro-signature']).toBe(signBody(secret, sent?.rawBody ?? ''));
  });

  it("is refused with the buyer's reason, although the status is 200", async () => {
    answers = { status: 200, body: { result: 'no', why: 'We know this person.' } };
    const { answer, lead, row } = await post(settings());
    expect(outcome(answer)).toEqual([200, 'UNMATCHED', null]);
    expect(lead).toMatchObject({ status: 'UNMATCHED', price: 0 });
    expect(row).toMatchObject({ state: 'rejected', reason: 'We know this person.' });
  });
});

describe('a lead for a mailbox', () => {
  it('is sold once the mail server has accepted the mail', async () => {
    const { account, answer, row } = await post(DELIVERIES.EMAIL());
    expect(outcome(answer)).toEqual([201, 'ACCEPTED', 'delivered']);
    expect(row).toMatchObject({ state: 'accepted', excerpt: expect.stringMatching(/^250/) });
    const id = answer.data?.id ?? '';
    const [one, ...more] = mail.received.filter(({ raw }) => raw.includes(id));
    expect(more).toEqual([]);
    const unfolded = (one?.raw ?? '').replace(/\r\n +/g, ' ');
    expect(unfolded).toContain(`Message-ID: <${id}.${account.buyers.only}@sender.example>`);
    expect(one?.raw).toContain('hobby: chess');
  });

  it('is refused when the mailbox does not exist', async () => {
    const { answer, row } = await post({ method: 'EMAIL', to: 'nobody@buyer.example' });
    expect(outcome(answer)).toEqual([200, 'UNMATCHED', null]);
    expect(row).toMatchObject({ state: 'rejected' });
  });

  it('waits when the mailbox is full', async () => {
    const { answer, row } = await post({ method: 'EMAIL', to: 'full@buyer.example' });
    expect(outcome(answer)).toEqual([201, 'ACCEPTED', 'pending']);
    expect(row).toMatchObject({ state: 'parked' });
  });
});

describe('a lead for a buyer with STORE', () => {
  it('is sold at once, and sent nowhere', async () => {
    const before = buyer.requests.length;
    const { answer, lead, row } = await post(DELIVERIES.STORE());
    expect(outcome(answer)).toEqual([201, 'ACCEPTED', 'delivered']);
    expect(lead).toMatchObject({ status: 'ACCEPTED', price: 10_000_000 });
    expect(row).toMatchObject({ state: 'accepted', reason: 'kept_here' });
    expect(buyer.requests).toHaveLength(before);
  });
});

describe('a lead for a sheet', () => {
  it('is sold when its row is written, with the configured columns', async () => {
    const { lead, answer, row } = await post(
      {
        method: 'GOOGLE_SHEET',
        spreadsheet_id: 'sheet-of-buyer-1',
        columns: ['email', 'extra.hobby'],
      },
      withSheets.url,
    );
    expect(outcome(answer)).toEqual([201, 'ACCEPTED', 'delivered']);
    expect(row).toMatchObject({ state: 'accepted' });
    const [append, ...more] = google.appends();
    expect(more).toEqual([]);
    expect(append?.path).toMatch(/^\/v4\/spreadsheets\/sheet-of-buyer-1\/values\//);
    expect(JSON.parse(append?.body ?? '')).toMatchObject({
      values: [[lead?._id, lead?.fields.email, 'chess']],
    });
  });
});

describe('a lead for a sheet, where the settings have no service account', () => {
  it('waits until they have one', async () => {
    const { answer, row } = await post({
      method: 'GOOGLE_SHEET',
      spreadsheet_id: 'sheet-of-buyer-2',
    });
    expect(outcome(answer)).toEqual([201, 'ACCEPTED', 'pending']);
    expect(row).toMatchObject({
      state: 'parked',
      reason: 'GOOGLE_SERVICE_ACCOUNT_FILE is not set in this installation',
    });
  });
});

describe('a lead for a buyer of any method', () => {
  it.each(METHOD_NAMES)('is sold by %s', async (method) => {
    answers = { status: 200 };
    const { answer, row } = await post(DELIVERIES[method](), withSheets.url);
    expect(outcome(answer)).toEqual([201, 'ACCEPTED', 'delivered']);
    expect(row).toMatchObject({ state: 'accepted' });
  });
});
