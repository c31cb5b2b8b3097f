import { eventMail } from '../../src/domain/eventText.js';
import { readMailReply } from '../../src/domain/mail.js';
import { TIMEOUT_MS, type Sender } from './sender.js';

/** A mail through the SMTP server of this installation. */
export const sendEmail: Sender<'EMAIL'> = async ({ id, envelope }, { target }, deps) => {
  if (!deps.mail) return { kind: 'failed', reason: 'SMTP_URL is not set in this installation' };
  const reply = await deps.mail.send({
    content: eventMail(envelope, target.to, id),
    timeoutMs: TIMEOUT_MS,
    sendBy: deps.clock.monotonic() + TIMEOUT_MS,
  });
  const { result, reason } = readMailReply(reply);
  if (result === 'accepted') return { kind: 'delivered' };
  return { kind: result === 'rejected' ? 'refused' : 'failed', reason };
};
