/** Opening partners' portals and setting them up. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { portalOf } from '../../../../src/portal/settings.js';
import { aJpeg, aPng } from '../../../support/images.js';
import {
  setUp,
  startActionsApi,
  type ActionsApi,
  type Org,
  type Row,
} from '../../../support/api.js';

interface View {
  is_enabled: boolean;
  portal_url: string;
  invite_url: string | null;
  own: string[];
  [setting: string]: unknown;
}

describe("partners' portals", () => {
  let api: ActionsApi;
  let org: Org;
  let buyer: Row;
  let supplier: Row;
  beforeAll(async () => {
    api = await startActionsApi();
    org = await api.org();
    ({ buyer, supplier } = await setUp(api, org));
  });
  afterAll(() => api.stop());

  const configure = (settings: object) =>
    api.done<View>(org, 'configure_portal_settings', { buyer_id: buyer.id, ...settings });
  const refused = async (settings: object) => {
    const key = await org.sharedKey();
    const input = { buyer_id: buyer.id, ...settings };
    const { status, json } = await api.call(key, 'configure_portal_settings', input);
    return { status, details: json?.details as { path: string; code: string; message: string }[] };
  };
  const scope = () => ({ kind: 'buyer', buyer_id: buyer.id }) as const;

  it('are opened and the first person is invited in one call', async () => {
    const opened = await api.done<View>(org, 'enable_buyer_portal', {
      buyerId: buyer.id,
      email: 'pat@buyer.example',
    });
    expect(opened).toMatchObject({ is_enabled: true, returns: true, pause: 'request' });
    expect(opened.invite_url).toMatch(/^https:\/\/leads\.example\/invite\//);
    const members = await api.done(org, 'get_portal_members', { buyer_id: buyer.id });
    expect(members).toMatchObject([
      {
        email: 'pat@buyer.example',
        role: 'admin',
        state: 'invited',
        party: { kind: 'buyer', id: buyer.id },
      },
    ]);
    expect(await api.done(org, 'list_portals')).toMatchObject([
      { side: 'buyer', party: { id: buyer.id, name: 'Acme' } },
    ]);
  });

  it.each([
    ['buyer', 'admin', ['leads:read', 'buyers:write'], 'leads:write'],
    ['buyer', 'admin', ['leads:write', 'buyers:read'], 'buyers:write'],
    ['buyer', 'viewer', ['buyers:write', 'suppliers:write'], 'leads:read'],
    ['buyer', 'viewer', ['leads:write'], 'buyers:read'],
    ['supplier', 'admin', ['leads:write', 'buyers:write'], 'suppliers:write'],
    ['supplier', 'viewer', [], 'leads:read'],
  ] as const)(
    'of a %s give no role %s to a person invited by a key with portal:write and %j',
    async (side, role, more, required) => {
      const { accessLinks, portalSettings } = api.collections;
      const isNew = { name: `${role} without ${required}` };
      const party = await api.done<Row>(org, `create_${side}`, isNew);
      const id = { [`${side}_id`]: party.id };
      const key = await org.sharedKey(['portal:write', ...more]);
      const person = { email: 'own.mailbox@example.com', role };
      const answers = [
        await api.call(key, 'add_portal_member', { ...id, ...person }),
        await api.call(key, `enable_${side}_portal`, { ...id, ...person, enabled: false }),
      ];
      for (const { status, json } of answers)
        expect([status, json?.error, json?.required]).toEqual([403, 'forbidden', required]);
      expect(answers[0]?.json?.message).toBe(
        `A caller cannot grant the role ${role} in a ${side}'s portal, which includes ${required}: it does not have that itself.`,
      );
      const opening = await api.call(key, `enable_${side}_portal`, id);
      expect([opening.status, opening.json?.error]).toEqual([403, 'forbidden']);
      expect(await portalSettings.countDocuments({ party_id: party.id })).toBe(0);
      const stored = await accessLinks.countDocuments({ scope_key: `${side}:${party.id}` });
      expect(stored).toBe(0);
    },
  );

  it('are opened, and closed, by a key with the rights that they give', async () => {
    const { id: buyer_id } = await api.done<Row>(org, 'create_buyer', { name: 'Let in' });
    const rights = ['portal:write', 'leads:write', 'buyers:write'] as const;
    const person = { email: 'pat@let-in.example', role: 'viewer' };
    const opened = await api.call(await org.sharedKey([...rights]), 'enable_buyer_portal', {
      buyer_id,
      ...person,
    });
    expect([opened.status, opened.json?.data]).toMatchObject([200, { is_enabled: true }]);
    const closing = { buyer_id, enabled: false };
    const alone = await org.sharedKey(['portal:write']);
    const closed = await api.call(alone, 'enable_buyer_portal', closing);
    expect([closed.status, closed.json?.data]).toMatchObject([200, { is_enabled: false }]);
  });

  it('answer no call once they are closed', async () => {
    const { collections } = api;
    await api.done(org, 'enable_supplier_portal', { supplier_id: supplier.id });
    const theirs = { kind: 'supplier', supplier_id: supplier.id } as const;
    expect(await portalOf(collections, org.id, theirs)).toMatchObject({ is_enabled: true });
    await api.done(org, 'enable_supplier_portal', { supplier_id: supplier.id, enabled: false });
    expect(await portalOf(collections, org.id, theirs)).toBeNull();
  });

  it('are hidden from other organizations, and gone with a deleted supplier', async () => {
    const { collections } = api;
    const other = await api.org();
    await api.done(org, 'enable_buyer_portal', { buyer_id: buyer.id });
    expect(await portalOf(collections, other.id, scope())).toBeNull();
    const gone = await api.done<Row>(org, 'create_supplier', { name: 'Gone' });
    await api.done(org, 'enable_supplier_portal', { supplier_id: gone.id });
    await api.done(org, 'delete_supplier', { supplier_id: gone.id });
    const theirs = { kind: 'supplier', supplier_id: gone.id } as const;
    expect(await portalOf(collections, org.id, theirs)).toBeNull();
  });

  it('use the settings of their side, except where they have their own', async () => {
    await api.done(org, 'configure_portal_settings', {
      side: 'buyer',
      exports: false,
      pause: 'off',
    });
    const own = await configure({ pause: 'direct', changeRequests: false });
    expect(own).toMatchObject({ exports: false, pause: 'direct', change_requests: false });
    expect(own.own.toSorted()).toEqual(['change_requests', 'pause']);
    const back = await configure({ pause: null });
    expect(back).toMatchObject({ pause: 'off', own: ['change_requests'] });
    await api.done(org, 'configure_portal_settings', { side: 'buyer', exports: null, pause: null });
    expect(await portalOf(api.collections, org.id, scope())).toMatchObject({
      exports: true,
      pause: 'request',
      change_requests: false,
    });
  });

  it('show only fields that a campaign has', async () => {
    expect(await configure({ fields: ['first_name', 'state'] })).toMatchObject({
      fields: ['first_name', 'state'],
    });
    expect(await configure({ fields: ['*'] })).toMatchObject({ fields: null });
    const { status, details } = await refused({ fields: ['first_nam'] });
    expect(status).toBe(422);
    expect(details[0]).toMatchObject({ path: 'fields', code: 'not_allowed' });
    expect(details[0]?.message).toContain('first_name');
  });

  it('accept a color only if it is readable, and name a shade that is', async () => {
    const { status, details } = await refused({ primary_color: '#ffd400' });
    expect(status).toBe(422);
    expect(details[0]).toMatchObject({ path: 'primary_color', code: 'not_allowed' });
    const shade = /shade that would do is (#[0-9a-f]{6})/.exec(details[0]?.message ?? '')?.[1];
    expect(shade).toBeDefined();
    const taken = await configure({ primary_color: shade });
    expect(taken).toMatchObject({ primary_color: shade });
    expect(taken.dark_primary_color).toMatch(/^#[0-9a-f]{6}$/);
    expect((await refused({ accent_color: 'blue' })).details[0]).toMatchObject({
      path: 'accent_color',
      code: 'invalid_format',
    });
  });

  it('report every wrong setting at once', async () => {
    const { details } = await refused({ primary_color: 'red', accent_color: 'blue' });
    expect(details.map(({ path }) => path)).toEqual(['primary_color', 'accent_color']);
  });

  describe('have a logo', () => {
    it.each([
      ['PNG', aPng(400, 100)],
      ['JPEG', aJpeg(400, 100)],
      ['PNG of the most bytes and pixels', aPng(2_000, 2_000, 200_000)],
    ])('that is a %s', async (_kind, file) => {
      expect(await configure({ logo: file.toString('base64') })).toMatchObject({ has_logo: true });
      const kept = await api.collections.portalLogos.find({ org_id: org.id }).toArray();
      expect(kept.map(({ bytes }) => Buffer.from(bytes.buffer))).toEqual([file]);
    });

    it('that can be removed again', async () => {
      await configure({ logo: aPng(10, 10).toString('base64') });
      expect(await configure({ logo: null })).toMatchObject({ has_logo: false });
      expect(await api.collections.portalLogos.countDocuments({ org_id: org.id })).toBe(0);
    });

    it.each([
      ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'invalid_format'],
      ['a page with the beginning of none', Buffer.from('GIF89a'), 'invalid_format'],
      ['one byte too large', aPng(10, 10, 200_001), 'too_long'],
      ['one pixel too wide', aPng(2_001, 10), 'out_of_range'],
      ['cut off', aPng(10, 10).subarray(0, 12), 'invalid_format'],
    ])('never one that is %s', async (_what, file, code) => {
      const { status, details } = await refused({ logo: file.toString('base64') });
      expect([status, details[0]?.path, details[0]?.code]).toEqual([422, 'logo', code]);
    });

    it('whose image is never in the audit record', async () => {
      const file = aPng(20, 20).toString('base64');
      await configure({ logo: file });
      const entries = await api.done(org, 'list_audit', { action: 'configure_portal_settings' });
      expect(JSON.stringify(entries)).not.toContain(file);
    });
  });

  it('name exactly one partner: two, or none, are refused', async () => {
    const key = await org.sharedKey();
    const both = { buyer_id: buyer.id, supplier_id: supplier.id, email: 'a@b.example' };
    for (const input of [both, { email: 'a@b.example' }])
      expect((await api.call(key, 'add_portal_member', input)).status).toBe(422);
    expect((await api.call(key, 'configure_portal_settings', {})).status).toBe(422);
    expect((await api.call(key, 'get_portal_settings', {})).json?.data).toMatchObject({
      side: 'buyer',
      party: null,
    });
  });

  it('have members of their own, which actions on organization members do not find', async () => {
    const added = await api.done<{ member: Row }>(org, 'add_portal_member', {
      supplierId: supplier.id,
      email: 'sam@supplier.example',
      role: 'viewer',
    });
    expect(JSON.stringify(await api.done(org, 'list_members'))).not.toContain('sam@supplier');
    const key = await org.sharedKey();
    const member = { member_id: added.member.id };
    expect((await api.call(key, 'remove_member', member)).status).toBe(400);
    expect(await api.done(org, 'remove_portal_member', member)).toMatchObject({
      email: 'sam@supplier.example',
    });
  });
});
