/** An admin of the organization sees a portal as a viewer of its team does, by its own membership. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PORTALS } from '../../../src/api/partner/registry.js';
import { createAccount } from '../../support/account.js';
import {
  partnerScope,
  portalClient,
  setPortal,
  signInMember,
  type PortalClient,
  type SignedInMember,
} from '../../support/portal.js';
import { startPartnerBed, type PartnerBed } from './partnerBed.js';
import { BUYER_INPUTS, SUPPLIER_INPUTS, TEAM_INPUTS } from './partnerInputs.js';

interface Me {
  is_visit: boolean;
  membership: { id: string; role: string };
  party: { id: string };
  calls: string[];
  files: string[];
}

let bed: PartnerBed;
beforeAll(async () => {
  bed = await startPartnerBed({ resend: true, exports: true, change_requests: true });
});
afterAll(() => bed.stop());

const organization = { kind: 'organization' } as const;
const member = (spec: Partial<Parameters<typeof signInMember>[1]> = {}) =>
  signInMember(bed.testbed.collections, { org_id: bed.ids.org, scope: organization, ...spec });

const partyOf = (side: 'buyer' | 'supplier') =>
  side === 'buyer' ? bed.ids.mine : bed.ids.supplier;
const visit = (who: SignedInMember, side: 'buyer' | 'supplier', party = partyOf(side)) =>
  portalClient(bed.testbed.url, who, `${who.membership_id}.${side}.${party}`);
const meOf = async (client: PortalClient) => (await client.me()).json?.data as Me;

describe.each(['buyer', 'supplier'] as const)('a visit of a %s', (side) => {
  const { calls, files } = PORTALS[side];
  const inputs = { ...(side === 'buyer' ? BUYER_INPUTS : SUPPLIER_INPUTS), ...TEAM_INPUTS };

  it('offers what a viewer of the team has, and says that it is a visit', async () => {
    const admin = await member();
    const viewer = await member({ scope: partnerScope(side, partyOf(side)), role: 'viewer' });
    const seen = await meOf(visit(admin, side));
    const own = await meOf(portalClient(bed.testbed.url, viewer));
    expect(seen).toMatchObject({
      is_visit: true,
      membership: { id: admin.membership_id, side, role: 'viewer' },
      party: { id: partyOf(side) },
    });
    expect(own.is_visit).toBe(false);
    expect([seen.calls, seen.files]).toEqual([own.calls, own.files]);
    expect(seen.calls.length).toBeGreaterThan(3);
  });

  it.each(calls.filter(({ effect }) => effect !== 'read').map(({ name }) => name))(
    'refuses %s',
    async (name) => {
      const answer = await visit(await member(), side).call(name, inputs[name]?.(bed) ?? {});
      expect([answer.status, answer.json?.error]).toEqual([403, 'forbidden']);
    },
  );

  it('answers as if there were no such portal to everybody else', async () => {
    const { collections, service } = bed.testbed;
    const far = await createAccount({ collections, keyring: service.deps.keyring }, { buyers: {} });
    const who = [
      ...(await Promise.all(
        (['operator', 'analyst', 'viewer'] as const).map((role) => member({ role })),
      )),
      await member({ org_id: far.orgId }),
      bed.members[side],
      bed.members.rival,
    ];
    const [file] = files;
    for (const one of who) {
      const client = visit(one, side);
      const answers = [
        await client.me(),
        await client.call('list_team'),
        await client.file(file.name),
      ];
      for (const { status, json } of answers)
        expect([status, json?.message]).toEqual([404, 'There is no such portal.']);
    }
    const admin = await member();
    const others = [
      visit(admin, side, 'no-such-party'),
      visit(admin, side === 'buyer' ? 'supplier' : 'buyer', partyOf(side)),
      portalClient(bed.testbed.url, admin),
      portalClient(
        bed.testbed.url,
        admin,
        `${bed.members[side].membership_id}.${side}.${partyOf(side)}`,
      ),
    ];
    for (const client of others) expect((await client.me()).status).toBe(404);
  });
});

describe('a visit', () => {
  it('shows the sales of the buyer with what its portal hides, and is recorded under the name of the admin', async () => {
    const admin = await member({ name: 'Olga Operator' });
    const client = visit(admin, 'buyer');
    const seen = await client.call('list_sales');
    expect(seen.json?.data).toEqual((await bed.clients.buyer.call('list_sales')).json?.data);
    const read = await bed.testbed.collections.auditReads.findOne({
      org_id: bed.ids.org,
      'person.id': admin.person_id,
    });
    expect(read).toMatchObject({
      action: 'buyer_portal.list_sales',
      person: { name: 'Olga Operator' },
      party: { kind: 'buyer', id: bed.ids.mine },
    });
  });

  it('ends when the portal is closed', async () => {
    const party = { org_id: bed.ids.org, side: 'buyer', party_id: bed.ids.rival } as const;
    const client = visit(await member(), 'buyer', bed.ids.rival);
    expect((await client.me()).status).toBe(200);
    await setPortal(bed.testbed.collections, party, { is_enabled: false });
    expect((await client.me()).status).toBe(404);
  });
});
