/** What a delivery would send, as people read it: nothing is sent, and no secret is shown. */
import { HIDDEN_HEADER } from '../account/buyers/delivery/headers.js';
import type { DeliveryMethod, DeliverySettings } from '../account/rules/deliverySettings.js';
import type { BuyerTerms } from '../account/rules/plan.js';
import type { Scalar } from '../fields/values.js';
import { signedHeaders } from '../platform/security/signatures.js';
import { buildMail } from './rules/mail.js';
import { idempotencyKeyOf, type DeliveredLead } from './rules/payload.js';
import { buildRow } from './rules/sheetRow.js';
import { buildWebhook } from './rules/webhook.js';

export interface ShownRequest {
  method: DeliveryMethod;
  /** Of a WEBHOOK. */
  http?: { method: 'POST'; url: string; headers: Record<string, string>; body: string };
  /** Of an EMAIL. */
  mail?: {
    to: string[];
    cc: string[];
    subject: string;
    text?: string;
    html?: string;
    json?: string;
  };
  /** Of a GOOGLE_SHEET: its cells, the id of the lead first. */
  row?: { spreadsheet_id: string; sheet: string | null; cells: Scalar[] };
}

type Show<M extends DeliveryMethod> = (
  lead: DeliveredLead,
  terms: BuyerTerms,
  settings: DeliverySettings<M>,
  shown: { fieldNames: readonly string[]; at: Date },
) => Omit<ShownRequest, 'method'>;

/** Header values, which may be keys of the buyer, and signatures, which would prove a request to be ours, are hidden. */
const showWebhook: Show<'WEBHOOK'> = (lead, terms, settings, { at }) => {
  const headers = Object.fromEntries(
    Object.keys(settings.headers).map((name) => [name, HIDDEN_HEADER]),
  );
  const { url, headers: sent, body } = buildWebhook(lead, terms, { ...settings, headers });
  const signed = signedHeaders(['-'], { id: idempotencyKeyOf(lead, terms), body, at });
  const hidden = Object.fromEntries(
    Object.entries(signed).map(([name, value]) => [
      name,
      name.endsWith('signature') ? HIDDEN_HEADER : value,
    ]),
  );
  return { http: { method: 'POST', url, headers: { ...sent, ...hidden }, body } };
};

const showMail: Show<'EMAIL'> = (lead, terms, settings) => {
  const { to, cc, subject, text, html, json } = buildMail(lead, terms, settings);
  return { mail: { to, cc, subject, text, html, json } };
};

const showRow: Show<'GOOGLE_SHEET'> = (lead, terms, settings, { fieldNames }) => {
  const { spreadsheet_id, sheet } = settings;
  return { row: { spreadsheet_id, sheet, cells: buildRow(lead, terms, settings, fieldNames) } };
};

const SHOWS: { [M in DeliveryMethod]: Show<M> } = {
  WEBHOOK: showWebhook,
  EMAIL: showMail,
  GOOGLE_SHEET: showRow,
  STORE: () => ({}),
};

/**
 * @param shown.fieldNames of the campaign, in the order of its mapping
 * @param shown.at the time of the request
 */
export function shownRequest(
  lead: DeliveredLead,
  terms: BuyerTerms,
  shown: { fieldNames: readonly string[]; at: Date },
): ShownRequest {
  const settings = terms.delivery;
  // The table gives each method the function for its settings, which the compiler cannot follow.
  const show = SHOWS[settings.method] as Show<DeliveryMethod>;
  return { method: settings.method, ...show(lead, terms, settings, shown) };
}
