/** Every call and file of a portal with every foreign session: the same 404 everywhere, for every portal. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PORTALS } from '../../../src/api/partner/registry.js';
import { createAccount } from '../../support/account.js';
import {
  openPortal,
  portalClient,
  setPortal,
  signInMember,
  type PortalReply,
  type SignedInMember,
} from '../../support/portal.js';
import { SHOWN, startPartnerBed, type PartnerBed } from './partnerBed.js';
import { BUYER_INPUTS, SUPPLIER_INPUTS, TEAM_INPUTS } from './partnerInputs.js';

type Side = 'buyer' | 'supplier';

/** Without the parts that differ between any two answers. */
const bodyOf = ({ text }: PortalReply): string => text.replace(/"request_id":"[^"]*"/, '');

const STRANGERS = [
  'the rival of the buyer',
  'the other side',
  'a partner of another organization',
  'an admin of the organization itself',
  'a member who was removed',
  'a member of a portal that was closed',
] as const;
type Stranger = (typeof STRANGERS)[number];

let bed: PartnerBed;
beforeAll(async () => {
  bed = await startPartnerBed();
});
afterAll(() => bed.stop());

describe.each<Side>(['buyer', 'supplier'])('the portal of a %s', (side) => {
  let strangers: Record<Stranger, { member: SignedInMember; portal: string }>;

  beforeAll(async () => {
    const { collections, service } = bed.testbed;
    const { ids, members } = bed;
    const own = members[side];
    const other = await createAccount(
      { collections, keyring: service.deps.keyring },
      { buyers: { far: { delivery: { method: 'STORE' } } } },
    );
    const far = {
      org_id: other.orgId,
      side,
      party_id: side === 'buyer' ? (other.buyers.far ?? '') : (other.suppliers[0]?.id ?? ''),
    };
    const scope =
      side === 'buyer'
        ? ({ kind: 'buyer', buyer_id: ids.mine } as const)
        : ({ kind: 'supplier', supplier_id: ids.supplier } as const);
    const removed = await signInMember(collections, { org_id: ids.org, scope });
    await collections.memberships.deleteOne({ _id: removed.membership_id });
    const closedParty = side === 'buyer' ? ids.rival : ids.supplier;
    const closed = await signInMember(collections, {
      org_id: ids.org,
      scope:
        side === 'buyer'
          ? { kind: 'buyer', buyer_id: closedParty }
          : { kind: 'supplier', supplier_id: closedParty },
    });
    const at = (member: SignedInMember, portal = own.membership_id) => ({ member, portal });
    strangers = {
      'the rival of the buyer': at(members.rival),
      'the other side': at(side === 'buyer' ? members.supplier : members.buyer),
      'a partner of another organization': at(await openPortal(collections, far, SHOWN)),
      'an admin of the organization itself': at(
        await signInMember(collections, { org_id: ids.org, scope: { kind: 'organization' } }),
      ),
      'a member who was removed': at(removed, removed.membership_id),
      'a member of a portal that was closed': at(closed, closed.membership_id),
    };
  });

  const { calls, files } = PORTALS[side];
  const inputOf = (name: string): object =>
    ({ ...TEAM_INPUTS, ...(side === 'buyer' ? BUYER_INPUTS : SUPPLIER_INPUTS) })[name]?.(bed) ?? {};

  it.each(STRANGERS)('answers %s as if it did not exist', async (stranger) => {
    const { collections, url } = bed.testbed;
    const { member, portal } = strangers[stranger];
    const closed = {
      org_id: bed.ids.org,
      side,
      party_id: side === 'buyer' ? bed.ids.rival : bed.ids.supplier,
    };
    const isClosed = stranger === 'a member of a portal that was closed';
    if (isClosed) await setPortal(collections, closed, { ...SHOWN, is_enabled: false });
    const client = portalClient(url, member, portal);
    const nowhere = portalClient(url, member, 'mem_000000000000000000000000');
    const unknown = bodyOf(await nowhere.me());
    const replies = new Map<string, PortalReply>();
    replies.set('me', await client.me());
    for (const { name } of calls) replies.set(name, await client.call(name, inputOf(name)));
    for (const { name } of files) replies.set(name, await client.file(name));
    const told = [...replies].filter(([, one]) => one.status !== 404 || bodyOf(one) !== unknown);
    expect(told.map(([name, one]) => `${name}: ${one.status}`)).toEqual([]);
    if (isClosed) await setPortal(collections, closed, SHOWN);
  });

  it('is open to its own members', async () => {
    expect(await bed.clients[side].me()).toMatchObject({ status: 200 });
  });
});

describe("another's records", () => {
  it.each([
    ['get_sale', {}],
    ['record_outcome', { outcome: 'converted' }],
    ['request_return', { reason: 'other' }],
  ])('are answered for %s like missing records', async (name, rest) => {
    const { buyer } = bed.clients;
    const theirs = await buyer.call(name, { lead_id: bed.rivalLeadId, ...rest });
    const none = await buyer.call(name, {
      lead_id: '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10',
      ...rest,
    });
    expect(theirs.status).toBe(404);
    expect(bodyOf(theirs)).toBe(bodyOf(none));
  });

  it('cannot be named by an import: the row reports the same as for a missing lead', async () => {
    const csv = `lead_id,outcome\n${bed.rivalLeadId},converted\n2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10,converted\n`;
    const { json } = await bed.clients.buyer.call('import_outcomes', { csv });
    const [theirs, none] = (json?.data as { report: { line: number }[] }).report;
    expect(theirs).toMatchObject({ result: 'refused', code: 'not_found' });
    expect({ ...theirs, line: 0 }).toEqual({ ...none, line: 0 });
  });

  it('are gone with the buyer, whose portal no longer exists', async () => {
    const { collections } = bed.testbed;
    const { clients, ids } = bed;
    const buyer = await collections.buyers.findOne({ _id: ids.mine });
    await collections.buyers.deleteOne({ _id: ids.mine });
    expect(await clients.buyer.me()).toMatchObject({ status: 404 });
    expect(await clients.buyer.call('list_sales')).toMatchObject({ status: 404 });
    await collections.buyers.insertOne(buyer!);
    expect(await clients.buyer.me()).toMatchObject({ status: 200 });
  });
});
