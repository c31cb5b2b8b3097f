/** How a supplier posts leads to one campaign: everything that its developers need. Pure. */
import { FIELD_TYPES } from '../../fields/fieldTypes.js';
import type { FieldTools } from '../../fields/fieldReader.js';
import type { FilterGroup } from '../../fields/filterRules.js';
import type { Fields } from '../../fields/values.js';
import { compileMapping } from '../../fields/mapping.js';
import type { Plan } from '../../account/rules/plan.js';
import type { FieldRule } from '../../fields/fieldRule.js';
import { sampleLead } from '../../fields/sampleLead.js';
import { rulesToPass } from '../../fields/sampleRules.js';
import type { RateLimit } from '../../platform/rateLimits/store/rateDoc.js';
import { sampleAnswers } from './answers.js';
import { codeOfLead, curlOfLead, curlOfLookup } from './code.js';
import { PING_NOTE, PING_PLACEHOLDER, pingGuide, unusablePing } from './ping.js';
import type { Guide, GuideField } from './types.js';
import { rulesInWords } from './words.js';
import { getOwn } from '../../lib/getOwn.js';

export interface GuideInput {
  campaign: {
    id: string;
    name: string;
    fields: readonly FieldRule[];
    filters: FilterGroup | null;
    vertical: string | null;
    routing_method: Plan['routing_method'];
  };
  /** Null: for any supplier, with placeholders. */
  supplier: { id: string; name: string } | null;
  /** Null: a placeholder. */
  apiKey: string | null;
  rateLimit: RateLimit;
  pingRateLimit: RateLimit;
  address: PublicAddress;
  tools: FieldTools;
  now: Date;
  timeZone: string;
}

/** The address that suppliers post to. */
export interface PublicAddress {
  /** Without a path. */
  url: string;
  /** Set by the operator; else the process's own address. */
  isSet: boolean;
}

const SUPPLIER_PLACEHOLDER = 'YOUR_SUPPLIER_ID';
const KEY_PLACEHOLDER = 'YOUR_SUPPLIER_API_KEY';

/**
 * The guide of one campaign: its address, fields, examples, answers and notes, made for one supplier or for any. With its
 * key the examples can be sent as they are, and are a secret.
 * @throws {Error} when a pattern of its fields does not compile, or `tools` lack what a field needs
 */
export function postingGuide(input: GuideInput): Guide {
  const { campaign, supplier, address, tools, now, timeZone } = input;
  const sample = sampleLead(campaign.fields, {
    tools,
    n: 0,
    rules: rulesToPass(campaign.filters),
    context: { now, timeZone },
  });
  const ids = {
    flo_campaign_id: campaign.id,
    flo_supplier_id: supplier?.id ?? SUPPLIER_PLACEHOLDER,
  };
  const isPinged = campaign.routing_method === 'PING_POST';
  const token: Fields = isPinged ? { flo_ping_id: PING_PLACEHOLDER } : {};
  const example: Fields = { ...ids, ...token, ...sample.fields };
  const key = input.apiKey ?? KEY_PLACEHOLDER;
  const base = address.url.replace(/\/+$/, '');
  const url = `${base}/api/v1/ingest`;
  const { fields } = campaign;
  const request = { base, key, fields, tools, ids, rateLimit: input.pingRateLimit };
  const answers = sampleAnswers({
    campaignId: campaign.id,
    sample: sample.fields,
    map: compileMapping(fields, tools),
    ...input,
  });
  return {
    campaign: { id: campaign.id, name: campaign.name, vertical: campaign.vertical },
    supplier: supplier && { id: supplier.id, name: supplier.name },
    endpoint: { method: 'POST', url, note: address.isSet ? null : NOT_SET },
    ping: isPinged ? pingGuide({ ...request, sample: sample.fields }) : null,
    headers: headersOf(key),
    fields: [
      ...controlFields(ids),
      ...(isPinged ? PING_FIELDS : []),
      ...fields.map((rule) => fieldOf(rule, sample.fields, isPinged)),
    ],
    example,
    curl: {
      test_lead: curlOfLead(url, key, { ...example, test_lead: true }),
      lead: curlOfLead(url, key, example),
      look_up: curlOfLookup(base, key, campaign.id, example),
    },
    code: {
      test_lead: codeOfLead(url, key, { ...example, test_lead: true }),
      lead: codeOfLead(url, key, example),
    },
    answers: isPinged ? [...answers, unusablePing()] : answers,
    notes: [...(isPinged ? [PING_NOTE] : []), ...notesOf(input.rateLimit, sample.without)],
    rate_limit: input.rateLimit,
  };
}

