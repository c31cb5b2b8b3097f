/** Events from the command line while the service runs: set up, tested, followed, forwarded, sent again. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOrgKey, permissionsOf } from '../../../src/account/keys/keys.js';
import { signedHeaders } from '../../../src/platform/security/signatures.js';
import { startTestbed, type Market, type Testbed } from '../../support/testbed.js';
import { startFakeBuyer, YES, type FakeBuyer } from '../../support/fakeBuyer.js';
import { failed, runCli, startCli } from '../../support/cli.js';
import { waitFor } from '../../support/waitFor.js';
import { accountOf } from '../../support/org.js';

let testbed: Testbed;
let market: Market;
/** Receives events: as an automation's target, and as a program on this machine. */
let receiver: FakeBuyer;
let surroundings: Record<string, string>;
beforeAll(async () => {
  testbed = await startTestbed();
  market = await testbed.market();
  receiver = await startFakeBuyer(() => YES);
  const { orgId } = market.account;
  const input = { name: 'Operator', permissions: permissionsOf('write') };
  const { api_key } = await createOrgKey(accountOf(testbed, orgId), input);
  surroundings = { HOME: '/nowhere', LEADWIRE_URL: testbed.url, LEADWIRE_API_KEY: api_key };
});
afterAll(async () => {
  await testbed.stop();
  await receiver.stop();
});

async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await runCli([...args, '--json'], surroundings);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${String(code)} ${stderr}`);
  return JSON.parse(stdout) as T;
}

/** A running command; `events` waits until it has printed this many, as JSON. */
function start(...args: string[]) {
  const program = startCli(args, surroundings);
  const events = async (count: number) =>
    (await program.lines(count)).map((line) => JSON.parse(line) as Record<string, unknown>);
  return { ...program, events };
}

const sentTo = (path: string) => receiver.requests.filter((one) => one.path === path);
interface Automation {
  id: string;
  secret: string;
}
interface Delivery {
  id: string;
  event_id: string;
  state: string;
  attempts: number;
}

const create = (path: string, trigger: string) =>
  json<Automation>(
    'automations',
    'create',
    '--name',
    `To ${path}`,
    '--trigger',
    trigger,
    '--action',
    'WEBHOOK',
    '--target',
    JSON.stringify({ url: `${receiver.url}${path}` }),
  );
/** Marks that no client listens to events; returns a function that waits until one does. */
async function forSomebodyToListen(): Promise<() => Promise<unknown>> {
  const { eventWants } = testbed.collections;
  const _id = market.account.orgId;
  await eventWants.updateOne({ _id }, { $unset: { listening_until: 1 } });
  const isListening = async () =>
    (await eventWants.findOne({ _id }))?.listening_until !== undefined;
  return () => waitFor(isListening, { message: 'somebody listens' });
}

describe('leadwire automations', () => {
  it('receive a sample lead in a test, signed by their secret', async () => {
    const { id, secret } = await create('/tried', 'lead.outcome');
    const tried = await json<Delivery>('automations', 'send-test', '--automation-id', id);
    expect(tried).toMatchObject({ state: 'delivered', attempts: 1, lead_id: null });
    const [request] = sentTo('/tried');
    expect(request?.body).toMatchObject({
      id: tried.event_id,
      type: 'lead.outcome',
      data: { is_test: true, status: 'converted', fields: { first_name: expect.any(String) } },
    });
    const headers = request?.headers ?? {};
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const right = signedHeaders([secret], {
      id: tried.event_id,
      body: request?.rawBody ?? '',
      at,
    });
    expect(headers).toMatchObject(right);
  });

  it('receive the event of a lead at once, and again on request', async () => {
    const { id } = await create('/again', 'lead.accepted');
    const { data } = await market.post();
    await waitFor(() => sentTo('/again').length === 1, { message: 'the automation is told' });
    const eventId = String(sentTo('/again')[0]?.body.id);
    expect(sentTo('/again')[0]?.body.data).toMatchObject({ lead_id: data?.id });
    expect(await json('events', 'resend', '--event-id', eventId, '--automation-id', id)).toEqual({
      resent: 1,
      automation_ids: [id],
      next_since: null,
    });
    await waitFor(() => sentTo('/again').length === 2, { message: 'it is told again' });
    expect(sentTo('/again')[1]?.body).toEqual(sentTo('/again')[0]?.body);
    await waitFor(
      async () => {
        const [row] = await json<Delivery[]>('events', 'deliveries', '--automation-id', id);
        return row?.state === 'delivered' && row.attempts === 2;
      },
      { message: 'both attempts are on record' },
    );
  });
});

describe('leadwire events tail', () => {
  it('prints each event once while it runs, and ends with 0 at Ctrl-C', async () => {
    const listening = await forSomebodyToListen();
    const tail = start('events', 'tail', '--jsonl', '--type', 'lead.created');
    await listening();
    const posted = await Promise.all([market.post(), market.post()]);
    const shown = await tail.events(2);
    expect(shown.map(({ lead_id }) => lead_id).toSorted()).toEqual(
      posted.map(({ data }) => data?.id).toSorted(),
    );
    expect((await tail.interrupted()).code).toBe(0);
    expect(await tail.lines(0)).toHaveLength(2);
  });
});

describe('leadwire events tail --json', () => {
  it('prints chosen fields of the events of several types and of one campaign', async () => {
    const listening = await forSomebodyToListen();
    const { campaignId } = market.account;
    const tail = start(
      'events',
      'tail',
      '--json',
      'type,lead_id',
      '--type',
      'lead.created,lead.accepted',
      '--campaign-id',
      `${campaignId},another`,
    );
    await listening();
    const { data } = await market.post();
    const shown = await tail.events(2);
    expect(shown.toSorted((a, b) => (String(a.type) < String(b.type) ? -1 : 1))).toEqual([
      { type: 'lead.accepted', lead_id: data?.id },
      { type: 'lead.created', lead_id: data?.id },
    ]);
    expect((await tail.interrupted()).code).toBe(0);
  });

  it.each([
    [['--json', 'typ'], /Unknown field "typ" of leadwire events tail.* Did you mean type\?/],
    [['--type', 'lead.acepted'], /There is no event lead\.acepted\. Did you mean lead\.accepted\?/],
    [
      ['--lead-id', 'a,,b'],
      /--lead-id must be one value, or several separated by commas: not "a,,b"/,
    ],
    [['--since', 'yesterday'], /--since must be how long ago/],
  ])('refuses %j before it follows anything', async (args, message) => {
    expect(await runCli(['events', 'tail', ...args], surroundings)).toMatchObject(
      failed(1, message),
    );
  });
});

describe('leadwire listen', () => {
  it('posts each event to a program on this machine, signed, in the envelope of a webhook', async () => {
    const to = ['--forward-to', `${receiver.url}/local`, '--secret', 'mine', '--jsonl'];
    const listening = await forSomebodyToListen();
    const listen = start('listen', ...to, '--type', 'lead.accepted');
    await listening();
    const { data } = await market.post();
    const [line] = await listen.events(1);
    expect(line).toMatchObject({ lead_id: data?.id, forwarded: { status: 200, problem: null } });
    const [request] = sentTo('/local');
    const { id, type, created_at } = line ?? {};
    expect(request?.body).toEqual({ id, type, created_at, data: line?.data });
    expect(request?.headers['webhook-signature']).toMatch(/^v1,/);
    expect((await listen.interrupted()).code).toBe(0);
  });
});
