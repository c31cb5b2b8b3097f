/** Every way to report an event: a new action is a sender and a line in the table. */
import type { AutomationDoc } from '../../account/store/automationDocs.js';
import { sendGuarded } from '../../deliveries/recipients/gate.js';
import type { Envelope } from '../../events/rules/events.js';
import { eventMail } from '../rules/eventText.js';
import { sendToSheet } from './googleSheet.js';
import { sendToSlack, sendWebhook } from './http.js';
import {
  TIMEOUT_MS,
  type Message,
  type Sender,
  type SenderDeps,
  type SendResult,
} from './sender.js';

/** A mail through the SMTP server of this installation, to recipients that have confirmed that they want it. */
const sendEmail: Sender<'EMAIL'> = async ({ id, envelope }, { org_id, target }, deps) => {
  const { mail, mailGate: gate, clock } = deps;
  if (!mail) return { kind: 'failed', reason: 'SMTP_URL is not set in this installation' };
  const content = eventMail(envelope, target.to, id);
  const sent = { content, timeoutMs: TIMEOUT_MS, sendBy: clock.monotonic() + TIMEOUT_MS };
  const whose = { orgId: org_id, isChecked: target.checked === true };
  const { verdict, isHeld } = await sendGuarded(sent, whose, { mail, gate });
  const { result, reason, retry_after_ms: retryAfterMs } = verdict;
  if (isHeld) return { kind: 'failed', reason, retryAfterMs, ownLimit: true };
  if (result === 'accepted') return { kind: 'delivered' };
  return { kind: result === 'rejected' ? 'refused' : 'failed', reason };
};

/** Sells the lead again in another campaign, to no buyer that may have it. The delivery's id identifies the order. */
const redistribute: Sender<'REDISTRIBUTE'> = async ({ id, lead, envelope }, { target }, deps) => {
  if (!deps.redistribute) return { kind: 'refused', reason: 'leads are not sold again here' };
  if (!lead) return { kind: 'refused', reason: 'there is no lead to be sold again' };
  const { campaign_id } = target;
  const returned_by = returnedBy(envelope);
  const answer = await deps.redistribute({ id, lead, campaign_id, returned_by });
  if ('refused' in answer) return { kind: 'refused', reason: answer.refused };
  if ('busy' in answer) return { kind: 'failed', reason: answer.busy, ownLimit: true };
  return { kind: 'delivered' };
};

const returnedBy = ({ type, data: { buyer_id } }: Envelope): string | undefined =>
  type === 'lead.returned' && typeof buyer_id === 'string' ? buyer_id : undefined;

const SENDERS: { [A in AutomationDoc['action']]: Sender<A> } = {
  WEBHOOK: sendWebhook,
  SLACK: sendToSlack,
  EMAIL: sendEmail,
  GOOGLE_SHEET: sendToSheet,
  REDISTRIBUTE: redistribute,
};

/** Sends once by the automation's action, and never rejects. */
export async function send(
  message: Message,
  automation: AutomationDoc,
  deps: SenderDeps,
): Promise<SendResult> {
  // The table gives each action the sender for its target, which the compiler cannot follow.
  const sender = SENDERS[automation.action] as Sender<AutomationDoc['action']>;
  try {
    return await sender(message, automation, deps);
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : 'could not be made' };
  }
}
