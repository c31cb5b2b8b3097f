import type { DeliverySettings } from '../domain/plan.js';
import { checkOutboundUrl } from '../integrations/http.js';
import { pickDefined } from './defined.js';
import { checkInteger, invalidValue } from './values.js';

/** What a person may say of a delivery; only the address has no default. */
export type DeliveryInput = Pick<DeliverySettings, 'url'> & Partial<Omit<DeliverySettings, 'url'>>;

export interface OutboundPolicy {
  /** Addresses of this machine and of private networks may be saved. */
  allowPrivate: boolean;
}

const HOUR_MS = 3_600_000;

/** Extensions, "Delivery". */
const DEFAULTS: Omit<DeliverySettings, 'url'> = {
  method: 'WEBHOOK',
  headers: {},
  timeout_ms: 5_000,
  honours_idempotency_key: false,
  on_unknown: 'hold',
  hold_max_age_ms: 24 * HOUR_MS,
  max_age_ms: 24 * HOUR_MS,
  max_concurrent: 10,
};

const KEYS = [
  'url',
  'method',
  'headers',
  'timeout_ms',
  'honours_idempotency_key',
  'on_unknown',
  'hold_max_age_ms',
  'max_age_ms',
  'max_concurrent',
] as const satisfies readonly (keyof DeliverySettings)[];

const LONGEST_AGE_MS = 30 * 24 * HOUR_MS;

/**
 * Complete settings from what was given, over `current` where there is one.
 * @throws {AppError} `validation_failed` naming the first setting that is not valid
 */
export function checkDelivery(
  input: DeliveryInput,
  policy: OutboundPolicy,
  current?: DeliverySettings,
): DeliverySettings {
  const settings = { ...DEFAULTS, ...current, ...pickDefined(input, KEYS), url: input.url };
  const wrong = checkOutboundUrl(settings.url, policy);
  if (wrong !== null) throw invalidValue('delivery.url', 'not_allowed', wrong);
  checkInteger('delivery.timeout_ms', settings.timeout_ms, 100, 30_000);
  checkInteger('delivery.hold_max_age_ms', settings.hold_max_age_ms, 1_000, LONGEST_AGE_MS);
  checkInteger('delivery.max_age_ms', settings.max_age_ms, 1_000, LONGEST_AGE_MS);
  checkInteger('delivery.max_concurrent', settings.max_concurrent, 1, 1_000);
  checkHeaders(settings.headers);
  return settings;
}

/** Names the service sets itself; a buyer's own would break the request or its signature. */
const RESERVED = new Set([
  'host',
  'connection',
  'content-length',
  'content-type',
  'transfer-encoding',
  'expect',
  'upgrade',
  'idempotency-key',
  'x-lead-id',
  'x-leaddistro-signature',
]);

function checkHeaders(headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) {
    const field = 'delivery.headers';
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      throw invalidValue(field, 'invalid_format', `"${name}" cannot be the name of a header.`);
    }
    if (RESERVED.has(name.toLowerCase())) {
      throw invalidValue(field, 'not_allowed', `${name} is set by the service; leave it out.`);
    }
    if (!/^[\t\x20-\x7e]*$/.test(value)) {
      throw invalidValue(field, 'invalid_format', `${name} must be printable ASCII on one line.`);
    }
  }
}
