/** The explanation of a decision on the wire. */
import { z } from 'zod';
import { BUYER_VERDICTS } from '../../../routing/explain/explainBuyers.js';
import { MENDS } from '../../../routing/explain/shortReasons.js';
import { Money, named, namedOnce, orNull } from './common.js';
import { ShownStatusName, TrailStep } from './lead.js';

export const ExplanationView = z.object({
  lead_id: z.string().describe('The lead'),
  status: ShownStatusName,
  headline: z.string().describe('The same in one sentence, without data of the person'),
  summary: z.string().describe('The result and the reasons, in a few sentences'),
  campaign: named('campaign')
    .extend({ version: z.number().int().describe('The version that decides the lead') })
    .describe('The campaign, and its version that decides the lead'),
  supplier: namedOnce('supplier').describe('The supplier that sent the lead'),
  money: z
    .object({
      currency: z.string().describe('The currency of the account'),
      revenue: Money.describe('The amount that all buyers pay'),
      cost: Money.describe('The amount that the supplier gets'),
      profit: Money.describe('revenue less cost'),
    })
    .describe('The revenue and the cost of the lead'),
  duplicate_of: orNull(z.string()).describe('The earlier lead of the same person'),
  steps: z
    .array(
      TrailStep.extend({
        buyer_name: orNull(z.string()).describe('Name of the buyer it is about'),
        text: z.string().describe('The step in one sentence'),
      }),
    )
    .describe('Its trail, in order; with buyer_id, without the steps of other buyers'),
  steps_dropped: z
    .number()
    .int()
    .describe('Number of steps omitted in the middle of a very long trail'),
  buyers: z
    .array(
      z.object({
        buyer_id: z.string().describe('The buyer'),
        name: z.string().describe('Its name when the lead was received'),
        verdict: z
          .enum(BUYER_VERDICTS)
          .describe(
            'refused: it refused the lead. unavailable: it could not be reached in time. unanswered: it may have the ' +
              'lead. passed_over: it was not eligible for this lead, or a cap was full. not_asked: the lead ended ' +
              'before its turn. undecided: the lead may still be sent to it. not_linked: it was not linked to the campaign then',
          ),
        reason: z
          .string()
          .nullable()
          .describe("Why: a code, or a buyer's own words; null when the verdict is sufficient"),
        detail: z
          .looseObject({})
          .nullable()
          .describe("The values that were compared; money in the account's currency"),
        text: z.string().describe('The verdict in one sentence'),
        short: z.string().describe('The same in a few words, without data of the person'),
      }),
    )
    .describe(
      'Every buyer of the campaign at that version, those that have the lead first; with buyer_id, only this one',
    ),
  mends: z
    .array(
      z.object({
        mend: z.enum(MENDS).describe('What to change'),
        text: z.string().describe('The same in words'),
        buyer_id: orNull(z.string()).describe('The buyer whose terms or delivery it is'),
        delivery_id: orNull(z.string()).describe('The delivery to send or to resolve'),
        setting: orNull(z.string()).describe(
          'The limit that is full, such as daily_cap; of what is paused: buyer or link',
        ),
      }),
    )
    .describe('What would get such a lead sold, as things are now; empty: nothing is known'),
});
