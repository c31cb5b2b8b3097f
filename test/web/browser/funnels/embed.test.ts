import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { FrameLocator, Page } from 'playwright-core';
import { waitFor } from '../../../support/waitFor.js';
import { expectSound, screenshot, type Visit } from '../../../support/browser.js';
import { aVisitor, end, onStage, pointer, soldTo, walk, type Funnel } from './stage.js';

/** A page of another site, whose policy allows only the two things that an embed needs. */
interface HostPage {
  url: string;
  show(html: string, allowed: string): void;
  stop(): Promise<void>;
}

async function startHostPage(): Promise<HostPage> {
  let page = { html: '', allowed: '' };
  const server = createServer((_, response) => {
    const { html, allowed } = page;
    const policy = `default-src 'none'; script-src ${allowed}; frame-src ${allowed}`;
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
    });
    response.end(html);
  });
  // Another port is another origin, but the same site: this test does not cover the isolation of cookies and storage.
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    show: (html, allowed) => void (page = { html, allowed }),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

onStage('a funnel on a page of another site', (stage) => {
  let host: HostPage;
  beforeAll(async () => {
    host = await startHostPage();
  });
  afterAll(() => host.stop());

  const funnelFor = (domains: string[]): Promise<Funnel> =>
    stage().funnel({
      template: 'quiz',
      change: (definition) => ({ ...definition, embed: { domains } }),
    });

  /** The host page with the funnel's own embed code. */
  async function visitHost({ embedCode }: Funnel, query = '', below = ''): Promise<Visit> {
    host.show(
      `<!doctype html><html lang="en"><title>Host</title><main><h1>Host</h1>${embedCode}${below}</main></html>`,
      stage().bed.url,
    );
    const visit = await stage().open({ url: host.url });
    await visit.page.addInitScript(`
      window.heard = [];
      for (const name of ['leadwire:step', 'leadwire:submitted'])
        document.addEventListener(name, ({ type, detail }) => heard.push({ type, ...detail }));
    `);
    await visit.page.goto(`/${query}`);
    return visit;
  }
  const heard = (page: Page): Promise<{ type: string; step?: string; outcome?: string }[]> =>
    page.evaluate('heard');
  const heightOf = async (page: Page): Promise<number> =>
    (await page.locator('iframe').boundingBox())?.height ?? 0;
  const inFrame = (page: Page): FrameLocator => page.frameLocator('iframe');
  /** Whether the frame is as high as its content. */
  const fits = async (page: Page): Promise<boolean> => {
    const frame = await page.locator('iframe').boundingBox();
    const shown = await inFrame(page).locator('body').boundingBox();
    return frame !== null && shown !== null && Math.abs(frame.height - shown.height) <= 2;
  };

  it('is filled in within the host page, as high as its content at 360 and 1280 px', async () => {
    const funnel = await funnelFor([new URL(host.url).host]);
    const visit = await visitHost(funnel, '?utm_source=host');
    const { page } = visit;
    const frame = inFrame(page);
    const visitor = aVisitor();
    const heights: number[] = [];
    const onStep = async (): Promise<void> => {
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 900 });
        await waitFor(() => fits(page));
      }
      heights.push(await heightOf(page));
      await screenshot(visit, 'embedded', { isWhole: false, width: 1280 });
    };
    await walk(page, visitor, pointer, onStep, frame);
    await end(frame).waitFor();
    await waitFor(() => fits(page));
    // It grows and shrinks.
    expect(new Set(heights).size).toBeGreaterThan(1);
    expect(await heightOf(page)).toBeLessThan(Math.max(...heights));
    await waitFor(async () => (await heard(page)).some(({ outcome }) => outcome === 'thanks'));
    const types = (await heard(page)).map(({ type }) => type);
    expect(types.filter((type) => type === 'leadwire:submitted')).toHaveLength(1);
    expect(types.filter((type) => type === 'leadwire:step').length).toBe(heights.length);
    const lead = await soldTo(stage(), visitor.email);
    expect(lead.extra).toMatchObject({ utm_source: 'host' });
    // The host's policy blocked nothing, and nothing came from a third origin.
    const foreign = `request to ${stage().bed.url}`;
    expect(visit.troubles().filter((trouble) => trouble !== foreign)).toEqual([]);
  });

  it("has the form's title, and is sound within the host page", async () => {
    const visit = await visitHost(await funnelFor([new URL(host.url).host]));
    const { page } = visit;
    const title = await inFrame(page).locator('title').textContent();
    await waitFor(async () => (await page.locator('iframe').getAttribute('title')) === title);
    visit.troubles();
    await expectSound(visit);
  });

  it('leaves the host page where it is until the visitor goes on to a step', async () => {
    const below = `${'<br>'.repeat(200)}<h2 id="prices">Prices</h2>${'<br>'.repeat(200)}`;
    const funnel = await funnelFor([new URL(host.url).host]);
    const { page } = await visitHost(funnel, '#prices', below);
    const top = (selector: string): Promise<number> =>
      page.evaluate(`document.querySelector('${selector}').getBoundingClientRect().top`);
    const stepsHeard = async (): Promise<number> =>
      (await heard(page)).filter(({ type }) => type === 'leadwire:step').length;
    for (const load of [() => Promise.resolve(), () => page.reload()]) {
      await load();
      await waitFor(async () => (await stepsHeard()) === 1);
      expect(await top('iframe')).toBeLessThan(-1_000);
      expect(Math.abs(await top('#prices'))).toBeLessThan(100);
    }
    // As one who has scrolled down within a step: the next one begins in view.
    const step = inFrame(page).locator('.step.is-current');
    // Without Playwright's own scrolling to what it fills in and clicks.
    await step.locator('input').evaluate((zip) => {
      (zip as unknown as { value: string }).value = '90210';
    });
    await step.locator('.next').dispatchEvent('click');
    await waitFor(async () => (await stepsHeard()) === 2);
    expect(await top('iframe')).toBeGreaterThanOrEqual(0);
  });

  it('adds no global name to the page, and ignores messages of other windows', async () => {
    const { page } = await visitHost(await funnelFor([new URL(host.url).host]));
    await waitFor(() => fits(page));
    const before = await page.locator('iframe').boundingBox();
    await page.evaluate("postMessage({ leadwire: 'height', height: 5 }, '*')");
    await page.evaluate("postMessage({ leadwire: 'submitted', outcome: 'thanks' }, '*')");
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
    expect(await page.locator('iframe').boundingBox()).toEqual(before);
    expect((await heard(page)).map(({ type }) => type)).not.toContain('leadwire:submitted');
    const names = await page.evaluate<string[]>('Object.keys(window)');
    host.show('<!doctype html><title>Host</title>', "'none'");
    await page.goto('/');
    const plain = await page.evaluate<string[]>('Object.keys(window)');
    // The frame itself adds a numeric name.
    expect(names.filter((name) => !plain.includes(name))).toEqual(['0']);
  });

  it('is blocked in pages of a site that the funnel does not name', async () => {
    const { page, troubles } = await visitHost(await funnelFor(['www.example.com']));
    await waitFor(() => page.frames().some((one) => one.url().startsWith('chrome-error:')));
    // By the policy of the funnel's own page, and not because the page cannot be reached.
    const said = troubles().filter((trouble) => trouble.startsWith('console:'));
    expect(said).toEqual([expect.stringMatching(/frame-ancestors [^"]*www\.example\.com/)]);
    expect(await heard(page)).toEqual([]);
  });
});
