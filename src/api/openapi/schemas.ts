/** Schemas that occur in several places are written once, under a name. */
import type { z } from 'zod';
import { BuyerView, ListedBuyer } from '../actions/schemas/buyer.js';
import { CampaignRow, CampaignView } from '../actions/schemas/campaign.js';
import { BuyerLinkView, SupplierLinkView } from '../actions/schemas/links.js';
import { LeadRow, LeadView, TrailStep } from '../actions/schemas/lead.js';
import { ActionErrorBody, ErrorBody } from '../schemas/error.js';
import { FilterFailure } from '../../lib/filterFailure.js';
import { jsonSchema, type JsonObject } from '../../lib/jsonSchema.js';

/** Nouns; recognized by their form, so that other code need not know their names. */
const NAMED = {
  Campaign: CampaignView,
  CampaignSummary: CampaignRow,
  BuyerTerms: BuyerLinkView,
  SupplierTerms: SupplierLinkView,
  Buyer: BuyerView,
  BuyerSummary: ListedBuyer,
  Lead: LeadView,
  LeadSummary: LeadRow,
  TrailEntry: TrailStep,
  FilterFailure,
  Refusal: ErrorBody,
  ActionRefusal: ActionErrorBody,
} as const satisfies Record<string, z.ZodType>;

export interface NamedSchemas {
  /** A reference to the schema of this name. */
  refer: (name: keyof typeof NAMED) => JsonObject;
  /** The schema, with references in place of each named schema inside it. */
  lift: (schema: JsonObject) => JsonObject;
  /** A reference to this schema under a name of its own, the same each time. */
  define: (name: string, schema: JsonObject) => JsonObject;
  /** The schemas that were referred to, by name. */
  used: () => Record<string, JsonObject>;
  /**
   * A reference to a response.
   * @throws {Error} for another one of the same name
   */
  answer: (name: string, response: JsonObject) => JsonObject;
  /** The responses that were referred to, by name. */
  responses: () => Record<string, JsonObject>;
}

export function namedSchemas(): NamedSchemas {
  const schemas = new Map(
    Object.entries(NAMED).map(([name, schema]) => [name, jsonSchema(schema, 'output')]),
  );
  const names = new Map([...schemas].map(([name, schema]) => [looks(schema), name]));
  const used = new Map<string, JsonObject>();
  const responses = new Map<string, JsonObject>();

  const referTo = (name: string, description: unknown): JsonObject => {
    const schema = schemas.get(name) ?? {};
    if (!used.has(name)) {
      used.set(name, {});
      used.set(name, inside(schema));
    }
    const own = description === schema.description ? undefined : description;
    return { $ref: `#/components/schemas/${name}`, description: own };
  };
  const inside = (schema: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, lift(value)]));
  const lift = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(lift);
    if (!isObject(value)) return value;
    const name = value.properties === undefined ? undefined : names.get(looks(value));
    return name === undefined ? inside(value) : referTo(name, value.description);
  };
  return {
    refer: (name) => referTo(name, undefined),
    lift: (schema) => lift(schema) as JsonObject,
    define(name, schema) {
      used.set(name, schema);
      return { $ref: `#/components/schemas/${name}` };
    },
    used: () => inOrder(used),
    answer(name, response) {
      const known = responses.get(name) ?? response;
      if (JSON.stringify(known) !== JSON.stringify(response))
        throw new Error(`Two responses are called ${name}.`);
      responses.set(name, known);
      return { $ref: `#/components/responses/${name}` };
    },
    responses: () => inOrder(responses),
  };
}

const inOrder = (parts: ReadonlyMap<string, JsonObject>): Record<string, JsonObject> =>
  Object.fromEntries([...parts].toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Recognizes a schema whatever description it has where it is used. */
const looks = (schema: JsonObject): string => JSON.stringify({ ...schema, description: undefined });

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null;
