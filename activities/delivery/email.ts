import { buildMail, readMailReply } from '../../src/domain/mail.js';
import { noDoor, type Channel } from './channel.js';

/** A mail through the SMTP server of this installation. */
export const sendEmail: Channel<'EMAIL'> = async ({ lead, terms, sendBy }, settings, { mail }) => {
  if (!mail) return noDoor('SMTP_URL');
  const content = buildMail(lead, terms, settings);
  const reply = await mail.send({ content, timeoutMs: settings.timeout_ms, sendBy });
  return {
    verdict: readMailReply(reply),
    ...('response' in reply ? { answer: reply.response } : {}),
  };
};
