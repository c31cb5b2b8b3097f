/** The body of every refusal (contract 1.3). */
import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode } from '../../lib/errors.js';
import { FilterFailure } from '../../lib/filterFailure.js';

const codes = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

const FieldCode = z.enum([
  'required',
  'invalid_format',
  'invalid_type',
  'not_allowed',
  'too_long',
  'out_of_range',
  'invalid',
  'expired',
  'mismatch',
  'already_used',
]);

const fault = {
  code: FieldCode.describe('The rule that is broken'),
  message: z.string().describe('What is wrong, and what is expected'),
};
const FieldFault = z.object({ field: z.string().describe('The key of the lead'), ...fault });

const InputFault = z.object({
  path: z
    .string()
    .describe('The path of the value, such as `fields.0.name`; empty for the whole input'),
  ...fault,
});

export const ErrorBody = z.object({
  error: z.enum(codes).describe('A stable code, for programs'),
  message: z.string().describe('For people; its wording may change'),
  request_id: z.string().describe('The same as the x-request-id header'),
  field_errors: z.array(FieldFault).optional().describe('400: every field that is wrong'),
  filter_errors: z.array(FilterFailure).optional().describe('422: every rule the lead failed'),
  details: z.array(InputFault).optional().describe('422 of an action: every problem of its input'),
  required: z.string().optional().describe('403 of an action: the permission that the key lacks'),
  retry_after: z.number().int().optional().describe('429 and 503: seconds until a retry'),
  lead_id: z.string().optional().describe('The refused lead was kept under this id'),
});

/** The same, as the organization's endpoints return it (contract 1.3). */
export const ActionErrorBody = z.object({
  success: z.literal(false).describe('Always false'),
  ...ErrorBody.shape,
});
