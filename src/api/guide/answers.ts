/** The service's answers to a lead, by status, with real bodies. */
import type { Fields } from '../../fields/values.js';
import type { LeadMapper } from '../../fields/mapping.js';
import type { FieldError } from '../../lib/errors.js';
import type { RateLimit } from '../../platform/rateLimits/store/rateDoc.js';
import type { SampleAnswer } from './types.js';

interface AnswersInput {
  campaignId: string;
  sample: Fields;
  map: LeadMapper;
  rateLimit: RateLimit;
}

const LEAD = '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10';
const EARLIER = '7b0a1c9e-3f52-4f0d-8a86-5a2c7c1d9e44';
const BUYER = '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7';
const REQUEST = '0d9c8b7a-6f5e-4d3c-8b2a-190807060504';

export function sampleAnswers({
  campaignId: campaign_id,
  sample,
  map,
  rateLimit,
}: AnswersInput): SampleAnswer[] {
  const lead = (status: number, code: string, when: string, more?: object): SampleAnswer => ({
    status,
    code,
    when,
    body: { data: { id: LEAD, status: code, buyer_id: null, campaign_id, ...more } },
  });
  return [
    lead(201, 'ACCEPTED', 'A buyer bought the lead.', { buyer_id: BUYER, delivery: 'delivered' }),
    lead(
      201,
      'ACCEPTED',
      'The lead is accepted, and a buyer still has to confirm it; look it up later.',
      { delivery: 'pending' },
    ),
    lead(200, 'UNMATCHED', 'The lead is valid, and no buyer wants it.'),
    lead(200, 'DUPLICATE', 'The campaign already has a lead of this person.', {
      duplicate_of: EARLIER,
    }),
    faulty(faultsOf(sample, map)),
    refusal(401, 'unauthorized', {
      when: 'The key is missing, mistyped or no longer valid.',
      message: 'The x-api-key header is missing or not a valid supplier key.',
    }),
    refusal(403, 'campaign_paused', {
      when: 'The campaign, or the source, is paused, or its cap is reached.',
      message:
        'The campaign does not accept leads now: it is not ACTIVE. Test leads are still accepted.',
    }),
    refusal(422, 'filtered', {
      when: 'The campaign does not accept such leads; each rule that failed is listed.',
      message: 'The lead did not pass the filters of the campaign',
      filter_errors: [
        {
          filter_id: 'f1',
          field: 'state',
          operator: 'IN',
          value: ['CA', 'TX'],
          actual: 'NY',
          message: 'state must be one of: CA, TX',
        },
      ],
      lead_id: LEAD,
    }),
    tooMany('lead', rateLimit),
    refusal(503, 'unavailable', {
      when: 'The lead was not accepted and will not be sold. Send it again.',
      message: 'The service cannot accept leads now. Send the lead again.',
      retry_after: 2,
    }),
    refusal(504, 'outcome_unknown', {
      when: 'The result is unknown. Send the lead again, unchanged.',
      message:
        'The result is unknown. Send the lead again, unchanged, in 10 s: if it was accepted, you get its answer.',
      retry_after: 10,
    }),
  ];
}

export const refusal = (
  status: number,
  error: string,
  { when, message, ...more }: { when: string; message: string } & Record<string, unknown>,
): SampleAnswer => ({
  status,
  code: error,
  when,
  body: { error, message, request_id: REQUEST, ...more },
});

/** Where `field_errors` have the faults of a lead or a ping. */
export const faulty = (
  field_errors: readonly FieldError[],
  when = 'Fields are missing or wrong; all of them are listed.',
): SampleAnswer =>
  refusal(400, 'validation_failed', {
    when,
    message: 'One or more fields failed validation',
    field_errors,
  });

export const tooMany = (
  what: 'lead' | 'ping',
  { per_second, burst_per_second, burst_seconds }: RateLimit,
): SampleAnswer =>
  refusal(429, 'rate_limited', {
    when: `Too many ${what}s at once. Wait for retry_after seconds.`,
    message:
      `More than ${per_second} ${what}s a second (bursts of ${burst_per_second} for ${burst_seconds} s). ` +
      'Send this one again in 1 s.',
    retry_after: 1,
  });

/** The faults that the campaign's own mapping finds in a lead without an email and with half a phone. */
function faultsOf(sample: Fields, map: LeadMapper) {
  const mapped = map({ ...sample, email: '', phone: '555' });
  return mapped.ok ? [] : mapped.errors;
}
