/** What people are mailed: the project's mail, in plain text. */
import { hashToken } from '../security/tokens.js';
import type { PeopleDeps } from '../deps.js';
import type { MailContent } from '../../platform/outbound/mail/content.js';

/** The caller waits for it. */
const TIMEOUT_MS = 10_000;
const NAME_MAX = 120;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** A name typed by a user, in one line of a mail. */
export const inOneLine = (name: string): string =>
  name.replace(UNPRINTABLE, ' ').trim().slice(0, NAME_MAX);

export interface LinkMail {
  to: string;
  subject: string;
  text: string;
  /** The token in it names the mail, by its hash. */
  token: string;
}

/** @returns whether the mail server took it */
export async function sendLink(
  { mail, clock }: Pick<PeopleDeps, 'mail' | 'clock'>,
  { to, subject, text, token }: LinkMail,
): Promise<boolean> {
  const content: MailContent = {
    to: [to],
    cc: [],
    subject,
    text,
    messageName: `link.${hashToken(`mail ${token}`).slice(0, 24)}`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
  const reply = await mail?.send({
    content,
    timeoutMs: TIMEOUT_MS,
    sendBy: clock.monotonic() + TIMEOUT_MS,
  });
  return reply?.kind === 'taken' && reply.refused.length === 0;
}
