/** A supplier's posting guide on the wire. */
import { z } from 'zod';

const Named = z.object({ id: z.string(), name: z.string() });
const Scalar = z.union([z.string(), z.number(), z.boolean()]);

export const GuideView = z.object({
  campaign: Named,
  supplier: Named.nullable(),
  endpoint: z.object({
    method: z.literal('POST'),
    url: z.string(),
    note: z.string().nullable().describe('Said where the address is not set by the operator'),
  }),
  headers: z.array(
    z.object({
      name: z.string(),
      value: z.string(),
      required: z.boolean(),
      meaning: z.string(),
    }),
  ),
  fields: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      type: z.string(),
      required: z.boolean(),
      rules: z.array(z.string()).describe('In words'),
      example: Scalar.nullable().describe('A value that is taken; null: none could be made up'),
    }),
  ),
  example: z.record(z.string(), Scalar).describe('A lead that is taken'),
  curl: z.object({
    test_lead: z.string(),
    lead: z.string(),
    look_up: z.string(),
  }),
  answers: z.array(
    z.object({
      status: z.number().int(),
      code: z.string(),
      when: z.string(),
      body: z.looseObject({}),
    }),
  ),
  notes: z.array(z.object({ title: z.string(), text: z.string() })),
  rate_limit: z.object({
    per_second: z.number(),
    burst_per_second: z.number(),
    burst_seconds: z.number(),
  }),
});
