/** How a buyer is delivered to, as a person sets it up. */
import { layOver, readParts, refuseProblems, type Problem } from '../../lib/schema/zodIssues.js';
import { withoutKeys } from '../../lib/defined.js';
import { SYSTEM_FIELDS } from '../../fields/mapping.js';
import type { AccountContext } from '../context.js';
import type { DeliveryMethod, DeliverySettings, StoredHeaders } from '../rules/deliverySettings.js';
import { invalidValue } from '../values.js';
import { COMMON_KEYS, METHOD_NAMES, METHODS, type DeliveryInput } from './deliverySchema.js';
import {
  type MethodContext,
  type MethodRules,
  type SettingSources,
  urlProblems,
} from './delivery/method.js';
import { placeholderProblems, nameProblems, readBodyTemplate } from './delivery/template.js';
import { RESERVED_HEADERS } from '../rules/reservedHeaders.js';
import { mergeHeaders } from './delivery/headers.js';

const webhook: MethodRules<'WEBHOOK'> = (parsed, context, { laid, current }) => {
  const { headers, problems } = mergeHeaders(laid, current, RESERVED_HEADERS);
  const { url, format = 'json', template: given = null } = parsed;
  const body =
    given === null
      ? { template: null, problems: [] }
      : readBodyTemplate(given, format, context.fieldNames);
  return {
    settled: { headers, template: body.template },
    problems: [...urlProblems(url, context.policy, current?.url), ...problems, ...body.problems],
  };
};

const OnlyResponse = METHODS.WEBHOOK.pick({ response: true });

/**
 * Rules that read a buyer's answers, as they would be saved.
 * @throws {AppError} `validation_failed` naming every rule that is not valid
 */
export function readResponseRules(given: unknown) {
  const { values, problems } = readParts(OnlyResponse, { response: given }, () => '');
  refuseProblems('', problems);
  return values.response ?? null;
}

const missingSetup = (isSetUp: boolean | undefined, rule: string): Problem[] =>
  isSetUp ? [] : [{ path: ['method'], code: 'not_allowed', rule }];

const NO_SHEETS = 'GOOGLE_SHEET needs a service account: set GOOGLE_SERVICE_ACCOUNT_FILE';

const googleSheet: MethodRules<'GOOGLE_SHEET'> = ({ columns }, { policy, fieldNames }) => ({
  settled: {},
  problems: [
    ...missingSetup(policy.sheets, NO_SHEETS),
    ...nameProblems('columns', columns ?? [], fieldNames),
  ],
});

const NO_MAIL = 'EMAIL needs a mail server: set SMTP_URL and SMTP_FROM';

const email: MethodRules<'EMAIL'> = ({ subject, template }, { policy, fieldNames }) => ({
  // Recipients that new settings name must have confirmed.
  settled: { checked: true },
  problems: [
    ...missingSetup(policy.mail, NO_MAIL),
    ...placeholderProblems('subject', subject ?? null, fieldNames),
    ...placeholderProblems('template', template ?? null, fieldNames),
  ],
});

export type { OutboundPolicy } from './delivery/method.js';
export type { DeliveryInput } from './deliverySchema.js';

/** As given, or as stored and read again. */
type StoredInput = Omit<DeliveryInput, 'headers'> & { headers?: StoredHeaders | null | undefined };

const RULES: { [M in DeliveryMethod]: MethodRules<M> } = {
  WEBHOOK: webhook,
  EMAIL: email,
  GOOGLE_SHEET: googleSheet,
  STORE: () => ({ settled: {}, problems: [] }),
};

/**
 * Complete settings from what was given, over `current` where there is one. When the method changes, only the settings
 * that every method has are kept.
 * @throws {AppError} `validation_failed` naming every setting that is not valid
 */
export function checkDelivery(
  input: StoredInput,
  context: MethodContext,
  current?: DeliverySettings,
): DeliverySettings {
  const method = parseMethod(input.method ?? current?.method ?? 'WEBHOOK');
  const kept = current?.method === method ? settingsOf(method) : COMMON_KEYS;
  const laid = { ...layOver(input, current, kept), method };
  const before = current && layOver({}, current, kept);
  const { settings, problems } = readMethod(method, context, { laid, current: before });
  refuseProblems('delivery', problems);
  return settings;
}

/** Settings that have a problem are missing from the result. */
function readMethod<M extends DeliveryMethod>(
  method: M,
  context: MethodContext,
  sources: SettingSources,
): { settings: DeliverySettings<M>; problems: Problem[] } {
  // Headers are read separately: stored ones are sealed.
  const laid = method === 'WEBHOOK' ? withoutKeys(sources.laid, ['headers']) : sources.laid;
  const isNone = (hint: string): string => `is not a setting of the method ${method}.${hint}`;
  const { values, problems } = readParts(METHODS[method], laid, isNone);
  const byRules = RULES[method](values, context, sources);
  return {
    settings: { ...values, ...byRules.settled } as object as DeliverySettings<M>,
    problems: [...problems, ...byRules.problems],
  };
}

/** Every setting that a method has. */
export const settingsOf = (method: DeliveryMethod): readonly string[] =>
  Object.keys(METHODS[method].shape).filter((key) => key !== 'method');

/** Settings that must be given. */
const REQUIRED: Record<DeliveryMethod, object> = {
  WEBHOOK: { url: '' },
  EMAIL: { to: [] },
  GOOGLE_SHEET: { spreadsheet_id: '' },
  STORE: {},
};
const ANYTHING = { policy: { allowPrivate: true, mail: true, sheets: true }, fieldNames: [] };

/** A method's settings where none are given; those that must be given are empty. */
export const defaultsOf = (method: DeliveryMethod): DeliverySettings => ({
  ...readMethod(method, ANYTHING, { laid: { method }, current: undefined }).settings,
  ...REQUIRED[method],
});

/** @throws {AppError} `validation_failed` */
export function parseMethod(given: string): DeliveryMethod {
  const method = METHOD_NAMES.find((name) => name === given.trim().toUpperCase());
  if (method !== undefined) return method;
  const message = `delivery.method must be ${METHOD_NAMES.join(' or ')}.`;
  throw invalidValue('delivery.method', 'not_allowed', message);
}

/** The fields of every campaign of the organization: what a template or a column may name. */
export async function readFieldNames({
  collections,
  orgId,
}: Pick<AccountContext, 'collections' | 'orgId'>): Promise<string[]> {
  const campaigns = await collections.campaigns
    .find({ org_id: orgId }, { projection: { 'fields.name': 1 } })
    .toArray();
  const rules = [SYSTEM_FIELDS, ...campaigns.map(({ fields }) => fields)].flat();
  return [...new Set(rules.map(({ name }) => name))];
}
