/** What each refusal means, and one as a caller sees it. */
import type { z } from 'zod';
import type { ErrorCode } from '../../lib/errors.js';
import type { ErrorBody } from '../schemas/error.js';

interface RefusalText {
  /** When it is given; a sentence. */
  when: string;
  /** The body beside `error` and `request_id`. */
  example: Omit<z.input<typeof ErrorBody>, 'error' | 'request_id'>;
}

const LEAD = '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10';
const CAMPAIGN = '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11';

const PHONE_FAULT = {
  field: 'phone',
  code: 'invalid_format',
  message: 'phone must be a phone number of 10-15 digits',
} as const;
const FILTER_FAULT = {
  filter_id: 'f1',
  field: 'state',
  operator: 'IN',
  value: ['CA', 'TX'],
  actual: 'NY',
  message: 'state must be one of CA, TX',
};

export const REFUSAL_TEXTS: Record<ErrorCode, RefusalText> = {
  validation_failed: {
    when: 'Values are missing or wrong; `field_errors` has every one.',
    example: { message: 'One or more fields failed validation', field_errors: [PHONE_FAULT] },
  },
  malformed_body: {
    when: 'The body is no JSON object, or did not arrive whole.',
    example: { message: 'The body must be one JSON object; it is an array.' },
  },
  malformed_request: {
    when: 'This is no proper HTTP request: its target is no URL, or the Host header is missing.',
    example: { message: 'The Host header is missing; HTTP/1.1 requires it.' },
  },
  invalid_idempotency_key: {
    when: 'Idempotency-Key is empty or too long.',
    example: { message: 'Idempotency-Key must have 1 to 255 characters' },
  },
  record_not_found: {
    when: 'The organisation has no record with an id that was given.',
    example: { message: `There is no campaign ${CAMPAIGN}.` },
  },
  version_conflict: {
    when: 'Somebody else has changed the record since: read it again.',
    example: {
      message: 'The campaign has version 7, not 6: somebody changed it. Look at it again.',
    },
  },
  action_refused: {
    when: 'What is there stands against it; the message says what to do.',
    example: { message: `Buyer ${LEAD} is linked to this campaign already.` },
  },
  unauthorized: {
    when: 'The key is missing, is not known, or was revoked.',
    example: { message: 'This key does not exist, or was revoked.' },
  },
  forbidden: {
    when: 'The key may not do this; of an action, `required` names the permission it lacks.',
    example: {
      message:
        'create_campaign needs the permission campaigns:write, which this key does not have.',
      required: 'campaigns:write',
    },
  },
  source_paused: {
    when: 'The supplier, or its link to the campaign, is paused. Test leads pass.',
    example: { message: 'This source is paused. Test leads still go through.' },
  },
  campaign_paused: {
    when: 'The campaign is not ACTIVE. Test leads pass.',
    example: {
      message: 'The campaign takes no leads now: it is not ACTIVE. Test leads still go through.',
    },
  },
  supplier_capped: {
    when: "A limit of the supplier's link is full.",
    example: { message: 'This source has reached its cap on the campaign for now.' },
  },
  not_found: {
    when: 'There is no such thing.',
    example: { message: 'You have sent no such lead.' },
  },
  action_not_found: {
    when: 'There is no action of this name; the message names the nearest.',
    example: {
      message:
        'There is no action get_campain. Did you mean get_campaign? GET /api/v1/actions lists all.',
    },
  },
  campaign_not_found: {
    when: 'There is no campaign with this id.',
    example: { message: `There is no campaign ${CAMPAIGN}. Use the id shown with the campaign.` },
  },
  method_not_allowed: {
    when: 'The path is right, the method is not; `Allow` names those that are.',
    example: { message: 'PUT is not allowed here; use POST.' },
  },
  request_timeout: {
    when: 'The request did not arrive whole within 10 seconds.',
    example: { message: 'The request did not arrive in time.' },
  },
  body_too_large: {
    when: 'The body is over 256 KiB, as sent or inflated.',
    example: { message: 'The body is over the limit of 256 KiB.' },
  },
  unsupported_media_type: {
    when: 'The Content-Type, its charset or the Content-Encoding is none that is read here.',
    example: {
      message:
        'This Content-Type is not supported; use application/json or application/x-www-form-urlencoded.',
    },
  },
  filtered: {
    when: 'The lead fails filters of the campaign, or is on a suppression list. It is kept, and not sold.',
    example: {
      message: 'The lead did not pass the filters of the campaign',
      filter_errors: [FILTER_FAULT],
      lead_id: LEAD,
    },
  },
  invalid_input: {
    when: 'The input does not fit its schema, or breaks a rule of the account; `details` has every fault.',
    example: {
      message: 'stauts is no key of this input. Did you mean status?',
      details: [
        {
          path: 'stauts',
          code: 'not_allowed',
          message: 'stauts is no key of this input. Did you mean status?',
        },
      ],
    },
  },
  conflict: {
    when: 'Something else was asked for under the same name before; the message says what.',
    example: { message: 'This idempotency_key was used with another body. Use a new key.' },
  },
  ambiguous: {
    when: 'What was sent fits more than one lead; name the one that is meant by its lead_id.',
    example: { message: '2 of your leads in this campaign have this phone. Send lead_id instead.' },
  },
  idempotency_key_reused: {
    when: 'The Idempotency-Key was used with another body.',
    example: {
      message: 'This Idempotency-Key was used with another body. Use a new key for a new lead.',
    },
  },
  rate_limited: {
    when: 'Too many requests with this key, or without a valid one from this address; wait `retry_after` seconds.',
    example: {
      message: 'More than 120 calls in a minute with this key. Call again in 12 s.',
      retry_after: 12,
    },
  },
  headers_too_large: {
    when: 'The headers are over 16 KiB.',
    example: { message: 'The headers are over the limit of 16 KiB.' },
  },
  internal: {
    when: 'Something failed on our side; it is logged under the request_id.',
    example: { message: 'Something failed on our side; it is logged under this request_id.' },
  },
  unavailable: {
    when: 'It was not done, and may be tried again after `retry_after` seconds.',
    example: { message: 'The account cannot be reached now. Call again.', retry_after: 2 },
  },
  outcome_unknown: {
    when: 'Whether it was done cannot be told now.',
    example: {
      message:
        'Whether it was done cannot be told now. Look at what there is before you call again.',
      retry_after: 5,
    },
  },
};
