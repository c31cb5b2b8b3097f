import { buildMail, readMailReply } from '../rules/mail.js';
import { sendGuarded } from '../recipients/guarded.js';
import { notConfigured, type Channel } from './channel.js';

/** A mail through the SMTP server of this installation, to recipients that have confirmed that they want it. */
export const sendEmail: Channel<'EMAIL'> = async (outgoing, settings, { mail, mailGate: gate }) => {
  if (!mail) return notConfigured('SMTP_URL');
  const { lead, terms, sendBy, org_id: orgId } = outgoing;
  const content = buildMail(lead, terms, settings);
  const sent = { content, timeoutMs: settings.timeout_ms, sendBy };
  const isChecked = settings.checked === true;
  const reply = await sendGuarded(sent, { orgId, isChecked }, { mail, gate });
  if (reply.kind === 'unconfirmed')
    return { verdict: { result: 'not_taken', reason: reply.reason } };
  if (reply.kind === 'limit') {
    const { reason, retryAfterMs: retry_after_ms } = reply;
    return { verdict: { result: 'not_taken', reason, retry_after_ms, ours: true } };
  }
  return {
    verdict: readMailReply(reply),
    answer: 'response' in reply ? reply.response : undefined,
  };
};
