/** The people of the organization, as its keys manage them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ActionName } from '../../../../src/api/actions/names.js';
import { signInMember } from '../../../support/portal.js';
import { startActionsApi, type ActionsApi, type Org, type Row } from '../../../support/api.js';

interface Invited {
  member: Row;
  invite_url: string | null;
}

describe('members', () => {
  let api: ActionsApi;
  beforeAll(async () => {
    api = await startActionsApi();
  });
  afterAll(() => api.stop());

  const join = (org: Org, role: 'admin' | 'viewer') =>
    signInMember(api.collections, { org_id: org.id, scope: { kind: 'organization' }, role });
  const call = async (org: Org, action: ActionName, input: object) =>
    api.call(await org.sharedKey(), action, input);

  it('are invited by a link, shown in the answer when no mail server is set', async () => {
    const org = await api.org();
    const { member, invite_url } = await api.done<Invited>(org, 'invite_member', {
      email: 'ada@example.com',
      role: 'operator',
    });
    expect(invite_url).toMatch(/^https:\/\/leads\.example\/invite\/[\w-]{43}$/);
    expect(member).toMatchObject({ email: 'ada@example.com', role: 'operator', state: 'invited' });
    expect(await api.done(org, 'list_members')).toMatchObject([{ id: member.id, name: null }]);
    const entries = await api.done(org, 'list_audit', { action: 'invite_member' });
    expect(JSON.stringify(entries)).not.toContain(String(invite_url).split('/').at(-1));
  });

  it('are refused with an invalid role or address, named by field', async () => {
    const org = await api.org();
    const { status, json } = await call(org, 'invite_member', { email: 'ada', role: 'owner' });
    expect(status).toBe(422);
    expect(json?.details).toMatchObject([{ path: 'email' }, { path: 'role' }]);
  });

  it('get no role with more rights than its giver has', async () => {
    const org = await api.org();
    const key = await org.sharedKey(['settings:write', 'leads:read']);
    const member_id = (await join(org, 'viewer')).membership_id;
    const given = [
      await api.call(key, 'invite_member', { email: 'eve@example.com', role: 'admin' }),
      await api.call(key, 'update_member', { member_id, role: 'operator' }),
    ];
    for (const { status, json } of given) {
      expect([status, json?.error]).toEqual([403, 'forbidden']);
      expect(json?.required).toBe('campaigns:write');
    }
    expect(await api.done(org, 'list_members')).toMatchObject([{ id: member_id, role: 'viewer' }]);
  });

  it('always include an admin: of the last two removed at once, one stays', async () => {
    const org = await api.org();
    const admins = [await join(org, 'admin'), await join(org, 'admin')];
    const gone = await Promise.all(
      admins.map(({ membership_id }) => call(org, 'remove_member', { member_id: membership_id })),
    );
    expect(gone.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(gone.find(({ status }) => status === 400)?.json?.error).toBe('action_refused');
    const left = await api.done<Row[]>(org, 'list_members');
    expect(left).toMatchObject([{ role: 'admin' }]);
    const demoted = await call(org, 'update_member', { member_id: left[0]?.id, role: 'viewer' });
    expect([demoted.status, demoted.json?.error]).toEqual([400, 'action_refused']);
  });

  it('have sessions that are listed without their tokens, and end one by one', async () => {
    const org = await api.org();
    await join(org, 'admin');
    const who = await join(org, 'viewer');
    const member_id = who.membership_id;
    const sessions = await api.done<Row[]>(org, 'list_sessions', { memberId: member_id });
    expect(sessions).toMatchObject([{ id: who.session_id, via: 'password' }]);
    expect(JSON.stringify(sessions)).not.toContain(who.token);
    await api.done(org, 'revoke_session', { member_id, session_id: who.session_id });
    expect(await api.done<Row[]>(org, 'list_sessions', { member_id })).toEqual([]);
  });
});
