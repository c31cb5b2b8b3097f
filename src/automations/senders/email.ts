import { eventMail } from '../rules/eventText.js';
import { readMailReply } from '../../deliveries/rules/mail.js';
import { sendGuarded } from '../../deliveries/recipients/guarded.js';
import { TIMEOUT_MS, type Sender } from './sender.js';

/** A mail through the SMTP server of this installation, to recipients that have confirmed that they want it. */
export const sendEmail: Sender<'EMAIL'> = async ({ id, envelope }, { org_id, target }, deps) => {
  const { mail, mailGate: gate, clock } = deps;
  if (!mail) return { kind: 'failed', reason: 'SMTP_URL is not set in this installation' };
  const content = eventMail(envelope, target.to, id);
  const sent = { content, timeoutMs: TIMEOUT_MS, sendBy: clock.monotonic() + TIMEOUT_MS };
  const whose = { orgId: org_id, isChecked: target.checked === true };
  const reply = await sendGuarded(sent, whose, { mail, gate });
  if (reply.kind === 'unconfirmed') return { kind: 'failed', reason: reply.reason, ownLimit: true };
  if (reply.kind === 'limit') {
    const { reason, retryAfterMs } = reply;
    return { kind: 'failed', reason, retryAfterMs, ownLimit: true };
  }
  const { result, reason } = readMailReply(reply);
  if (result === 'accepted') return { kind: 'delivered' };
  return { kind: result === 'rejected' ? 'refused' : 'failed', reason };
};
