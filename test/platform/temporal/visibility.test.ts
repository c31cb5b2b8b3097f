import { signingSecretPlace, webhookSecretPlace } from '../../../src/account/rules/sealedPlaces.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { createAccount, type AccountSpec, type TestAccount } from '../../support/account.js';
import { startFakeBuyer, YES, type Behavior, type FakeBuyer } from '../../support/fakeBuyer.js';
import { startServiceBed, type ServiceBed } from '../../support/service.js';
import { supplierOf, type Answer } from '../../support/supplier.js';
import { waitFor } from '../../support/waitFor.js';
import { decoded, phonePattern } from '../../support/histories.js';

/** In every field of every lead posted here, and nowhere else. */
const MARKER = 'zyxwmarker';
let people = 0;

/** A person whose every value can be searched for. */
function aMarkedPerson(): Record<string, string> {
  const n = String(++people);
  const digits = `${String(process.pid).padStart(7, '4').slice(-5)}${n.padStart(2, '0')}`;
  return {
    first_name: `First${MARKER}${n}`,
    last_name: `Last${MARKER}${n}`,
    email: `${MARKER}.${n}@example.com`,
    phone: `(555) ${digits.slice(0, 3)}-${digits.slice(3)}`,
    state: 'CA',
    case_type: `case ${MARKER}`,
    note: `extra ${MARKER}`,
  };
}

const idOf = (answer: Answer | undefined) => String(answer?.data?.id);

