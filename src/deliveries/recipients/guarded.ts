/** Sends a mail for an organization, or returns why it waits. */
import { readMailReply } from '../rules/mail.js';
import type { DeliveryVerdict } from '../rules/delivery.js';
import type { Mail, OutboundMail } from '../../platform/outbound/mail/mail.js';
import type { MailGate } from './gate.js';

interface GuardedReply {
  verdict: DeliveryVerdict;
  /** The mail server's answer. */
  answer?: string;
  /** Nothing was sent: the recipient has not confirmed, or the limit of its organization is reached. */
  isHeld?: true;
}

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
    return { verdict: { result: 'not_taken', reason }, isHeld: true };
  }
  const drawn = await door.gate.draw(orgId);
  if (!drawn.allowed) {
    const reason = 'the organization has sent as many mails as it may in a day';
    const retry_after_ms = drawn.retryAfterMs;
    return { verdict: { result: 'not_taken', reason, retry_after_ms, ours: true }, isHeld: true };
  }
  const reply = await door.mail.send(mail);
  const verdict = readMailReply(reply);
  // The mail will be retried. A server that is away, or refuses temporarily, must not use up the day's limit meanwhile.
  if (verdict.result === 'not_taken') await door.gate.giveBack(orgId).catch(() => undefined);
  return { verdict, answer: 'response' in reply ? reply.response : undefined };
}
