import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createActivities } from '../../../activities/index.js';
import { startTestbed, type Testbed } from '../../support/testbed.js';
import { waitFor } from '../../support/waitFor.js';
import { buyerOf, operatorOf, patiently, postUntil, type Operator } from './operatorFixture.js';

/** Nothing becomes due by itself during a test. */
const AWAY = { status: 503, headers: { 'retry-after': '600' } };

describe("an operator's command", () => {
  let testbed: Testbed;
  let operator: Operator;
  beforeAll(async () => {
    testbed = await startTestbed();
    operator = operatorOf(testbed);
  });
  afterAll(() => testbed.stop());

  it('has one answer under its id, and the id is no other command', async () => {
    const market = await testbed.market({ buyers: { only: { answer: () => AWAY } } });
    await postUntil(market, 'parked');
    const buyer_id = buyerOf(market, 'only');
    const id = `drop-${buyer_id}`;
    const first = await operator.drop({ buyer_id, id });
    await postUntil(market, 'parked');
    expect(await operator.drop({ buyer_id, id })).toEqual(first);
    expect(first).toMatchObject({ id, rows: 1 });
    await expect(operator.retry({ buyer_id, id })).rejects.toMatchObject({ code: 'id_reused' });
    await operator.drop({ buyer_id });
  });

  it.each([
    [{}, 'invalid', 'lead_id is required for one lead, or buyer_id for all that wait for a buyer.'],
    [{ buyer_id: 'nobody' }, 'not_found', 'There is no buyer nobody.'],
    [{ lead_id: 'none' }, 'not_found', 'There is no lead none.'],
    [
      { buyer_id: 'b', by: 'x'.repeat(201) },
      'invalid',
      'by must be a text of 1 to 200 characters, or absent.',
    ],
    [
      { buyer_id: 'b', note: ' ' },
      'invalid',
      'note must be a text of 1 to 200 characters, or absent.',
    ],
  ])('is refused for %j', async (input, code, message) => {
    await expect(operator.retry(input)).rejects.toMatchObject({ code, message });
  });

  it('continues when its caller no longer waits, and its id returns the answer', async () => {
    const market = await testbed.market({ buyers: { only: { answer: () => AWAY } } });
    const lead_id = await postUntil(market, 'parked');
    const buyer_id = buyerOf(market, 'only');
    const asked = { buyer_id, id: `hold-${buyer_id}` };
    await expect(operatorOf(testbed, 1).hold(asked)).rejects.toMatchObject({
      name: 'CommandUnanswered',
      id: asked.id,
      message: expect.stringContaining(`Send it again with the id ${asked.id}`),
    });
    expect(await operator.hold(asked)).toMatchObject({ id: asked.id, rows: 1 });
    expect(await market.rows(lead_id)).toMatchObject([{ state: 'parked' }]);
  });

  it.each(['retry', 'hold', 'drop'] as const)(
    'does nothing a second time when a call of %s dies before it has recorded its result',
    async (action) => {
      const market = await testbed.market({ buyers: { only: { answer: () => AWAY } } });
      const lead_id = await postUntil(market, 'parked');
      const { id, buyer_id } = await patiently(() => operator[action]({ lead_id }));
      const { commands } = testbed.collections;
      const again = async () => {
        await commands.updateOne({ _id: id }, { $unset: { answer: true } });
        return createActivities(testbed.service.deps).commandQueue({
          id,
          action,
          buyer_id,
          lead_id,
        });
      };
      expect([await again(), await again()]).toMatchObject([{ rows: 1 }, { rows: 1 }]);
      const notes = (await market.lead(lead_id)).trail.filter(
        ({ detail }) => detail?.command === id,
      );
      expect(notes).toHaveLength(1);
      const count = action === 'drop' ? 0 : 1;
      // A resent row has a hold until it has failed again.
      await waitFor(async () => (await market.cap('only'))?.held.length === 0, {
        message: 'no hold is left',
      });
      expect(await market.cap('only')).toMatchObject({ total: { count } });
    },
  );

  it('finds no lead of another organization', async () => {
    const market = await testbed.market({ buyers: { only: { answer: () => AWAY } } });
    const lead_id = await postUntil(market, 'parked');
    const buyer_id = buyerOf(market, 'only');
    for (const input of [{ lead_id }, { buyer_id }])
      await expect(operator.drop({ ...input, org_id: 'other' })).rejects.toMatchObject({
        code: 'not_found',
      });
    expect(await market.rows(lead_id)).toMatchObject([{ state: 'parked' }]);
  });

  it('is refused by the workflow itself when it is sent by hand and wrong', async () => {
    const market = await testbed.market({ buyers: { only: { answer: () => AWAY } } });
    await postUntil(market, 'parked');
    // The drain is started in the background.
    const drain = market.drainOf('only');
    await waitFor(() => drain.describe(), { message: 'the drain is started' });
    const update = drain.executeUpdate('drop', { args: [{ lead_id: 7 }] });
    await expect(update).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/^lead_id must be a lead's id/) },
    });
  });
});
