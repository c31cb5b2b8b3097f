import { describe, expect, it } from '@jest/globals';
import { buildMail, readMailReply } from '../../../src/deliveries/rules/mail.js';
import type { MailReply } from '../../../src/platform/outbound/mail/content.js';
import type { DeliverySettings } from '../../../src/account/rules/deliverySettings.js';
import { aBuyer, aLead, commonDelivery } from '../../support/builders.js';

const settings = (
  overrides: Partial<DeliverySettings<'EMAIL'>> = {},
): DeliverySettings<'EMAIL'> => ({
  ...commonDelivery,
  method: 'EMAIL',
  to: ['desk@buyer.example'],
  cc: [],
  subject: null,
  format: 'text',
  template: null,
  attach_json: false,
  ...overrides,
});
const lead = aLead({ fields: { first_name: '<Ada>', last_name: 'O"Neil' }, extra: { utm: 'x' } });

describe('a mail', () => {
  it('has every value on its own line, and names lead and buyer', () => {
    expect(buildMail(lead, aBuyer(), settings())).toEqual({
      to: ['desk@buyer.example'],
      cc: [],
      subject: 'New lead l1',
      text:
        'first_name: <Ada>\nlast_name: O"Neil\nutm: x\nlead_id: l1\ncampaign_id: c1\nbuyer_id: b1\n' +
        'is_test: false\nprice: 25\ncreated_at: 2026-11-21T12:00:00.000Z\n',
      messageName: 'l1.b1',
      headers: { 'Idempotency-Key': 'l1:b1', 'X-Lead-Id': 'l1' },
    });
  });

  it('escapes values in HTML, its own and a template', () => {
    const { html } = buildMail(lead, aBuyer(), settings({ format: 'html' }));
    expect(html).toContain('<th align="left">first_name</th><td>&#60;Ada&#62;</td>');
    const template = '<b title="{{last_name}}">{{first_name}}</b>';
    const own = buildMail(lead, aBuyer(), settings({ format: 'html', template }));
    expect(own.html).toBe('<b title="O&#34;Neil">&#60;Ada&#62;</b>');
  });

  it('has a subject of one bounded line, marked for a test lead', () => {
    const wild = aLead({
      fields: { first_name: `A\r\nBcc: x@y.example${'z'.repeat(500)}` },
      is_test: true,
    });
    const { subject } = buildMail(wild, aBuyer(), settings({ subject: 'Lead {{first_name}}' }));
    expect(subject).toMatch(/^\[TEST\] Lead A Bcc: x@y\.examplez+$/);
    expect(subject).toHaveLength(200);
  });

  it('may have the lead attached as JSON', () => {
    const { json } = buildMail(lead, aBuyer(), settings({ attach_json: true }));
    expect(JSON.parse(json ?? '')).toMatchObject({ lead_id: 'l1', extra: { utm: 'x' } });
  });
});

describe('the answer of a mail server', () => {
  const refused = (
    stage: 'session' | 'sender' | 'recipients' | 'message',
    code: number,
  ): MailReply => ({
    kind: 'refused',
    stage,
    code,
    response: `${code} said so`,
  });
  it.each([
    [refused('recipients', 550), 'rejected'],
    [refused('message', 554), 'rejected'],
    [refused('recipients', 450), 'not_taken'],
    [refused('message', 452), 'not_taken'],
    [refused('session', 535), 'not_taken'],
    [refused('session', 554), 'not_taken'],
    [refused('sender', 550), 'not_taken'],
    [{ kind: 'not_sent', reason: 'refused' }, 'not_taken'],
    [{ kind: 'no_answer', reason: 'lost' }, 'unknown'],
    [{ kind: 'taken', response: '250 queued', refused: [] }, 'accepted'],
  ] as [MailReply, string][])('%j is %s', (reply, result) => {
    expect(readMailReply(reply).result).toBe(result);
  });

  it('is shown, with the addresses it refused', () => {
    const reply: MailReply = { kind: 'taken', response: '250 queued', refused: ['b@x.example'] };
    expect(readMailReply(reply)).toEqual({
      result: 'accepted',
      reason: 'The mail server took it: 250 queued',
      notes: ['b@x.example was refused'],
    });
    expect(readMailReply(refused('recipients', 550)).reason).toBe(
      'The mail server answered 550 said so',
    );
  });
});
