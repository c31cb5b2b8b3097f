/** A portal from the operator's side and the partner's, over HTTP, as both browsers use it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ActionName } from '../../src/api/actions/names.js';
import { aPng } from '../support/images.js';
import {
  partnerScope,
  portalClient,
  signInMember,
  type SignedInMember,
} from '../support/portal.js';
import { startTestbed, type Testbed } from '../support/testbed.js';

interface Change {
  id: string;
  state: string;
  changes: unknown[];
  note: string | null;
}

describe('a portal over HTTP', () => {
  let testbed: Testbed;
  let operator: SignedInMember;
  let pat: SignedInMember;
  let ids: { org: string; campaign: string; buyer: string };
  beforeAll(async () => {
    testbed = await startTestbed();
    const market = await testbed.market({ buyers: { mine: { price: 25 } } });
    const { orgId: org, campaignId: campaign, buyers } = market.account;
    ids = { org, campaign, buyer: buyers.mine ?? '' };
    const { collections } = testbed;
    operator = await signInMember(collections, {
      org_id: org,
      scope: { kind: 'organization' },
      role: 'operator',
      name: 'Olga',
    });
    const scope = partnerScope('buyer', ids.buyer);
    pat = await signInMember(collections, { org_id: org, scope, name: 'Pat' });
  });
  afterAll(() => testbed.stop());

  const act = async <T>(action: ActionName, input: object = {}): Promise<T> => {
    const base = `${testbed.url}/console/api/${operator.membership_id}/actions`;
    const answer = await fetch(`${base}/${action}`, {
      method: 'POST',
      headers: {
        cookie: operator.cookie,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
      },
      body: JSON.stringify(input),
    });
    const json = (await answer.json()) as { data: T };
    if (answer.status !== 200) throw new Error(`${action}: ${JSON.stringify(json)}`);
    return json.data;
  };
  const logo = (who: SignedInMember, query = '') =>
    fetch(`${testbed.url}/portal/api/${pat.membership_id}/logo${query}`, {
      headers: { cookie: who.cookie },
    });

  it('is 404 until it is enabled', async () => {
    const client = portalClient(testbed.url, pat);
    expect((await client.me()).status).toBe(404);
    await act('enable_buyer_portal', { buyer_id: ids.buyer });
    expect((await client.me()).status).toBe(200);
  });

  it('shows its logo, of the maximum size, to its own members alone', async () => {
    const file = aPng(2_000, 1_000, 200_000);
    await act('configure_portal_settings', {
      buyer_id: ids.buyer,
      logo: file.toString('base64'),
      primary_color: '#1d4ed8',
    });
    const me = (await portalClient(testbed.url, pat).me()).json?.data as {
      settings: { branding: Record<string, string> };
    };
    const { logo_id, primary_color } = me.settings.branding;
    expect(primary_color).toBe('#1d4ed8');
    const shown = await logo(pat, `?v=${String(logo_id)}`);
    expect(Buffer.from(await shown.arrayBuffer()).equals(file)).toBe(true);
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=31536000, immutable',
    });
    expect((await logo(pat)).headers.get('cache-control')).toBe('private, no-cache');
    expect((await logo(operator)).status).toBe(404);
    expect((await logo({ ...pat, cookie: '' })).status).toBe(401);
  });

  it('says what is left of its calls in every answer, and in every refusal of a known person', async () => {
    const at = (path: string, init: RequestInit = {}) =>
      fetch(`${testbed.url}/portal/api/${pat.membership_id}/${path}`, {
        ...init,
        headers: {
          cookie: pat.cookie,
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json',
        },
      });
    const call = (name: string, body: string) => at(name, { method: 'POST', body });
    await act('configure_portal_settings', { buyer_id: ids.buyer, resend: false });
    const answers = [
      await at('me'),
      await at('logo'),
      await at('files/leads.csv'),
      await call('get_terms', '{}'),
      await call('no_such_call', '{}'),
      await call('get_terms', '{'),
      await call('get_terms', '{"unknown":1}'),
      await call('resend_delivery', '{}'),
      await fetch(`${testbed.url}/portal/api/mem_none/me`, { headers: { cookie: pat.cookie } }),
    ];
    const told = answers.map(({ status, headers }) => [
      status,
      headers.get('ratelimit-policy'),
      /^"calls";r=\d+;t=\d+$/.test(headers.get('ratelimit') ?? ''),
    ]);
    const statuses = [200, 200, 200, 200, 404, 400, 422, 403, 404];
    expect(told).toEqual(statuses.map((status) => [status, '"calls";q=600;w=60', true]));
    await answers[2]?.text();
  });

  it('has a change requested, approved and applied, each in the name of the person who acts', async () => {
    const client = portalClient(testbed.url, pat);
    const asked = await client.call('request_change', {
      campaign_id: ids.campaign,
      price: 20,
      reason: 'Prices fell',
    });
    expect(asked.status).toBe(200);
    const { id } = asked.json?.data as Change;
    const [waiting] = await act<Change[]>('list_change_requests', { state: 'pending' });
    expect(waiting).toMatchObject({
      id,
      reason: 'Prices fell',
      requested_by: { kind: 'person', name: 'Pat' },
      party: { kind: 'buyer', name: 'mine' },
      changes: [{ name: 'price', before: 25, after: 20 }],
    });
    const decided = await act<Change>('resolve_change_request', {
      request_id: id,
      result: 'approve',
      note: 'From today',
    });
    expect(decided).toMatchObject({ state: 'approved', resolved_by: { name: 'Olga' } });
    const [seen] = (await client.call('list_changes')).json?.data as Change[];
    expect(seen).toMatchObject({ id, state: 'approved', note: 'From today' });
    const { versions } = await act<{ versions: unknown[] }>('get_plan_history', {
      campaign_id: ids.campaign,
    });
    expect(versions[0]).toMatchObject({
      by: { kind: 'person', name: 'Olga' },
      action: 'resolve_change_request',
      changes: [{ from: 25, to: 20 }],
    });
    const entry = await testbed.collections.audit.findOne({
      action: 'buyer_portal.request_change',
    });
    expect(entry).toMatchObject({
      person: { name: 'Pat' },
      party: { kind: 'buyer', id: ids.buyer },
      outcome: 'done',
    });
  });

  it('closes at the next request of a signed-in person', async () => {
    const client = portalClient(testbed.url, pat);
    expect((await client.call('list_changes')).status).toBe(200);
    await act('enable_buyer_portal', { buyer_id: ids.buyer, enabled: false });
    expect((await client.call('list_changes')).status).toBe(404);
    expect((await client.me()).status).toBe(404);
    expect((await logo(pat)).status).toBe(404);
    await act('enable_buyer_portal', { buyer_id: ids.buyer });
    expect((await client.me()).status).toBe(200);
  });
});
