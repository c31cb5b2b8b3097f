/** The HTTP request that delivers a lead to a buyer. */
import type { DeliverySettings } from '../../account/rules/deliverySettings.js';
import { defaultBody, idempotencyKeyOf, payloadOf, valueOf } from './payload.js';
import type { DeliveredLead, Payload } from './payload.js';
import type { BuyerTerms } from '../../account/rules/plan.js';
import { fillJson, type Template } from '../../account/rules/template.js';
import { receiverHeaders } from '../../account/rules/reservedHeaders.js';

interface WebhookRequest {
  url: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** The settings of a webhook with its headers opened. */
export type OpenWebhook = Omit<DeliverySettings<'WEBHOOK'>, 'headers'> & {
  headers: Readonly<Record<string, string>>;
};

const CONTENT_TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

/**
 * The request of a WEBHOOK delivery (contract 6.2). The same lead, buyer and settings give the same
 * bytes and the same `idempotency-key` at every attempt. The caller signs the body.
 */
export function buildWebhook(
  lead: DeliveredLead,
  terms: Pick<BuyerTerms, 'buyer_id' | 'price'>,
  settings: OpenWebhook,
): WebhookRequest {
  const { format = 'json', template = null } = settings;
  const payload = payloadOf(lead, terms);
  return {
    url: settings.url,
    headers: {
      ...receiverHeaders(settings.headers),
      'content-type': CONTENT_TYPES[format],
      'x-lead-id': lead._id,
      'idempotency-key': idempotencyKeyOf(lead, terms),
    },
    body: format === 'form' ? formBody(payload, template) : jsonBody(payload, template),
  };
}

const jsonBody = (payload: Payload, template: Template | null): string =>
  JSON.stringify(template === null ? defaultBody(payload) : filled(payload, template));

const filled = (payload: Payload, template: Template): Template =>
  fillJson(template, (name) => valueOf(payload, name));

/** Pairs as HTML forms send them (WHATWG URL, application/x-www-form-urlencoded); a list repeats its name. */
function formBody(payload: Payload, template: Template | null): string {
  const content = template === null ? defaultBody(payload) : filled(payload, template);
  const pairs = Object.entries(content as Record<string, Template>).flatMap(([name, value]) =>
    pairsOf(name, value),
  );
  return new URLSearchParams(pairs).toString();
}

function pairsOf(name: string, value: Template): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item) => pairsOf(name, item));
  if (typeof value !== 'object') return [[name, String(value)]];
  if (value === null) return [[name, '']];
  return Object.entries(value).flatMap(([key, item]) => pairsOf(`${name}[${key}]`, item));
}
