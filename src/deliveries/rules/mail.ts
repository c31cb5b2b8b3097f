/** The mail that delivers a lead to a buyer, and the meaning of the mail server's answer. */
import { printable } from './answerValues.js';
import { withoutAnswer, type DeliveryVerdict } from './delivery.js';
import type { DeliverySettings } from '../../account/rules/deliverySettings.js';
import { defaultBody, idempotencyKeyOf, payloadOf, valueOf } from './payload.js';
import type { DeliveredLead, Payload } from './payload.js';
import type { BuyerTerms } from '../../account/rules/plan.js';
import { escapeHtml, fillText } from '../../account/rules/template.js';
import type { MailContent, MailReply } from '../../platform/outbound/mail/content.js';

const SUBJECT_MAX = 200;

export function buildMail(
  lead: DeliveredLead,
  terms: Pick<BuyerTerms, 'buyer_id' | 'price'>,
  settings: DeliverySettings<'EMAIL'>,
): MailContent {
  const { to, cc, format, template, attach_json: attach } = settings;
  const payload = payloadOf(lead, terms);
  const read = (name: string) => valueOf(payload, name);
  const subject = fillText(settings.subject ?? 'New lead {{lead_id}}', read);
  const body =
    format === 'html'
      ? { html: template === null ? defaultHtml(payload) : fillText(template, read, escapeHtml) }
      : { text: template === null ? defaultText(payload) : fillText(template, read) };
  return {
    to,
    cc,
    subject: printable(lead.is_test ? `[TEST] ${subject}` : subject).slice(0, SUBJECT_MAX),
    ...body,
    json: attach ? JSON.stringify(defaultBody(payload), null, 2) : undefined,
    messageName: `${lead._id}.${terms.buyer_id}`,
    headers: { 'Idempotency-Key': idempotencyKeyOf(lead, terms), 'X-Lead-Id': lead._id },
  };
}

const defaultText = (payload: Payload): string =>
  linesOf(payload)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');

const defaultHtml = (payload: Payload): string => {
  const rows = linesOf(payload).map((line) => {
    const [name = '', value = ''] = line.map(escapeHtml);
    return `<tr><th align="left">${name}</th><td>${value}</td></tr>\n`;
  });
  return `<table>\n${rows.join('')}</table>\n`;
};

/** Fields first: a person opens the mail for them. */
const linesOf = ({ service, fields, extra }: Payload): string[][] =>
  [...Object.entries(fields), ...Object.entries(extra), ...Object.entries(service)].map(
    ([name, value]) => [name, String(value)],
  );

/**
 * Only a permanent answer (5xx) about the recipients or the message refuses the lead. An answer about the session or
 * the sender concerns this installation: the lead was definitely not accepted, and may be once the fault is fixed.
 */
export function readMailReply(reply: MailReply): DeliveryVerdict {
  switch (reply.kind) {
    case 'not_sent':
    case 'no_answer':
      return withoutAnswer(reply);
    case 'taken': {
      const notes = reply.refused.map((address) => `${address} was refused`);
      const reason = printable(`The mail server took it: ${reply.response}`);
      return { result: 'accepted', reason, notes: notes.length > 0 ? notes : undefined };
    }
    case 'refused': {
      const forGood = reply.code >= 500 && reply.code < 600;
      const ofLead = reply.stage === 'recipients' || reply.stage === 'message';
      const reason = printable(`The mail server answered ${reply.response}`);
      return { result: forGood && ofLead ? 'rejected' : 'not_taken', reason };
    }
  }
}
