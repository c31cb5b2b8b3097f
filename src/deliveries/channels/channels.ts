/** Every way to deliver. The steps to a new method are in `CONTRIBUTING.md`. */
import { openHeaders } from '../../account/buyers/sealedHeaders.js';
import type { DeliveryMethod } from '../../account/rules/deliverySettings.js';
import { signingSecretPlace } from '../../account/rules/sealedPlaces.js';
import { NOT_YOURS } from '../../account/store/spreadsheets.js';
import { signedHeaders, signingSecrets } from '../../platform/security/signatures.js';
import { sendGuarded } from '../recipients/gate.js';
import { readReply } from '../rules/delivery.js';
import { buildMail } from '../rules/mail.js';
import { idempotencyKeyOf } from '../rules/payload.js';
import { buildRow, foundInSheet } from '../rules/sheetRow.js';
import { buildWebhook } from '../rules/webhook.js';
import { appendOnce } from './appendOnce.js';
import type { Channel, ChannelDeps, ChannelReply, Outgoing } from './channel.js';

/** An HTTP POST, signed over the bytes that are sent; its Idempotency-Key is the id of the message, at every attempt. */
const sendWebhook: Channel<'WEBHOOK'> = async (outgoing, settings, deps) => {
  const { org_id: orgId, lead, terms, sendBy } = outgoing;
  const { keyring, clock } = deps;
  const { url, headers, body } = buildWebhook(lead, terms, {
    ...settings,
    headers: openHeaders(settings.headers, terms.buyer_id, keyring),
  });
  const at = clock.now();
  const { signing_secret: secret, previous_signing: previous } = terms;
  const place = signingSecretPlace(terms.buyer_id);
  const secrets = signingSecrets(secret, previous, { keyring, now: at, place });
  const reply = await deps.outbound.send({
    url,
    orgId,
    headers: {
      ...headers,
      ...signedHeaders(secrets, { id: idempotencyKeyOf(lead, terms), body, at }),
    },
    body,
    timeoutMs: settings.timeout_ms,
    sendBy,
  });
  return {
    verdict: readReply(reply, deps.clock.now(), settings.response),
    answer: reply.kind === 'answered' ? reply.body : undefined,
  };
};

/** A mail through the SMTP server of this installation, to recipients that have confirmed that they want it. */
const sendEmail: Channel<'EMAIL'> = async (outgoing, settings, { mail, mailGate: gate }) => {
  if (!mail) return notConfigured('SMTP_URL');
  const { lead, terms, sendBy, org_id: orgId } = outgoing;
  const content = buildMail(lead, terms, settings);
  const sent = { content, timeoutMs: settings.timeout_ms, sendBy };
  return sendGuarded(sent, { orgId, isChecked: settings.checked === true }, { mail, gate });
};

/** A row at the end of a sheet, found by the lead's id. */
const sendToSheet: Channel<'GOOGLE_SHEET'> = async (outgoing, settings, deps) => {
  const { lead, terms, fieldNames, sendBy, unanswered = false } = outgoing;
  if (!deps.sheets) return notConfigured('GOOGLE_SERVICE_ACCOUNT_FILE');
  if (!(await deps.sheetOwners.mayWrite(outgoing.org_id, settings.spreadsheet_id)))
    return { verdict: { result: 'not_taken', reason: NOT_YOURS } };
  const { spreadsheet_id, sheet, timeout_ms: timeoutMs } = settings;
  const cells = buildRow(lead, terms, settings, fieldNames);
  const row = { spreadsheet_id, sheet, cells, timeoutMs, sendBy, mayBeThere: unanswered };
  const appended = await appendOnce(row, deps.sheets, deps.clock.now());
  switch (appended.kind) {
    case 'found':
      return { verdict: foundInSheet(appended.row, settings), answer: appended.answer };
    case 'unsure':
      return { verdict: { result: 'unknown', reason: appended.reason } };
    case 'answered':
      return { verdict: appended.verdict, answer: appended.answer };
  }
};

/** A plan may need a client that this installation no longer configures. */
const notConfigured = (setting: string): ChannelReply => ({
  verdict: { result: 'not_taken', reason: `${setting} is not set in this installation` },
});

const CHANNELS: { [M in DeliveryMethod]: Channel<M> } = {
  WEBHOOK: sendWebhook,
  EMAIL: sendEmail,
  GOOGLE_SHEET: sendToSheet,
  // Sends nothing: the buyer has accepted the lead at once.
  STORE: () => Promise.resolve({ verdict: { result: 'accepted', reason: 'kept_here' } }),
};

/** Delivers a lead by the buyer's method. */
export function deliver(outgoing: Outgoing, deps: ChannelDeps): Promise<ChannelReply> {
  const settings = outgoing.terms.delivery;
  // The table gives each method the channel for its settings, which the compiler cannot follow.
  const channel = CHANNELS[settings.method] as Channel<DeliveryMethod>;
  return channel(outgoing, settings, deps);
}