const NOT_SET =
  'This installation has no public address (settings BASE_URL and INGEST_URL): the one shown is the address that the ' +
  'service listens on, and may not be reachable from outside.';

const headersOf = (key: string): Guide['headers'] => [
  { name: 'x-api-key', value: key, required: true, meaning: 'Your key. Keep it on your server' },
  {
    name: 'content-type',
    value: 'application/json',
    required: true,
    meaning: 'Or application/x-www-form-urlencoded',
  },
  {
    name: 'idempotency-key',
    value: 'any text, up to 255 characters',
    required: false,
    meaning: 'A repeated request with the same key and body gets the first answer',
  },
];

/** A key that is not a field of the campaign. */
function control(name: string, label: string, rule: string, more: Partial<GuideField>): GuideField {
  return { name, label, type: 'String', required: true, rules: [rule], example: null, ...more };
}

const controlFields = (ids: { flo_campaign_id: string; flo_supplier_id: string }): GuideField[] => [
  control('flo_campaign_id', 'Campaign', 'always this value', { example: ids.flo_campaign_id }),
  control('flo_supplier_id', 'Supplier', 'the supplier that the key belongs to', {
    example: ids.flo_supplier_id,
  }),
  control('test_lead', 'Test lead', 'true for a test lead', {
    type: 'Boolean',
    required: false,
    example: true,
  }),
];

const PING_FIELDS: readonly GuideField[] = [
  control('flo_ping_id', 'Ping', 'the ping_id from the answer to a ping', {
    example: PING_PLACEHOLDER,
  }),
  control('flo_buyer_id', 'Buyer', 'only this buyer gets the lead: a buyer_id of the same answer', {
    required: false,
  }),
];

const fieldOf = (rule: FieldRule, sample: Fields, isPinged: boolean): GuideField => ({
  name: rule.name,
  label: rule.label ?? rule.name,
  type: rule.type,
  required: rule.required,
  rules: [
    `must be ${FIELD_TYPES[rule.type].expected}`,
    ...rulesInWords(rule),
    ...(isPinged && rule.ping_required ? ['also required in every ping'] : []),
  ],
  example: getOwn(sample, rule.name) ?? null,
});

function notesOf(limit: RateLimit, without: readonly string[]): Guide['notes'] {
  const { per_second, burst_per_second, burst_seconds } = limit;
  const notes = [
    {
      title: 'Test leads',
      text:
        'With test_lead true a lead is checked like any other, and goes only to buyers in test mode. It costs ' +
        'nothing, counts toward no cap, is never a duplicate, and is accepted while the campaign or the source is ' +
        'paused. It uses your rate limit.',
    },
    {
      title: 'Sending again',
      text:
        'With an Idempotency-Key header the same key and body get the first answer, with Idempotent-Replayed: true; ' +
        'another body under the same key is refused with 422. Keys are kept for 24 hours. Only 2xx answers and ' +
        'refusals by filters are kept: after any other answer the key is free. After a 503 send the lead again; ' +
        'after a 504 or a broken connection send it again unchanged.',
    },
    {
      title: 'Rate limit',
      text:
        `${per_second} leads a second, and up to ${burst_per_second} a second for ${burst_seconds} seconds. Beyond ` +
        'that the answer is 429 with the seconds to wait in Retry-After; the RateLimit headers say how many are left.',
    },
    {
      title: 'Values',
      text:
        'Values are text, numbers, true or false; an empty text counts as missing. Fields that are not listed here are ' +
        'passed on to the buyer as they are (at most 100). A body has at most 256 KiB.',
    },
  ];
  if (without.length === 0) return notes;
  const text = `No example could be generated for ${without.join(', ')}: fill in values that fit their rules.`;
  return [...notes, { title: 'Examples', text }];
}
