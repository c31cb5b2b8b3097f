/** An event in words, for people: a line for a chat, and a mail. */
import { printable } from '../../deliveries/rules/answerValues.js';
import { isScalar } from '../../fields/values.js';
import { isAlertEvent, type Envelope } from '../../events/rules/events.js';
import type { MailContent } from '../../platform/outbound/mail/content.js';

const SUBJECT_LENGTH = 200;
/** In the order in which a reader looks for them. */
const NAMED = ['lead_id', 'automation_id', 'buyer_id', 'campaign_id', 'supplier_id'] as const;

/** Alerts name what they are about; these are names of the account, not of people in leads. */
const NAMES = ['buyer_name', 'supplier_name', 'campaign_name'] as const;

/** The event and its subject: `[TEST] lead.accepted: lead_id …`. No personal data: many people read it. */
function headline({ type, data }: Envelope): string {
  const names = NAMES.flatMap((key) => (typeof data[key] === 'string' ? [data[key]] : []));
  if (isAlertEvent(type) && names.length > 0) return `${type}: ${names.join(', ')}`;
  const name = NAMED.find((key) => typeof data[key] === 'string');
  const about = name === undefined ? '' : `: ${name} ${String(data[name])}`;
  return `${data.is_test === true ? '[TEST] ' : ''}${type}${about}`;
}

/** Slack gives `&`, `<` and `>` a meaning (Slack, "Formatting text for app surfaces"). */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The headline and the event's values, without the fields of the lead. */
export function slackText(envelope: Envelope): string {
  const rest = linesOf(envelope.data, ['fields', 'extra']).join('\n');
  return escapeSlack(`*${headline(envelope)}*\n${rest}`);
}

/** The same event to the same automation has the same Message-ID at every attempt. */
export function eventMail(envelope: Envelope, to: string[], deliveryId: string): MailContent {
  const lines = [
    ...linesOf(envelope.data, []),
    `event: ${envelope.id}`,
    `at: ${envelope.created_at}`,
  ];
  return {
    to,
    cc: [],
    subject: printable(headline(envelope)).slice(0, SUBJECT_LENGTH),
    text: lines.map((line) => `${line}\n`).join(''),
    messageName: deliveryId.replaceAll(':', '.'),
    headers: {},
  };
}

/** `name: value`, those within a group after it; what is absent is left out. */
function linesOf(data: Record<string, unknown>, without: readonly string[]): string[] {
  return Object.entries(data).flatMap(([name, value]) => {
    if (without.includes(name) || value === null || value === undefined) return [];
    if (value instanceof Date) return [`${name}: ${value.toISOString()}`];
    if (Array.isArray(value)) return [`${name}: ${value.join(', ')}`];
    if (typeof value === 'object') return linesOf(value as Record<string, unknown>, []);
    return isScalar(value) ? [`${name}: ${printable(String(value))}`] : [];
  });
}
