/** The answers of funnel addresses: the page, its files, the preview, and a closed funnel. */
import { createHash } from 'node:crypto';
import { Binary } from 'mongodb';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FunnelDoc } from '../../../src/funnels/store/funnelDocs.js';
import { aDefinition, openSite, tokensAt, type Site } from '../../funnels/support/visitors.js';
import { aPng } from '../../support/images.js';
import { startTestbed, type Market, type Testbed } from '../../support/testbed.js';
import { waitFor } from '../../support/waitFor.js';

let testbed: Testbed;
let market: Market;

beforeAll(async () => {
  testbed = await startTestbed({ role: 'api' });
  market = await testbed.market();
});
afterAll(() => testbed.stop());

async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await request(`${testbed.url}${path}`, { headers });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: await answer.body.text(),
  };
}

const open = (definition = aDefinition()): Promise<Site> =>
  openSite(testbed, testbed.url, market, definition);

/** The token of a page, and its purpose. */
const tokenOf = (html: string) =>
  tokensAt(0).readToken(/name="t" value="([^"]+)"/.exec(html)?.[1] ?? '');

describe('the address of a funnel', () => {
  it('shows the published funnel, with a token of its own for each visitor, and no cookie', async () => {
    const { funnel } = await open();
    const [one, two] = [await get(`/f/${funnel.slug}`), await get(`/f/${funnel.slug}`)];
    expect(one.status).toBe(200);
    expect(one.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(one.headers).not.toHaveProperty('set-cookie');
    expect(one.headers).not.toHaveProperty('x-frame-options');
    const [first, second] = [tokenOf(one.text), tokenOf(two.text)];
    expect(first).toMatchObject({
      kind: 'valid',
      page: { funnelId: funnel._id, version: 1, mode: 'live' },
    });
    expect(first.kind === 'valid' && second.kind === 'valid' && first.page.nonce).not.toBe(
      second.kind === 'valid' && second.page.nonce,
    );
  });

  it('keeps the source of its visitors, truncated to 500 characters', async () => {
    const { funnel } = await open();
    const query = new URLSearchParams({
      utm_source: 'mail"<',
      gclid: 'x'.repeat(600),
      secret: 'no',
      lw_page: 'https://shop.example/offer',
    });
    const { text } = await get(`/f/${funnel.slug}?${query.toString()}`, {
      referer: 'https://news.example/a',
    });
    expect(text).toContain('name="u.utm_source" value="mail&#34;&#60;"');
    expect(text).toContain(`name="u.gclid" value="${'x'.repeat(500)}"`);
    expect(text).toContain('name="p" value="https://shop.example/offer"');
    expect(text).toContain('name="r" value="https://news.example/a"');
    expect(text).not.toContain('u.secret');
  });

  it('is compressed if the browser accepts that', async () => {
    const { funnel } = await open();
    const answer = await request(`${testbed.url}/f/${funnel.slug}`, {
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(answer.headers['content-encoding']).toBe('gzip');
    const bytes = await answer.body.arrayBuffer();
    expect(bytes.byteLength).toBeLessThan(8_000);
  });

  it('is a 404 page where there is no funnel', async () => {
    const { status, headers, text } = await get('/f/nothing-here');
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('There is no form at this address.');
  });

  type Collections = Testbed['collections'];
  it.each<[string, number, (collections: Collections, funnel: FunnelDoc) => Promise<unknown>]>([
    [
      'it is unpublished',
      404,
      ({ funnels }, { _id }) => funnels.updateOne({ _id }, { $set: { status: 'unpublished' } }),
    ],
    [
      'its campaign is gone',
      200,
      ({ funnels }, { _id }) =>
        funnels.updateOne(
          { _id },
          { $set: { campaign_id: '00000000-0000-4000-8000-000000000000' } },
        ),
    ],
    [
      'its supplier is no longer linked',
      200,
      ({ funnels }, { _id }) => funnels.updateOne({ _id }, { $set: { supplier_id: 'gone' } }),
    ],
  ])('shows that it is closed when %s, with %d', async (_title, status, close) => {
    const { funnel } = await open(aDefinition({ language: 'es' }));
    await close(testbed.collections, funnel);
    const closed = () => get(`/f/${funnel.slug}`);
    await waitFor(async () => (await closed()).text.includes('Este formulario está cerrado'), {
      message: 'the page says that it is closed',
    });
    expect((await closed()).status).toBe(status);
    expect((await closed()).text).not.toContain('<form');
  });

  it('reads the database a few times, however many visitors come at once', async () => {
    const { funnel } = await open();
    const reads = async (): Promise<number> => {
      const { values } = await testbed.service.deps.metrics.mongodbCommands.get();
      return values
        .filter(({ labels }) =>
          /^(?:funnels|funnel_versions|plans)$/.test(String(labels.collection)),
        )
        .reduce((sum, { value }) => sum + value, 0);
    };
    const before = await reads();
    const pages = await Promise.all(Array.from({ length: 100 }, () => get(`/f/${funnel.slug}`)));
    expect(pages.every(({ status }) => status === 200)).toBe(true);
    expect((await reads()) - before).toBeLessThan(20);
  });
});

describe('a preview', () => {
  it('shows the draft by its signed address, and makes tests', async () => {
    const { funnel } = await open();
    await testbed.collections.funnels.updateOne(
      { _id: funnel._id },
      { $set: { 'definition.title': 'The next title', draft_version: 7 } },
    );
    const token = tokensAt(0).issuePreview(funnel._id);
    const { status, text } = await get(`/f/preview/${funnel._id}?token=${token}`);
    expect(status).toBe(200);
    expect(text).toContain('The next title');
    expect(tokenOf(text)).toMatchObject({ page: { version: 7, mode: 'preview' } });
  });

  it('is not found with any other token, or after a week', async () => {
    const [{ funnel }, { funnel: other }] = [await open(), await open()];
    const tokens = [
      '',
      'made.up',
      tokensAt(0).issuePreview(other._id),
      tokensAt(8 * 86_400_000).issuePreview(funnel._id),
    ];
    for (const token of tokens)
      expect((await get(`/f/preview/${funnel._id}?token=${token}`)).status).toBe(404);
  });
});

describe('the files of a page', () => {
  it('are cached by browsers forever, and come only from this site', async () => {
    const { funnel } = await open();
    const { text } = await get(`/f/${funnel.slug}`);
    const styles = [...text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(
      ([, href = '']) => href,
    );
    expect(styles).toHaveLength(2);
    for (const style of styles) {
      const { status, headers } = await get(style);
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('text/css; charset=utf-8');
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
    expect((await get('/f/assets/theme-ffffff.css')).status).toBe(404);
  });

  it('include its images, only those of its own organization', async () => {
    const bytes = aPng(8, 8);
    const hash = createHash('sha256').update(bytes).digest('hex');
    const definition = aDefinition();
    const { funnel } = await open({
      ...definition,
      theme: { ...definition.theme, logoUrl: `asset:${hash}` },
    });
    const stranger = await openSite(testbed, testbed.url, await testbed.market());
    await testbed.collections.funnelAssets.insertOne({
      _id: `${funnel.org_id}:${hash}`,
      org_id: funnel.org_id,
      type: 'image/png',
      bytes: new Binary(bytes),
      created_at: new Date(),
    });
    const path = `/f/${funnel.slug}/pictures/${hash}`;
    expect((await get(`/f/${funnel.slug}`)).text).toContain(`<img src="${path}"`);
    const picture = await get(path);
    expect(picture.status).toBe(200);
    expect(picture.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-length': String(bytes.length),
    });
    expect((await get(`/f/${stranger.funnel.slug}/pictures/${hash}`)).status).toBe(404);
    expect((await get(`/f/${funnel.slug}/pictures/nothing`)).status).toBe(404);
  });
});
