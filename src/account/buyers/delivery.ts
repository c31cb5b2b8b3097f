/** How a buyer is delivered to, as a person sets it up. */
import type {
  DeliveryMethod,
  DeliverySettings,
  EmailSettings,
  CommonDelivery,
  GoogleSheetSettings,
  WebhookSettings,
} from '../rules/deliverySettings.js';
import { nearest } from '../../lib/nearest.js';
import { SYSTEM_FIELDS } from '../../fields/mapping.js';
import type { AccountCollections } from '../store/collections.js';
import { COMMON_KEYS, readCommon } from './delivery/common.js';
import { email } from './delivery/email.js';
import { googleSheet } from './delivery/googleSheet.js';
import type { MethodContext, MethodReader } from './delivery/method.js';
import { settingReader } from './delivery/reader.js';
import { webhook } from './delivery/webhook.js';
import { invalidValue } from '../values.js';

export type { OutboundPolicy } from './delivery/method.js';

type Optional<T> = { [K in keyof T]?: T[K] | null };

/**
 * What a person may say of a delivery: the settings of its method, WEBHOOK unless told otherwise. Null takes a
 * setting back to its default. Text is read for a template or a single address too.
 */
export interface DeliveryInput
  extends
    Optional<CommonDelivery>,
    Optional<Omit<WebhookSettings, 'format' | 'template'>>,
    Optional<Omit<EmailSettings, 'format' | 'template' | 'to' | 'cc'>>,
    Optional<GoogleSheetSettings> {
  method?: DeliveryMethod | null;
  format?: WebhookSettings['format'] | EmailSettings['format'] | null;
  template?: WebhookSettings['template'];
  to?: string | string[] | null;
  cc?: string | string[] | null;
}

/** Of no meaning for a lead that is kept here. */
const STORE_TIMEOUT_MS = 5_000;

const METHODS: { [M in DeliveryMethod]: MethodReader<M> } = {
  WEBHOOK: webhook,
  EMAIL: email,
  GOOGLE_SHEET: googleSheet,
  STORE: {
    keys: COMMON_KEYS,
    read: (read) => ({ method: 'STORE', ...readCommon(read, STORE_TIMEOUT_MS) }),
  },
};

/**
 * Complete settings from what was given, over `current` where there is one. Of another method's settings only
 * those hold on that every method has.
 * @throws {AppError} `validation_failed` naming every setting that is not valid
 */
export function checkDelivery(
  input: DeliveryInput,
  context: MethodContext,
  current?: DeliverySettings,
): DeliverySettings {
  const method = methodOf(input.method ?? current?.method ?? 'WEBHOOK');
  const { keys, read } = METHODS[method];
  const kept = current?.method === method ? current : undefined;
  const reader = settingReader('delivery', input, kept ?? shared(current));
  for (const [key, value] of Object.entries(input)) {
    if (key === 'method' || value === undefined || value === null || keys.includes(key)) continue;
    const near = nearest(key, keys);
    const hint = near === undefined ? '' : ` Did you mean ${near}?`;
    reader.problem(key, 'not_allowed', `is no setting of the method ${method}.${hint}`);
  }
  const settings = read(reader, context);
  reader.finish();
  return settings;
}

/** Every setting that a method has. */
export const settingsOf = (method: DeliveryMethod): readonly string[] => METHODS[method].keys;

/** A method's settings where nothing is said; those that must be said are empty. */
export const defaultsOf = (method: DeliveryMethod): DeliverySettings =>
  METHODS[method].read(settingReader('delivery', {}, undefined), {
    policy: { allowPrivate: true, mail: true, sheets: true },
    fieldNames: [],
  });

/** @throws {AppError} `validation_failed` */
export function methodOf(given: string): DeliveryMethod {
  const names = Object.keys(METHODS) as DeliveryMethod[];
  const method = names.find((name) => name === given.trim().toUpperCase());
  if (method !== undefined) return method;
  const message = `delivery.method must be ${names.join(' or ')}.`;
  throw invalidValue('delivery.method', 'not_allowed', message);
}

const shared = (current: DeliverySettings | undefined): Partial<CommonDelivery> | undefined =>
  current && Object.fromEntries(COMMON_KEYS.map((key) => [key, current[key]]));

/** The fields of every campaign of the organisation: what a template or a column may name. */
export async function fieldNamesOf(
  collections: AccountCollections,
  orgId: string,
): Promise<string[]> {
  const campaigns = await collections.campaigns
    .find({ org_id: orgId }, { projection: { 'fields.name': 1 } })
    .toArray();
  const rules = [SYSTEM_FIELDS, ...campaigns.map(({ fields }) => fields)].flat();
  return [...new Set(rules.map(({ name }) => name))];
}
