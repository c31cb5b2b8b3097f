/** The counted events of funnel pages, and the ignored ones. */
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, someAnswers, type Site } from '../../funnels/support/visitors.js';
import { startTestbed, type Testbed } from '../../support/testbed.js';
import { waitFor } from '../../support/waitFor.js';

describe('a page of a funnel', () => {
  let testbed: Testbed;

  beforeAll(async () => {
    testbed = await startTestbed({ own: true });
  });
  afterAll(() => testbed.stop());

  const open = async (): Promise<Site> => openSite(testbed, testbed.url, await testbed.market());
  const addressOf = ({ funnel }: Site): string => `${testbed.url}/f/${funnel.slug}`;
  const tell = async (site: Site, message: unknown): Promise<number> => {
    const { statusCode, body } = await request(`${addressOf(site)}/count`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain;charset=UTF-8' },
      body: typeof message === 'string' ? message : JSON.stringify(message),
    });
    await body.dump();
    return statusCode;
  };
  const view = async (site: Site, query = '', headers: Record<string, string> = {}) => {
    const { statusCode, body } = await request(`${addressOf(site)}${query}`, { headers });
    await body.dump();
    expect(statusCode).toBe(200);
  };
  const becomes = (site: Site, rows: object[]) =>
    waitFor(
      async () => {
        const found = testbed.collections.funnelCounts.find({ funnel_id: site.funnel._id });
        expect(await found.sort({ source: 1 }).toArray()).toMatchObject(rows);
        return true;
      },
      { message: 'counts are written' },
    );

  it('is counted by the source of its visitors', async () => {
    const site = await open();
    await view(site);
    await view(site, '?utm_source=Spring');
    await view(site, '', { referer: 'https://www.search.example/?q=solar' });
    await view(site, '?lw_ref=https%3A%2F%2Fnews.example%2Fa');
    await site.post({ t: site.token(), ...someAnswers({ 'u.utm_source': 'spring' }) });
    await becomes(site, [
      { source: 'direct', views: 1, submits: 0 },
      { source: 'news.example', views: 1 },
      { source: 'search.example', views: 1 },
      { source: 'spring', views: 1, submits: 1 },
    ]);
  });

  it('has its steps counted once per token', async () => {
    const [site, other] = [await open(), await open()];
    const t = site.token();
    const told = [
      { t, event: 'start', step: 'owner' },
      { t, event: 'shown', step: 'owner' },
      { t, event: 'shown', step: 'owner' },
      { t, event: 'done', step: 'owner', utm_source: '' },
      { t: site.token(), event: 'shown', step: 'owner' },
      // Unknown events are not counted.
      { t, event: 'shown', step: 'nowhere' },
      { t, event: 'shown', step: '__proto__' },
      { t, event: 'views', step: 'owner' },
      { t: other.token(), event: 'shown', step: 'owner' },
      { t: site.token({ agoMs: 90_000_000 }), event: 'shown', step: 'owner' },
      { t: site.token({ mode: 'preview' }), event: 'shown', step: 'owner' },
      'no JSON',
    ];
    for (const message of told) expect(await tell(site, message)).toBe(204);
    expect(await tell(site, 'x'.repeat(3_000))).toBe(413);
    await becomes(site, [
      {
        source: 'direct',
        version: 1,
        views: 0,
        starts: 1,
        steps: { owner: { shown: 2, done: 1 } },
      },
    ]);
  });

  it('has its last counts stored when the service stops', async () => {
    const other = await testbed.start('api');
    const site = await openSite(testbed, other.url, await testbed.market());
    const { statusCode, body } = await request(`${other.url}/f/${site.funnel.slug}`);
    await body.dump();
    expect(statusCode).toBe(200);
    await other.stop();
    const found = testbed.collections.funnelCounts.find({ funnel_id: site.funnel._id });
    expect(await found.toArray()).toMatchObject([{ views: 1 }]);
  });
});
