/** The tables of settings, as forms and tables of pages show them: labels, units, bounds and defaults. */
import type { z } from 'zod';
import { CAP_KEYS, caps } from '../../account/capsSchema.js';
import { BUYER_LINK } from '../../account/settings/buyerLinkTerms.js';
import { BUYER } from '../../account/settings/buyerSettings.js';
import { CAMPAIGN } from '../../account/settings/campaignSettings.js';
import { ASKED_BY_NAME, SEEN } from '../../account/settings/partnerTerms.js';
import type { Setting } from '../../account/settings/settingsTable.js';
import { SUPPLIER_LINK } from '../../account/settings/supplierLinkTerms.js';
import { SUPPLIER } from '../../account/settings/supplierSettings.js';
import { jsonSchema, type JsonObject } from '../../lib/jsonSchema.js';
import { shownBy, wireOf } from '../../lib/schema/wireOf.js';

/** How a value is written. */
interface Kind {
  /** A list is one of texts, `parts` an object whose parts are settings themselves; `json` is everything else. */
  kind: 'number' | 'choice' | 'flag' | 'text' | 'list' | 'parts' | 'json';
  /** Of a choice. */
  options?: string[];
  /** Of a number, both inclusive. */
  min?: number;
  max?: number;
  isWhole?: boolean;
  /** Of a text, or of a list: its entries. */
  maxLength?: number;
  parts?: Part[];
}

/** A part of a setting, such as the window of duplicates. */
export interface Part extends Kind {
  name: string;
  label: string;
  about: string;
  /** It may be null. */
  isOptional: boolean;
}

export interface Term extends Part, Pick<Setting, 'unit' | 'empty'> {
  /** As actions have it, of a record for which nothing was set. */
  default: unknown;
  /** A buyer's form asks for it. */
  isAsked: boolean;
  /** A cap or a budget: forms show those together. */
  isLimit?: boolean;
}

/** Those that a buyer sees, with its limits as one. What checks them stays on the server. */
export const buyerTerms = (): Term[] =>
  Object.entries<Setting>(BUYER_LINK.settings).flatMap(([name, one]) =>
    SEEN.includes(name)
      ? [
          {
            ...termOf(name, one),
            ...(name === 'caps' && { kind: 'json' as const, parts: undefined }),
          },
        ]
      : [],
  );

/** All settings of each kind of record by the names that actions have, each cap and budget as one. */
export const settingsTables = () => ({
  campaign: termsOf(CAMPAIGN.settings),
  buyerLink: termsOf(BUYER_LINK.settings),
  supplierLink: termsOf(SUPPLIER_LINK.settings),
  buyer: termsOf(BUYER.settings),
  supplier: termsOf(SUPPLIER.settings),
});

export type SettingsTables = ReturnType<typeof settingsTables>;

const termsOf = (settings: Record<string, Setting>): Term[] =>
  Object.entries(settings).flatMap(([name, one]) =>
    name === 'caps' ? limitTerms() : [termOf(name, one)],
  );

function termOf(
  name: string,
  { label, about, unit, empty, schema, default: value }: Setting,
): Term {
  return {
    name,
    label,
    about: onPage(about),
    unit,
    empty,
    default: shownBy(schema, value),
    isAsked: ASKED_BY_NAME.includes(name),
    ...kindOf(wireOf(schema)),
  };
}

/** What programs send as null is an empty field of a form. */
const onPage = (about: string): string => about.replace(/\b(blank or )?null:/, 'empty:');

const limitTerms = (): Term[] =>
  CAP_KEYS.map((name) => ({
    name,
    label: name === 'daily_caps' ? 'Caps by weekday' : labelOf(name),
    about: onPage(caps[name].description ?? ''),
    unit: name.endsWith('_budget') ? 'money' : 'leads',
    empty: 'no limit',
    default: null,
    isAsked: false,
    isLimit: true,
    ...kindOf(caps[name]),
  }));

function kindOf(schema: z.ZodType): Kind & Pick<Part, 'isOptional'> {
  return kindIn(jsonSchema(schema, 'input'));
}

function kindIn(published: JsonObject): Kind & Pick<Part, 'isOptional'> {
  const members = Array.isArray(published.anyOf) ? (published.anyOf as JsonObject[]) : [published];
  const others = members.filter(({ type }) => type !== 'null');
  const isOptional = others.length < members.length;
  const [only] = others;
  return { isOptional, ...(only && others.length === 1 ? oneKind(only) : { kind: 'json' }) };
}

function oneKind(schema: JsonObject): Kind {
  const { type, enum: options, items, properties, maxLength } = schema;
  if (Array.isArray(options)) return { kind: 'choice', options: options.map(String) };
  if (type === 'boolean') return { kind: 'flag' };
  if (type === 'string') return { kind: 'text', maxLength: maxLength as number | undefined };
  if (type === 'number' || type === 'integer')
    return {
      kind: 'number',
      min: schema.minimum as number | undefined,
      max: schema.maximum as number | undefined,
      isWhole: type === 'integer',
    };
  if (type === 'array' && (items as JsonObject | undefined)?.type === 'string')
    return { kind: 'list', maxLength: schema.maxItems as number | undefined };
  const parts = type === 'object' ? partsOf(properties as Record<string, JsonObject>) : [];
  return parts.length > 0 && parts.every(({ kind }) => kind !== 'json')
    ? { kind: 'parts', parts }
    : { kind: 'json' };
}

const partsOf = (properties: Record<string, JsonObject> = {}): Part[] =>
  Object.entries(properties).map(([name, one]) => ({
    name,
    label: labelOf(name),
    about: typeof one.description === 'string' ? onPage(one.description) : '',
    ...kindIn(one),
  }));

/** Units that names of parts end with. */
const UNITS = new Map([
  ['days', 'days'],
  ['ms', 'milliseconds'],
]);

/** `window_days` as "Window (days)". */
function labelOf(name: string): string {
  const words = `${name.charAt(0).toUpperCase()}${name.slice(1)}`.split('_');
  const unit = words.length > 1 ? UNITS.get(words.at(-1) ?? '') : undefined;
  return unit === undefined ? words.join(' ') : `${words.slice(0, -1).join(' ')} (${unit})`;
}
