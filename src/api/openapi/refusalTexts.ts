/** The meaning of each refusal, with an example. */
import type { z } from 'zod';
import type { ErrorCode } from '../../lib/errors.js';
import type { ErrorBody } from '../schemas/error.js';

/** An example of its body, except for `error` and `request_id`. */
interface RefusalText extends Omit<z.input<typeof ErrorBody>, 'error' | 'request_id'> {
  /** The condition; a sentence. */
  when: string;
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
    message: 'One or more fields failed validation',
    field_errors: [PHONE_FAULT],
  },
  malformed_body: {
    when: 'The body is no JSON object, or did not arrive whole.',
    message: 'The body must be one JSON object; it is an array.',
  },
  malformed_request: {
    when: 'The HTTP request is not valid: its target is not a URL, or the Host header is missing.',
    message: 'The Host header is missing; HTTP/1.1 requires it.',
  },
  invalid_idempotency_key: {
    when: 'Idempotency-Key is empty or too long.',
    message: 'Idempotency-Key must have 1 to 255 characters',
  },
  record_not_found: {
    when: 'The organization has no record with one of the ids given.',
    message: `There is no campaign ${CAMPAIGN}.`,
  },
  version_conflict: {
    when: 'The record has since been changed: read it again.',
    message: 'The campaign has version 7, not 6: it has since been changed. Read it again.',
  },
  action_refused: {
    when: 'The current state does not allow it; the message says what to do.',
    message: `Buyer ${LEAD} is already linked to this campaign.`,
  },
  unauthorized: {
    when: 'The key is missing, unknown, revoked or expired.',
    message: 'This key does not exist, or was revoked.',
  },
  forbidden: {
    when: 'The key may not do this; for an action, `required` names the missing permission.',
    message: 'create_campaign needs the permission campaigns:write, which this key does not have.',
    required: 'campaigns:write',
  },
  source_paused: {
    when: 'The supplier, or its link to the campaign, is paused. Test leads pass.',
    message: 'This source is paused. Test leads are still accepted.',
  },
  campaign_paused: {
    when: 'The campaign is not ACTIVE. Test leads pass.',
    message:
      'The campaign does not accept leads now: it is not ACTIVE. Test leads are still accepted.',
  },
  supplier_capped: {
    when: "A limit of the supplier's link is full.",
    message: 'This source has reached its cap on the campaign for now.',
  },
  not_found: {
    when: 'The resource does not exist.',
    message: 'You have not sent such a lead.',
  },
  action_not_found: {
    when: 'There is no action of this name; the message names the nearest.',
    message:
      'There is no action get_campain. Did you mean get_campaign? GET /api/v1/actions lists all.',
  },
  campaign_not_found: {
    when: 'There is no campaign with this id.',
    message: `There is no campaign ${CAMPAIGN}. Use the id shown with the campaign.`,
  },
  method_not_allowed: {
    when: 'The path exists, but not for this method; `Allow` lists the methods.',
    message: 'PUT is not allowed here; use POST.',
  },
  request_timeout: {
    when: 'The request did not arrive whole within 10 seconds.',
    message: 'The request did not arrive in time.',
  },
  body_too_large: {
    when: 'The body, as sent or inflated, is over its limit: 256 KiB unless the operation states another.',
    message: 'The body is over the limit of 256 KiB.',
  },
  unsupported_media_type: {
    when: 'The Content-Type, its charset or the Content-Encoding is not supported.',
    message:
      'This Content-Type is not supported; use application/json or application/x-www-form-urlencoded.',
  },
  filtered: {
    when: 'The lead fails filters of the campaign, or is on a suppression list. It is stored, and not sold.',
    message: 'The lead did not pass the filters of the campaign',
    filter_errors: [FILTER_FAULT],
    lead_id: LEAD,
  },
  invalid_input: {
    when: 'The input does not fit its schema, or breaks a rule of the account; `details` lists every problem.',
    message: 'stauts is not a key of this input. Did you mean status?',
    details: [
      {
        path: 'stauts',
        code: 'not_allowed',
        message: 'stauts is not a key of this input. Did you mean status?',
      },
    ],
  },
  conflict: {
    when: 'The same name or key was used before for a different request; the message has the details.',
    message: 'This idempotency_key was used with another body. Use a new key.',
  },
  ambiguous: {
    when: 'The request matches more than one lead; send the lead_id of the one you mean.',
    message: '2 of your leads in this campaign have this phone. Send lead_id instead.',
  },
  idempotency_key_reused: {
    when: 'The Idempotency-Key was used with another body.',
    message: 'This Idempotency-Key was used with another body. Use a new key for a new lead.',
  },
  rate_limited: {
    when: 'Too many requests with this key, or from this address without a valid key; wait `retry_after` seconds.',
    message: 'This key made more than 120 calls in a minute. Call again in 12 s.',
    retry_after: 12,
  },
  headers_too_large: {
    when: 'The headers are over 16 KiB.',
    message: 'The headers are over the limit of 16 KiB.',
  },
  internal: {
    when: 'Something failed on our side; it is logged under the request_id.',
    message: 'Something failed on our side; it is logged under this request_id.',
  },
  unavailable: {
    when: 'Nothing was done; the call may be repeated after `retry_after` seconds.',
    message:
      'The account cannot be reached now: the database (MongoDB) does not answer. Call again.',
    retry_after: 2,
  },
  outcome_unknown: {
    when: 'The result is unknown.',
    message: 'The result is unknown. Check the current state before you call again.',
    retry_after: 5,
  },
};
