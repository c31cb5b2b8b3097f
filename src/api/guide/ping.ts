/** How a supplier asks for bids before it posts: the part of a guide for ping-post campaigns. */
import type { FieldTools } from '../../fields/fieldReader.js';
import type { Fields } from '../../fields/values.js';
import { compilePingMapping } from '../../pings/rules/pingFields.js';
import { pingFaults } from '../../pings/rules/redeeming.js';
import type { FieldRule } from '../../fields/fieldRule.js';
import { IDENTITY_FIELDS } from '../../fields/systemFields.js';
import type { RateLimit } from '../../platform/rateLimits/store/rateDoc.js';
import { faulty, refusal, tooMany } from './answers.js';
import { codeOfLead, curlOfLead } from './code.js';
import type { PingGuide, SampleAnswer } from './types.js';

interface PingGuideInput {
  /** Without a path. */
  base: string;
  key: string;
  fields: readonly FieldRule[];
  tools: FieldTools;
  /** Of the campaign and the supplier. */
  ids: Fields;
  /** A whole lead. */
  sample: Fields;
  rateLimit: RateLimit;
}

export function pingGuide(input: PingGuideInput): PingGuide {
  const { base, key, fields, ids, sample, rateLimit } = input;
  const required = fields.filter((rule) => rule.ping_required).map(({ name }) => name);
  // A ping does not identify the person before a buyer buys the lead, unless the campaign requires it.
  const shown = Object.entries(sample).filter(
    ([name]) => required.includes(name) || !IDENTITY_FIELDS.includes(name),
  );
  const example: Fields = { ...ids, ...Object.fromEntries(shown) };
  const url = `${base}/api/v1/ping`;
  return {
    endpoint: { method: 'POST', url },
    required,
    example,
    curl: {
      test_ping: curlOfLead(url, key, { ...example, test_lead: true }),
      ping: curlOfLead(url, key, example),
    },
    code: {
      test_ping: codeOfLead(url, key, { ...example, test_lead: true }),
      ping: codeOfLead(url, key, example),
    },
    answers: answersTo(input),
    rate_limit: rateLimit,
  };
}

/** Stands for the token in the answer to a ping. */
export const PING_PLACEHOLDER = 'YOUR_PING_ID';

const EXPIRY = new Date('2026-01-01T12:30:00Z');
const FIRST = '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7';
const SECOND = '0a8f9c52-4d4e-4c55-9c5e-6a1a0e3f7b21';

function answersTo({ fields, tools, rateLimit }: PingGuideInput): SampleAnswer[] {
  const empty = compilePingMapping(fields, tools)({});
  const accepted: SampleAnswer = {
    status: 200,
    code: 'accepted',
    when: 'Buyers bid, best first. Post the lead with this ping_id before it expires.',
    body: {
      accepted: true,
      ping_id: PING_PLACEHOLDER,
      message: '2 buyers bid. Post the lead with this ping_id as flo_ping_id before it expires.',
      expires_at: EXPIRY.toISOString(),
      buyers: [
        { buyer_id: FIRST, bid_price: 21.25 },
        { buyer_id: SECOND, bid_price: 17.5 },
      ],
    },
  };
  const refused: SampleAnswer = {
    status: 200,
    code: 'no_buyer',
    when:
      'No buyer bids. reason says why: filtered, suppressed, duplicate, no_buyer, paused or capped. Do not post the ' +
      'lead.',
    body: {
      accepted: false,
      reason: 'no_buyer',
      message: 'No buyer bids for such a lead now.',
    },
  };
  return [
    accepted,
    refused,
    ...(empty.ok ? [] : [faulty(empty.errors)]),
    tooMany('ping', rateLimit),
    refusal(503, 'unavailable', {
      when: 'The ping could not be answered in time. Send it again.',
      message: 'The service cannot accept pings now. Send the ping again.',
      retry_after: 2,
    }),
  ];
}

/** The refusal of a lead whose ping cannot be redeemed, in addition to those of any lead. */
export const unusablePing = (): SampleAnswer =>
  faulty(
    [pingFaults.expired(EXPIRY)],
    'The ping cannot be used; code is required, invalid, expired, mismatch or already_used. Ping again.',
  );

export const PING_NOTE = {
  title: 'Ping, then post',
  text:
    "First request bids, without the person's identity; then post the whole lead with the ping_id as flo_ping_id " +
    'before expires_at. The prices and their order hold until then, and each ping is valid for one lead. The lead ' +
    'must have the same values as its ping. With flo_buyer_id, one of the buyer_ids of the answer, only that buyer ' +
    'is offered the lead. Pings are refused with 401, 403 and 404 as leads are.',
};