describe('the data in Temporal', () => {
  let bed: ServiceBed;
  let buyer: FakeBuyer;
  let client: Client;
  const accounts: TestAccount[] = [];
  const persons: Record<string, string>[] = [];
  const handled: { account: TestAccount; answers: Answer[] }[] = [];
  let decidedBadly: Answer | undefined;

  const post = async (account: TestAccount, url: string, count = 1): Promise<Answer[]> => {
    const supplier = supplierOf(url, account);
    const group = Array.from({ length: count }, () => aMarkedPerson());
    persons.push(...group);
    const answers = await Promise.all(
      group.map((person, n) =>
        supplier.post(person, { headers: { 'idempotency-key': `${MARKER}-key-${n}` } }),
      ),
    );
    await supplier.close();
    handled.push({ account, answers });
    return answers;
  };

  const behaviours: Record<string, (rawBody: string, time: number) => Behavior> = {
    '/yes': () => YES,
    '/refuses': (rawBody) => ({ status: 422, body: { reason: `no: ${rawBody}` } }),
    '/busy': (rawBody, time) => (time === 1 ? { status: 503, body: { error: rawBody } } : YES),
    '/hangs': () => 'hang',
  };

  beforeAll(async () => {
    bed = await startServiceBed();
    buyer = await startFakeBuyer(
      ({ path, rawBody, time }) => behaviours[path]?.(rawBody, time) ?? YES,
    );
    // One lane: the leads that come while a group is decided are the next one.
    const service = await bed.start('all', { INTAKE_LANES: '1' });
    client = service.deps.client;
    const open = async (path: string, spec: Partial<AccountSpec> = {}) => {
      const delivery = { url: `${buyer.url}${path}`, timeout_ms: 500 };
      const account = await createAccount(bed, { buyers: { only: { delivery } }, ...spec });
      accounts.push(account);
      return account;
    };
    const field = {
      name: 'case_type',
      type: 'String',
      required: false,
      ping_required: false,
    } as const;
    const wanted = { id: 'wanted', field: 'case_type', operator: '==', value: 'wanted' } as const;
    const filters = { all: [wanted] };
    const many = await open('/yes', { campaign: { fields: [field] } });
    await post(many, service.url, 16);
    await post(await open('/refuses'), service.url, 3);
    await post(await open('/busy'), service.url, 3);
    await post(await open('/hangs'), service.url, 3);
    const picky = await open('/yes', { campaign: { fields: [field], filters } });
    const [refused] = await post(picky, service.url);
    expect(JSON.stringify(refused?.body)).toContain(`case ${MARKER}`);

    // A failing write makes the fast lane fail, and its error goes into the history.
    const { db } = bed.store;
    await db.command({ collMod: 'leads', validator: { status: { $ne: 'DUPLICATE' } } });
    const supplier = supplierOf(service.url, many);
    decidedBadly = await supplier.post(persons[0]);
    await supplier.close();
    await db.command({ collMod: 'leads', validator: {} });

    const { leads, destinations } = bed.collections;
    await waitFor(
      async () =>
        (await leads.countDocuments({ _id: idOf(decidedBadly), status: 'EXPIRED' })) === 1,
      { message: 'the lead is decided that could not be' },
    );
    const busy = accounts[2];
    await waitFor(
      async () =>
        (await leads.countDocuments({ campaign_id: busy?.campaignId, status: 'ACCEPTED' })) === 3 &&
        (await destinations.countDocuments({ awake: true })) === 0,
      { message: 'the waiting leads are sold', timeoutMs: 40_000 },
    );
  }, 90_000);
  afterAll(async () => {
    await bed.stop();
    await buyer.stop();
  });

  const found = async (query: string): Promise<string[]> => {
    const ids: string[] = [];
    for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId);
    return ids;
  };
  const foundOnce = async (query: string): Promise<string[]> => {
    let ids: string[] = [];
    await waitFor(async () => (ids = await found(query)).length > 0, {
      message: `${query} finds a workflow`,
    });
    return ids;
  };

  /** The workflow that decided a lead. One that was sold after it waited is also found at its buyer's drain. */
  const foundIntake = async (leadId: string): Promise<string> => {
    const ids = await foundOnce(`LeadId = "${leadId}"`);
    const [id = '', ...others] = ids.filter((one) => one.startsWith('intake:'));
    expect(others).toEqual([]);
    expect(ids.filter((one) => !/^(?:intake|destination):/.test(one))).toEqual([]);
    return id;
  };

  it('finds the workflow of a lead by its id, in a group of many too', async () => {
    const [{ answers } = { answers: [] }] = handled;
    const groups = new Map<string, number>();
    for (const answer of answers) {
      const ids = await foundOnce(`LeadId = "${idOf(answer)}"`);
      expect(ids).toHaveLength(1);
      groups.set(String(ids[0]), (groups.get(String(ids[0])) ?? 0) + 1);
    }
    expect(Math.max(...groups.values())).toBeGreaterThan(9);
  });

  it('finds the workflows of a campaign and of an organization', async () => {
    for (const { campaignId, orgId } of accounts) {
      const lead = await bed.collections.leads.findOne({ campaign_id: campaignId });
      const id = await foundIntake(String(lead?._id));
      expect(await found(`CampaignId = "${campaignId}"`)).toContain(id);
      expect(await found(`OrgId = "${orgId}"`)).toContain(id);
    }
  });

  it('describes each workflow in words', async () => {
    const summaryOf = async (id = '') =>
      (await client.workflow.getHandle(id).describe()).staticSummary();
    const { account, answers } = handled.at(2) ?? { answers: [] };
    expect(await summaryOf(await foundIntake(idOf(answers[0])))).toMatch(/^\d+ leads?$/);
    expect(await summaryOf(`destination:${account?.buyers.only}`)).toBe('Leads waiting for only');
  });

  it('contains no personal data and no secret', async () => {
    const histories = new Map<string, string>();
    for (const id of await found(`TaskQueue = "${bed.stack.taskQueuePrefix}leads"`))
      histories.set(id, decoded(await client.workflow.getHandle(id).fetchHistory()));
    const text = [...histories.values()].join('\n');
    const ids = [...histories.keys()];
    expect(ids.filter((id) => id.startsWith('intake:')).length).toBeGreaterThanOrEqual(6);
    expect(ids.filter((id) => id.startsWith('destination:')).length).toBeGreaterThanOrEqual(1);
    // The search finds what is there: the leads' ids, and the failure of the fast lane.
    expect(text).toContain(idOf(handled[0]?.answers[0]));
    expect(text).toContain(idOf(decidedBadly));
    expect(text).toMatch(/failed validation/);

    expect(text.toLowerCase()).not.toContain(MARKER);
    for (const { phone = '' } of persons) expect(text).not.toMatch(phonePattern(phone));
    const buyers = await bed.collections.buyers.find().toArray();
    const secrets = [
      ...accounts.flatMap(({ suppliers }) => suppliers.map(({ key }) => key)),
      ...buyers.flatMap((doc) => [
        bed.keyring.open(doc.signing_secret, signingSecretPlace(doc._id)),
        bed.keyring.open(doc.webhook_secret, webhookSecretPlace(doc._id)),
      ]),
    ];
    expect(secrets.every((secret) => secret.length > 20)).toBe(true);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  it('fails the check when it contains personal data', () => {
    const data = Buffer.from(JSON.stringify({ phone: '555 867.5309', note: MARKER }));
    const text = decoded({
      events: [{ markerRecordedEventAttributes: { details: { data: { payloads: [{ data }] } } } }],
    });
    expect(text).toContain(MARKER);
    expect(text).toMatch(phonePattern('(555) 867-5309'));
  });
});
