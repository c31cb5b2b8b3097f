import { z } from 'zod';

/** One failed inbound filter, as the supplier sees it (contract 1.3). */
export const FilterFailure = z.object({
  filter_id: z.string().describe('The id of the rule; `suppression` for a suppression list'),
  field: z.string().describe('The field of the lead that the rule checks'),
  operator: z.string().describe('The operator of the rule'),
  value: z.unknown().describe('The value of the rule'),
  actual: z.union([z.string(), z.number(), z.boolean()]).optional().describe("The lead's value"),
  message: z.string().describe('A sentence, or the reason of the rule'),
});
export type FilterFailure = z.output<typeof FilterFailure>;
