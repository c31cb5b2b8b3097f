/** The live feed of leads: in order, resumed without loss or repeat, and only for those who may see leads. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOrgKey } from '../../../src/account/keys/keys.js';
import { createActionService } from '../../../src/api/actions/service.js';
import { createConsoleService } from '../../../src/api/console/service.js';
import type { HttpServer } from '../../../src/api/http/server.js';
import { createLiveLeads, type LiveLeads } from '../../../src/api/live/liveLeads.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { OrgRole } from '../../../src/people/types.js';
import { hashKey } from '../../../src/platform/security/keys.js';
import { actionDeps, peopleOf } from '../../support/api.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { startServer } from '../../support/http.js';
import { accountOf, makeOrg } from '../../support/org.js';
import { signInMember } from '../../support/portal.js';
import { aLead } from '../../support/storedRows.js';
import { waitFor } from '../../support/waitFor.js';
import { readEvents, type Events } from './readEvents.js';

/** Leads are there at once here: the tests insert them with the time of their arrival. */
const SETTLED_MS = 400;

let database: TestDatabase;
let server: HttpServer;
let live: LiveLeads;
beforeAll(async () => {
  database = await openDatabase();
  const people = peopleOf(database.collections);
  const deps = { ...actionDeps(database.collections), members: people.members, people };
  live = createLiveLeads(deps, { everyMs: 40, settledMs: SETTLED_MS, checkMs: 100 });
  server = await startServer({
    people,
    live,
    actions: createActionService(deps),
    console: createConsoleService(deps),
  });
});
afterAll(async () => {
  live.stop();
  await server.close(0);
  await database.drop();
});

interface Org {
  id: string;
  key: string;
}
let made = 0;
const newOrg = async (): Promise<Org> => {
  const { _id: id } = await makeOrg(database.collections, `Live ${++made}`);
  const account = accountOf({ collections: database.collections }, id);
  const asked = { name: 'Reader', permissions: ['leads:read' as const] };
  return { id, key: (await createOrgKey(account, asked)).api_key };
};

const arrive = async (
  org_id: string,
  count: number,
  more: Partial<Lead> = {},
): Promise<string[]> => {
  const leads = Array.from({ length: count }, () =>
    aLead({ org_id, status: 'UNMATCHED', created_at: new Date(), ...more }),
  );
  await database.collections.leads.insertMany(leads);
  return leads.map(({ _id }) => _id).toSorted();
};

const follow = (org: Org, query = '', lastEventId?: string): Promise<Events> =>
  readEvents(`${server.url}/api/v1/leads/live${query}`, {
    authorization: `Bearer ${org.key}`,
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  });

const idsOf = (events: Events): string[] =>
  events.named('lead').map(({ data }) => (data as { id: string }).id);

