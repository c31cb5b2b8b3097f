/** Which mails may be sent: those to confirmed recipients, within the limit of their organization. */
import type { Collection } from 'mongodb';
import { tokenWaitMs } from '../../platform/rateLimits/verdict.js';
import type { RateDoc, RateLimit } from '../../platform/rateLimits/store/rateDoc.js';
import { mailKey, type MailRecipientStore } from '../../account/store/mailRecipients.js';
import { readMailReply } from '../rules/mail.js';
import type { DeliveryVerdict } from '../rules/delivery.js';
import type { Mail, OutboundMail } from '../../platform/outbound/mail/mail.js';
import { drawTokens } from '../../platform/rateLimits/store/rates.js';

export interface GateOptions {
  recipients: Pick<MailRecipientStore, 'unconfirmed'>;
  rates: Collection<RateDoc>;
  /** In lower case; `*` is every domain. */
  allowedDomains: readonly string[];
  /** Mails that an organization may send per day. */
  perDay: number;
  /** Called when a mail must wait because its organization has reached its limit. */
  onLimit: (orgId: string) => void;
}

const DAY_SECONDS = 86_400;

/** Whether recipients in this domain need not confirm. A domain does not include its subdomains. */
export function isAllowedDomain(address: string, allowed: readonly string[]): boolean {
  if (allowed.includes('*')) return true;
  return allowed.includes(mailKey(address).slice(address.lastIndexOf('@') + 1));
}

export type MailGate = ReturnType<typeof createMailGate>;

export function createMailGate(options: GateOptions) {
  const { recipients, rates, allowedDomains, perDay, onLimit } = options;
  // A bucket that holds a day's mails, and refills within a day.
  const perSecond = perDay / DAY_SECONDS;
  const limit: RateLimit = {
    per_second: perSecond,
    burst_per_second: perDay + perSecond,
    burst_seconds: 1,
  };
  const key = (orgId: string): string => `mail:${orgId}`;
  return {
    /** The addresses among these that may not get mails yet. */
    async unconfirmed(orgId: string, addresses: readonly string[]): Promise<string[]> {
      const mustConfirm = addresses.filter((one) => !isAllowedDomain(one, allowedDomains));
      return mustConfirm.length === 0 ? [] : recipients.unconfirmed(orgId, mustConfirm);
    },
    /** Takes one mail from the organization's daily limit. */
    async draw(
      orgId: string,
    ): Promise<{ allowed: true } | { allowed: false; retryAfterMs: number }> {
      const draw = await drawTokens(rates, { key: key(orgId), limit, want: 1, giveBack: 0 });
      if (draw.granted === 1) return { allowed: true };
      onLimit(orgId);
      return { allowed: false, retryAfterMs: Math.max(1_000, Math.ceil(tokenWaitMs(limit, draw))) };
    },
    /** Returns one that was drawn and that the mail server definitely did not accept. */
    async giveBack(orgId: string): Promise<void> {
      await drawTokens(rates, { key: key(orgId), limit, want: 0, giveBack: 1 });
    },
  };
}

interface GuardedReply {
  verdict: DeliveryVerdict;
  /** The mail server's answer. */
  answer?: string;
  /** Nothing was sent: the recipient has not confirmed, or the limit of its organization is reached. */
  isHeld?: true;
}

/**
 * Sends a mail for an organization, or returns why it waits.
 * @param isChecked false where the addresses were stored before recipients had to confirm: they count as confirmed
 * @throws {Error} when MongoDB is unavailable: nothing was sent
 */
export async function sendGuarded(
  mail: OutboundMail,
  { orgId, isChecked }: { orgId: string; isChecked: boolean },
  { mail: client, gate }: { mail: Mail; gate: MailGate },
): Promise<GuardedReply> {
  const { to, cc } = mail.content;
  const [first] = isChecked ? await gate.unconfirmed(orgId, [...to, ...cc]) : [];
  if (first !== undefined) {
    const reason = `${first} has not confirmed yet that it wants these mails; it was asked by mail`;
    return { verdict: { result: 'not_taken', reason }, isHeld: true };
  }
  const drawn = await gate.draw(orgId);
  if (!drawn.allowed) {
    const reason = 'the organization has sent as many mails as it may in a day';
    const retry_after_ms = drawn.retryAfterMs;
    return { verdict: { result: 'not_taken', reason, retry_after_ms, ours: true }, isHeld: true };
  }
  const reply = await client.send(mail);
  const verdict = readMailReply(reply);
  // The mail will be retried. A server that is away, or refuses temporarily, must not use up the day's limit meanwhile.
  if (verdict.result === 'not_taken') await gate.giveBack(orgId).catch(() => undefined);
  return { verdict, answer: 'response' in reply ? reply.response : undefined };
}
