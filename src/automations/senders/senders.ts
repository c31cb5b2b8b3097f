/** Every way to report an event: a new action is one file and one line here. */
import type { AutomationDoc } from '../../account/store/automationDocs.js';
import { sendEmail } from './email.js';
import { sendToSheet } from './googleSheet.js';
import { redistribute } from './redistribute.js';
import type { Message, Sender, SenderDeps, SendResult } from './sender.js';
import { sendToSlack } from './slack.js';
import { sendWebhook } from './webhook.js';

const SENDERS: { [A in AutomationDoc['action']]: Sender<A> } = {
  WEBHOOK: sendWebhook,
  SLACK: sendToSlack,
  EMAIL: sendEmail,
  GOOGLE_SHEET: sendToSheet,
  REDISTRIBUTE: redistribute,
};

/** Sends once by the automation's own action, and never rejects. */
export async function send(
  message: Message,
  automation: AutomationDoc,
  deps: SenderDeps,
): Promise<SendResult> {
  // The table gives each action the sender of its own target, which the compiler cannot follow.
  const sender = SENDERS[automation.action] as Sender<AutomationDoc['action']>;
  try {
    return await sender(message, automation, deps);
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : 'could not be made' };
  }
}
