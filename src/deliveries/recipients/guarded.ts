/** Sends a mail for an organization, or returns why it waits. */
import { readMailReply } from '../rules/mail.js';
import type { MailReply } from '../../platform/outbound/mail/content.js';
import type { Mail, OutboundMail } from '../../platform/outbound/mail/mail.js';
import type { MailGate } from './gate.js';

/** `unconfirmed`: the recipient has not confirmed. `limit`: the organization's limit is reached. Nothing was sent. */
export type GuardedReply =
  | MailReply
  | { kind: 'unconfirmed'; reason: string }
  | { kind: 'limit'; reason: string; retryAfterMs: number };

/**
 * @param isChecked false where the addresses were stored before recipients had to confirm: they count as confirmed
 * @throws {Error} when MongoDB is unavailable: nothing was sent
 */
export async function sendGuarded(
  mail: OutboundMail,
  { orgId, isChecked }: { orgId: string; isChecked: boolean },
  door: { mail: Mail; gate: MailGate },
): Promise<GuardedReply> {
  const { to, cc } = mail.content;
  const [first] = isChecked ? await door.gate.unconfirmed(orgId, [...to, ...cc]) : [];
  if (first !== undefined) {
    const reason = `${first} has not confirmed yet that it wants these mails; it was asked by mail`;
    return { kind: 'unconfirmed', reason };
  }
  const drawn = await door.gate.draw(orgId);
  if (!drawn.allowed) {
    const reason = 'the organization has sent as many mails as it may in a day';
    return { kind: 'limit', reason, retryAfterMs: drawn.retryAfterMs };
  }
  const reply = await door.mail.send(mail);
  // The mail will be retried. A server that is away, or refuses temporarily, must not use up the day's limit meanwhile.
  const isOwed = readMailReply(reply).result === 'not_taken';
  if (isOwed) await door.gate.giveBack(orgId).catch(() => undefined);
  return reply;
}
