/** The commands of operators as an operator runs them, on a running service. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestbed, type Market, type Testbed } from '../../support/testbed.js';
import { buyerOf, postUntil } from '../../distribution/commands/operatorFixture.js';
import { YES } from '../../support/fakeBuyer.js';
import { runCli, type Ended } from '../../support/cli.js';
import { waitFor } from '../../support/waitFor.js';

const AWAY = { status: 503, headers: { 'retry-after': '600' } };

describe('leadwire operator deliveries and events', () => {
  let testbed: Testbed;
  let market: Market;
  let buyer: string;
  beforeAll(async () => {
    testbed = await startTestbed();
    market = await testbed.market({ buyers: { only: { answer: () => AWAY } } });
    buyer = buyerOf(market, 'only');
  });
  afterAll(() => testbed.stop());

  const run = (args: string[]): Promise<Ended> => {
    const { stack } = testbed;
    const env = {
      NO_COLOR: '1',
      MONGODB_URI: stack.mongodbUri,
      MONGODB_DATABASE: stack.database,
      TEMPORAL_ADDRESS: stack.temporalAddress,
      TEMPORAL_TASK_QUEUE_PREFIX: stack.taskQueuePrefix,
    };
    return runCli(args, env);
  };

  it('lists, holds and retries, and reports the result', async () => {
    const [held, other] = [await postUntil(market, 'parked'), await postUntil(market, 'parked')];
    const hold = await run([
      'operator',
      'deliveries',
      'hold',
      '--lead',
      held,
      '--by',
      'ada',
      '--note',
      'why',
    ]);
    expect(hold).toMatchObject({ code: 0, stderr: '' });
    expect(hold.stdout).toBe(
      `1 delivery held. Their time limit keeps running; a retry sends them.\nLead ${held} is PENDING.\n`,
    );
    const table = await run(['operator', 'deliveries', 'list', '--buyer', buyer]);
    expect(table).toMatchObject({ code: 0, stderr: '2 waiting.\n' });
    expect(table.stdout).toMatch(/^Lead +State +Tries +Due +Expires +Reason\n/);
    expect(table.stdout).toMatch(new RegExp(`^${held} +held +\\d +- `, 'm'));
    expect(table.stdout).toMatch(new RegExp(`^${other} +parked +`, 'm'));
    const some = await run([
      'operator',
      'deliveries',
      'list',
      '--buyer',
      buyer,
      '--state',
      'held',
      '--json',
    ]);
    expect(JSON.parse(some.stdout)).toMatchObject({
      buyer_id: buyer,
      held: false,
      deliveries: [
        { lead_id: held, state: 'held', due_at: null, reason: 'The buyer answered 503' },
      ],
    });
    market.behave('only', () => YES);
    const retry = await run(['operator', 'deliveries', 'retry', '--buyer', buyer, '--json']);
    expect(JSON.parse(retry.stdout)).toMatchObject({ buyer_id: buyer, rows: 2, unknown: 0 });
    await market.becomes(held, 'ACCEPTED');
    await market.becomes(other, 'ACCEPTED');
    const empty = await run(['operator', 'deliveries', 'list', '--buyer', buyer]);
    expect(empty).toEqual({ code: 0, stdout: '', stderr: '0 waiting.\n' });
    const filter = { org_id: market.account.orgId };
    const recorded = await testbed.collections.audit.find(filter).sort({ at: 1 }).toArray();
    expect(recorded).toMatchObject([
      {
        key_id: 'operator',
        key_name: 'ada',
        action: 'hold_deliveries',
        input: { lead_id: held, note: 'why' },
        outcome: 'done',
      },
      {
        key_id: 'operator',
        key_name: 'operator',
        action: 'retry_deliveries',
        input: { buyer_id: buyer },
        outcome: 'done',
      },
    ]);
  });

  it('records a command that is refused, with the reason', async () => {
    market.behave('only', () => AWAY);
    const lead = await postUntil(market, 'parked');
    const args = ['--lead', lead, '--buyer', buyer, '--result', 'accepted', '--by', 'eve'];
    const refused = await run(['operator', 'deliveries', 'resolve', ...args]);
    expect(refused.code).toBe(1);
    const entry = await testbed.collections.audit.findOne({ key_name: 'eve' });
    expect(entry).toMatchObject({
      org_id: market.account.orgId,
      action: 'resolve_delivery',
      outcome: 'refused',
      error: expect.stringContaining(lead),
    });
  });

  it('fails with 1 and the reason when it is refused', async () => {
    const refused = await run(['operator', 'deliveries', 'drop', '--lead', 'none', '--json']);
    expect(refused).toMatchObject({ code: 1, stderr: 'Refused: There is no lead none.\n' });
    expect(JSON.parse(refused.stdout)).toEqual({
      refused: 'not_found',
      message: 'There is no lead none.',
    });
    const nobody = await run(['operator', 'deliveries', 'list', '--buyer', 'nobody']);
    expect(nobody).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Error: There is no buyer nobody.\n',
    });
  });

  it('fails with 1 without a target', async () => {
    const ended = await run(['operator', 'deliveries', 'retry']);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('Error: lead_id is required for one lead, or buyer_id');
  });

  it('shows the events of buyers, newest first', async () => {
    const broken = await testbed.market({ buyers: { only: { answer: () => ({ status: 503 }) } } });
    await Promise.all(Array.from({ length: 12 }, () => broken.post()));
    const id = buyerOf(broken, 'only');
    await waitFor(
      async () => (await testbed.collections.events.countDocuments({ 'data.buyer_id': id })) > 0,
      { message: 'it is paused' },
    );
    const listed = await run(['operator', 'events', 'list', '--org', broken.account.orgId]);
    expect(listed).toMatchObject({ code: 0, stderr: '1 event, newest first.\n' });
    expect(listed.stdout).toMatch(new RegExp(`buyer\\.paused +${id} +\\d+ +\\S+Z +http_503`));
    const json = await run([
      'operator',
      'events',
      'list',
      '--type',
      'buyer.resumed',
      '--json',
      '--limit',
      '5',
    ]);
    const { events } = JSON.parse(json.stdout) as { events: { type: string }[] };
    expect(events.every(({ type }) => type === 'buyer.resumed')).toBe(true);
  });
});
