/** Leads that were sold after they waited, as an operator finds them in the Temporal UI. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type proto from '@temporalio/proto';
import { destinationId } from '../../src/platform/temporal/names.js';
import { startTestbed, type Testbed } from '../support/testbed.js';
import { waitFor } from '../support/waitFor.js';

type History = proto.temporal.api.history.v1.IHistory;

let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed();
});
afterAll(() => bed.stop());

interface Run {
  workflowId: string;
  runId: string;
  startTime: Date;
}

async function find(query: string): Promise<Run[]> {
  const runs: Run[] = [];
  for await (const { workflowId, runId, startTime } of bed.service.deps.client.workflow.list({
    query,
  }))
    runs.push({ workflowId, runId, startTime });
  return runs;
}

/** The static summary that a workflow was started with. */
const summaryOf = ({ events }: History): unknown =>
  JSON.parse(Buffer.from(events?.[0]?.userMetadata?.summary?.data ?? []).toString() || 'null');

describe('a lead that was sold after it waited', () => {
  it('is found at the drain of the buyer that bought it, which names the buyer, however many there were', async () => {
    let isDown = true;
    const market = await bed.market({
      buyers: {
        only: {
          answer: () =>
            isDown ? { status: 503, headers: { 'retry-after': '1' } } : { status: 200 },
        },
      },
    });
    // More than one run of the drain may list.
    const answers = await Promise.all(Array.from({ length: 60 }, () => market.post()));
    const early = (await market.leads()).filter(({ status }) => status === 'ACCEPTED');
    expect(early).toEqual([]);
    const ids = answers.map(({ data }) => data?.id ?? '');
    isDown = false;
    await waitFor(async () => (await market.leads()).every(({ status }) => status === 'ACCEPTED'), {
      message: 'all are sold',
      timeoutMs: 60_000,
    });
    const buyerId = market.account.buyers.only ?? '';
    const drains = new Set<string>();
    for (const id of ids) {
      const [run] = await waitFor(
        async () => {
          const runs = await find(`LeadId = "${id}" AND WorkflowType = "destination"`);
          return runs.length > 0 ? runs : null;
        },
        { message: `${id} is found` },
      );
      expect(run?.workflowId).toBe(destinationId(buyerId));
      drains.add(run?.runId ?? '');
    }
    expect(drains.size).toBeGreaterThan(1);

    const handle = bed.service.deps.client.workflow.getHandle(destinationId(buyerId));
    const result = (await handle.result()) as { sent: number; sold: number };
    expect(result).toMatchObject({ buyer_id: buyerId });
    expect(result.sold).toBeGreaterThan(0);
    expect(result.sold).toBeLessThanOrEqual(ids.length);
    const { memo } = await handle.describe();
    const { name } = (await bed.collections.buyers.findOne({ _id: buyerId })) ?? {};
    expect(memo).toEqual({ name });
    const runs = await find(`WorkflowId = "${destinationId(buyerId)}"`);
    const [first] = runs.toSorted((a, b) => Number(a.startTime) - Number(b.startTime));
    const { workflow } = bed.service.deps.client;
    const history = await workflow.getHandle(destinationId(buyerId), first?.runId).fetchHistory();
    expect(summaryOf(history)).toBe(`Leads waiting for ${name}`);
  }, 120_000);

  it('has an intake whose result says what became of the group', async () => {
    const market = await bed.market({ buyers: { only: { answer: () => ({ status: 422 }) } } });
    const { data } = await market.post();
    const query = `LeadId = "${data?.id}" AND WorkflowType = "intake"`;
    const [run] = await waitFor(async () => {
      const runs = await find(query);
      return runs.length > 0 ? runs : null;
    });
    const handle = bed.service.deps.client.workflow.getHandle(run?.workflowId ?? '');
    expect(await handle.result()).toEqual({ leads: 1, verdicts: { UNMATCHED: 1 } });
  });
});