describe('the live feed of leads', () => {
  it('sends each lead once, as get_leads lists it, and none of another organization or test', async () => {
    const [org, other] = [await newOrg(), await newOrg()];
    const events = await follow(org);
    const [id] = await arrive(org.id, 1, { fields: { first_name: 'Ana', phone: '+14155550134' } });
    await arrive(other.id, 1);
    await arrive(org.id, 1, { is_test: true });
    const [second] = await arrive(org.id, 1);
    await events.until(() => idsOf(events).length === 2);
    expect(events.named('lead')[0]?.data).toMatchObject({
      id,
      status: 'UNMATCHED',
      name: 'Ana',
      phone: '+14155550134',
      campaign_name: null,
    });
    expect(idsOf(events)).toEqual([id, second]);
    await events.close();
  });

  it('goes on after the last event, without loss or repeat, however often it breaks off', async () => {
    const org = await newOrg();
    const wanted: string[] = [];
    const got: string[] = [];
    let lastId: string | undefined;
    for (let turn = 0; turn < 5; turn += 1) {
      const events = await follow(org, '', lastId);
      // Several arrive in one millisecond, while the feed is read, and while nobody reads.
      const created_at = new Date();
      wanted.push(...(await arrive(org.id, 7, { created_at })));
      await events.until(() => idsOf(events).length >= 3);
      await events.close();
      got.push(...idsOf(events));
      lastId = events.lastId();
      wanted.push(...(await arrive(org.id, 4)));
    }
    const events = await follow(org, '', lastId);
    await events.until(() => got.length + idsOf(events).length === wanted.length);
    await events.close();
    got.push(...idsOf(events));
    expect(got).toHaveLength(wanted.length);
    expect(new Set(got)).toEqual(new Set(wanted));
  });

  it('serves many followers by one reader, each by its filters', async () => {
    const org = await newOrg();
    const one = await follow(org, '?status=ACCEPTED');
    const two = await follow(org, '?status=UNMATCHED');
    const sold = await arrive(org.id, 1, { status: 'SELLING', buyer_id: 'buyer' });
    const unsold = await arrive(org.id, 1);
    await one.until(() => idsOf(one).length === 1);
    await two.until(() => idsOf(two).length === 1);
    expect([idsOf(one), idsOf(two)]).toEqual([sold, unsold]);
    await Promise.all([one.close(), two.close()]);
  });

  it('says where leads are left out for a client that was away for long', async () => {
    const org = await newOrg();
    const events = await follow(org, '', `${Date.now() - 2 * 3_600_000}.x`);
    await events.until(() => events.named('gap').length === 1);
    await events.close();
  });

  it('refuses unknown filters, places of no event, records of others, and a seventh feed', async () => {
    const org = await newOrg();
    const refusal = async (query: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${server.url}/api/v1/leads/live${query}`, {
        headers: { authorization: `Bearer ${org.key}`, ...headers },
      });
      const { error, details } = (await answer.json()) as {
        error: string;
        details?: { path: string }[];
      };
      return [answer.status, error, details?.[0]?.path];
    };
    expect(await refusal('?colour=red')).toEqual([422, 'invalid_input', 'colour']);
    expect(await refusal('', { 'last-event-id': 'x' })).toEqual([
      422,
      'invalid_input',
      'Last-Event-ID',
    ]);
    expect(await refusal('?buyer_id=nobody')).toEqual([400, 'record_not_found', undefined]);
    const open = await Promise.all(Array.from({ length: 6 }, () => follow(org)));
    expect(await refusal('')).toEqual([429, 'rate_limited', undefined]);
    await open[0]?.close();
    // The service learns a moment later that the client has gone.
    const again = await waitFor(() => follow(org), { intervalMs: 1_000 });
    await Promise.all([...open, again].map((events) => events.close()));
  });

  it('ends when the key is revoked', async () => {
    const org = await newOrg();
    const events = await follow(org);
    await database.collections.apiKeys.updateOne(
      { _id: hashKey(org.key) },
      { $set: { revoked_at: new Date() } },
    );
    await events.ended();
    expect(events.named('end')).toHaveLength(1);
  });

  describe('of a person', () => {
    const member = (org_id: string, role: OrgRole) =>
      signInMember(database.collections, { org_id, scope: { kind: 'organization' }, role });
    const path = (membership: string) => `${server.url}/console/api/${membership}/leads/live`;

    it('ends when the session does, and when the role sees no people any more', async () => {
      const org = await newOrg();
      const [one, two] = [await member(org.id, 'analyst'), await member(org.id, 'operator')];
      const first = await readEvents(path(one.membership_id), { cookie: one.cookie });
      const second = await readEvents(path(two.membership_id), { cookie: two.cookie });
      await arrive(org.id, 1);
      await first.until(() => idsOf(first).length === 1);
      const { person_id } = (await database.collections.memberships.findOne({
        _id: one.membership_id,
      })) as { person_id: string };
      await database.collections.sessions.deleteMany({ person_id });
      await first.ended();
      await database.collections.memberships.updateOne(
        { _id: two.membership_id },
        { $set: { role: 'viewer' } },
      );
      await second.ended();
    });

    it('shows a viewer leads without a byte of the person', async () => {
      const org = await newOrg();
      const viewer = await member(org.id, 'viewer');
      const events = await readEvents(path(viewer.membership_id), { cookie: viewer.cookie });
      const [id] = await arrive(org.id, 1, {
        fields: { first_name: 'Secretname', phone: '+14155550134', state: 'TX' },
      });
      await events.until(() => idsOf(events).length === 1);
      expect(events.named('lead')[0]?.data).toMatchObject({
        id,
        status: 'UNMATCHED',
        name: null,
        phone: null,
        state: null,
      });
      expect(JSON.stringify(events.named('lead'))).not.toMatch(/Secretname|4155550134|TX/);
      await events.close();
      expect(await database.collections.auditReads.countDocuments({ org_id: org.id })).toBe(0);
    });

    it('is recorded as a read of people, without what they are', async () => {
      const org = await newOrg();
      const analyst = await member(org.id, 'analyst');
      const events = await readEvents(path(analyst.membership_id), { cookie: analyst.cookie });
      await events.close();
      const [entry] = await database.collections.auditReads.find({ org_id: org.id }).toArray();
      expect(entry).toMatchObject({ action: 'follow_leads' });
    });
  });
});
