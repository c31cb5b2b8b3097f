import { z } from 'zod';

/** One failed inbound filter, as the supplier is told (contract 1.3). */
export const FilterFailure = z.object({
  filter_id: z.string().describe('The id of the rule; `suppression` for a suppression list'),
  field: z.string().describe('The key of the lead that it looks at'),
  operator: z.string().describe('How it compares'),
  value: z.unknown().describe('What the rule compares with'),
  actual: z.union([z.string(), z.number(), z.boolean()]).optional().describe("The lead's value"),
  message: z.string().describe('A sentence, or the reason that the rule gives'),
});
export type FilterFailure = z.output<typeof FilterFailure>;
