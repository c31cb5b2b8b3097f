/** Why a lead went where it went, on the wire. */
import { z } from 'zod';
import { BUYER_VERDICTS } from '../../../routing/explain/explainBuyers.js';
import { Money } from './common.js';
import { ShownStatusName, TrailStep } from './lead.js';

const Named = (what: string) =>
  z.object({ id: z.string().describe(`The ${what}`), name: z.string().describe('Its name') });

export const ExplanationView = z.object({
  lead_id: z.string().describe('The lead'),
  status: ShownStatusName,
  summary: z.string().describe('What became of it and why, in a few sentences'),
  campaign: Named('campaign')
    .extend({
      version: z.number().int().describe('The version of the campaign that decides it'),
    })
    .describe('The campaign, and the version of it that decides'),
  supplier: Named('supplier')
    .extend({
      name: z.string().nullable().describe('Its name; null: it was deleted'),
    })
    .describe('Who sent the lead'),
  money: z
    .object({
      currency: z.string().describe('Of the account'),
      revenue: Money.describe('What all buyers pay'),
      cost: Money.describe('What the supplier gets'),
      profit: Money.describe('revenue less cost'),
    })
    .describe('What it brought and cost'),
  duplicate_of: z.string().nullable().describe('The earlier lead of the same person'),
  steps: z
    .array(
      TrailStep.extend({
        buyer_name: z.string().nullable().describe('Name of the buyer it is about'),
        text: z.string().describe('The step in one sentence'),
      }),
    )
    .describe('Its trail, in order; with buyer_id without what is about other buyers'),
  steps_dropped: z.number().int().describe('Steps left out in the middle of a very long trail'),
  buyers: z
    .array(
      z.object({
        buyer_id: z.string().describe('The buyer'),
        name: z.string().describe('Its name when the lead came'),
        verdict: z
          .enum(BUYER_VERDICTS)
          .describe(
            'refused: it said no. unavailable: it could not be reached in time. unanswered: it may have the lead. ' +
              'passed_over: it could not get this lead, or had no room. not_asked: its turn never came. undecided: it may ' +
              'still come. not_linked: it was no buyer of the campaign then',
          ),
        reason: z
          .string()
          .nullable()
          .describe("Why: a code, or a buyer's own words; null where the verdict says it all"),
        detail: z
          .looseObject({})
          .nullable()
          .describe("The values that were compared; money in the account's currency"),
        text: z.string().describe('The same in one sentence'),
      }),
    )
    .describe(
      'Every buyer of the campaign as it was, those that have the lead first; with buyer_id this one',
    ),
});
