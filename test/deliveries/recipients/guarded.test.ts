import { describe, expect, it, jest } from '@jest/globals';
import type { MailReply } from '../../../src/platform/outbound/mail/content.js';
import { readMailReply } from '../../../src/deliveries/rules/mail.js';
import { sendGuarded } from '../../../src/deliveries/recipients/gate.js';

/** How often a mail that got this reply was returned to its organization's daily allowance. */
async function givenBack(reply: MailReply): Promise<number> {
  const giveBack = jest.fn(() => Promise.resolve());
  const gate = {
    unconfirmed: () => Promise.resolve([]),
    draw: () => Promise.resolve({ allowed: true } as const),
    giveBack,
  };
  const mail = { send: () => Promise.resolve(reply), close: () => Promise.resolve() };
  const content = { to: ['desk@buyer.example'], cc: [], subject: 'New lead', text: 'x' };
  const sent = { content: { ...content, messageName: 'l1', headers: {} }, timeoutMs: 1, sendBy: 1 };
  const door = { mail, gate };
  const { verdict } = await sendGuarded(sent, { orgId: 'org', isChecked: true }, door);
  expect(verdict).toEqual(readMailReply(reply));
  return giveBack.mock.calls.length;
}
const refused = (stage: 'session' | 'sender' | 'recipients' | 'message', code: number) =>
  ({ kind: 'refused', stage, code, response: `${String(code)} no` }) as const;

describe('a mail', () => {
  it.each<MailReply>([
    { kind: 'not_sent', reason: 'the mail server could not be reached in time' },
    refused('session', 421),
    refused('sender', 550),
    refused('recipients', 450),
    refused('message', 451),
  ])('that will be tried again counts for nothing: %j', async (reply) => {
    expect(await givenBack(reply)).toBe(1);
  });

  it.each<MailReply>([
    { kind: 'taken', response: '250 ok', refused: [] },
    { kind: 'no_answer', reason: 'no answer in time' },
    refused('recipients', 550),
    refused('message', 554),
  ])('that was sent, or never will be, counts: %j', async (reply) => {
    expect(await givenBack(reply)).toBe(0);
  });
});
