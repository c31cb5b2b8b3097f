import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Deps } from '../../src/app/deps.js';
import { failFirst, waitUntilCompleted } from '../support/firstTasks.js';
import { waitFor } from '../support/waitFor.js';
import { startTestbed, type Testbed } from '../support/testbed.js';

type Take = Deps['localRuns']['take'];

const LEADS = 20;

const FIRST_TASKS: { title: string; take: Take }[] = [
  // As if another process had the task, or this one no longer knew that it decides the group already.
  { title: 'runs the group once more', take: () => undefined },
  { title: 'fails', take: failFirst() },
];

describe.each(FIRST_TASKS)(
  "a group is decided in the process that stored it, and its workflow's first task $title",
  ({ take }) => {
    let testbed: Testbed;
    beforeAll(async () => {
      testbed = await startTestbed({
        role: 'intake',
        alter: (deps) => ({ ...deps, localRuns: { ...deps.localRuns, take } }),
      });
    });
    afterAll(() => testbed.stop());

    it('answers what is stored, sends each lead once, and ends the workflow', async () => {
      const market = await testbed.market();
      const answers = await Promise.all(Array.from({ length: LEADS }, () => market.post()));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      // A busy machine may be slower than the soft limit.
      for (const { data } of answers) {
        const { delivery, buyer_id } = data ?? {};
        expect(buyer_id).toBe(delivery === 'pending' ? null : market.account.buyers.only);
      }
      const sold = async () => (await market.leads()).filter(({ status }) => status === 'ACCEPTED');
      await waitFor(async () => (await sold()).length === LEADS, {
        message: 'each lead is sold',
        timeoutMs: 20_000,
      });
      expect((await sold()).map(({ _id }) => _id).sort()).toEqual(
        answers.map(({ id }) => id).sort(),
      );
      expect(market.sentTo('only')).toHaveLength(LEADS);
      const own = `WorkflowType = 'intake' AND CampaignId = '${market.account.campaignId}'`;
      await waitUntilCompleted(testbed.service.deps.client, own);
    });
  },
);
