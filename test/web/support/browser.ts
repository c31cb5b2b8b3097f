/** Pages in a real Chromium: opens a page, uses it by keyboard, and reports its faults. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { SESSION_COOKIE } from '../../../src/people/types.js';

/** The headless build first: the same pages take half of the processor's time in it. */
const PATHS = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const executablePath = PATHS.find((path) => path !== undefined && existsSync(path));

/**
 * A block of tests in a browser. Without one they are skipped, with a line that says so; with REQUIRE_BROWSER=1 they
 * fail.
 * @param body gets the function that opens the browser's pages
 */
export function describeInBrowser(title: string, body: (open: OpenVisit) => void): void {
  if (executablePath === undefined) {
    withoutBrowser(title);
    return;
  }
  describe(title, () => {
    let browser: Browser;
    const visits: Visit[] = [];
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    });
    afterAll(async () => {
      await Promise.all(visits.map((visit) => visit.context.close()));
      await browser.close();
    });
    body(async (look) => {
      const visit = await openVisit(browser, look);
      visits.push(visit);
      return visit;
    });
  });
}

function withoutBrowser(title: string): void {
  const missing = 'there is no Chromium: install one, or name it in CHROMIUM_PATH';
  if (process.env.REQUIRE_BROWSER === '1') {
    it(title, () => {
      throw new Error(missing);
    });
    return;
  }
  process.stderr.write(`Skipped, ${missing}: ${title}\n`);
  describe.skip(title, () => {
    it('in a browser', () => undefined);
  });
}

export interface Look {
  /** Base of relative addresses; requests to any other origin are troubles. */
  url: string;
  /** Pixels; default 1280. */
  width?: number;
  theme?: 'light' | 'dark';
  /** The token of a session. */
  session?: string;
  /** false: pages run no scripts. */
  scripts?: boolean;
}

export type OpenVisit = (look: Look) => Promise<Visit>;

/** Every look in which a screen must be right. */
export const LOOKS = [
  { width: 360, theme: 'light' },
  { width: 360, theme: 'dark' },
  { width: 1280, theme: 'light' },
  { width: 1280, theme: 'dark' },
] as const;

/** One person with one browser. */
export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Errors of scripts and of the console, and requests to other origins, since the last call. */
  troubles: () => string[];
}

const HEIGHT_PX = 900;

async function openVisit(browser: Browser, look: Look): Promise<Visit> {
  const { url, width = 1280, theme = 'light', session, scripts = true } = look;
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height: HEIGHT_PX },
    colorScheme: theme,
    reducedMotion: 'reduce',
    javaScriptEnabled: scripts,
  });
  if (session !== undefined) await signIn(context, url, session);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal(message.text()))
      troubles.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && origin !== new URL(url).origin)
      troubles.push(`request to ${origin}`);
  });
  return { context, page, troubles: () => troubles.splice(0) };
}

/** Chromium logs each 4xx answer to the console; the page shows its message. */
const isRefusal = (text: string): boolean =>
  text.startsWith('Failed to load resource: the server responded with a status of 4');

/** Gives the browser a session. */
export const signIn = (context: BrowserContext, url: string, token: string): Promise<void> =>
  context.addCookies([
    {
      name: SESSION_COOKIE,
      value: token,
      domain: new URL(url).hostname,
      path: '/',
      secure: true,
      httpOnly: true,
      sameSite: 'Lax',
    },
  ]);

type RunOnly = NonNullable<Parameters<AxeBuilder['options']>[0]['runOnly']>;

const RULES: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** Those of RULES that look at colors. */
const COLOR_RULES: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** The page as it is now: no violation found by axe, nothing wider than the window, no trouble so far. */
export async function expectSound(
  { page, troubles }: Visit,
  rules: RunOnly = RULES,
): Promise<void> {
  const axe = new AxeBuilder({ page }).options({ runOnly: rules, resultTypes: ['violations'] });
  // A page without frames needs no second one in which their results are put together.
  if (page.frames().length === 1) axe.setLegacyMode();
  const { violations } = await axe.analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
  );
  expect(found).toEqual([]);
  const wider = await page.evaluate<number>(
    'document.documentElement.scrollWidth - window.innerWidth',
  );
  expect(wider).toBeLessThanOrEqual(0);
  expect(troubles()).toEqual([]);
}

/**
 * The same in every look, one after the other on one page that is loaded once. The themes differ only in colors, so axe
 * checks only those again in the dark one.
 * @param picture the name of the screenshot, which is of the wide light look; undefined: none
 */
export async function expectSoundInEveryLook(
  visit: Visit,
  picture?: string,
  options: { isWhole?: boolean } = {},
): Promise<void> {
  for (const { width, theme } of LOOKS) {
    await visit.page.setViewportSize({ width, height: HEIGHT_PX });
    await visit.page.emulateMedia({ colorScheme: theme });
    // A page that redraws itself does so in the next frames.
    await visit.page.waitForFunction('document.documentElement.scrollWidth <= window.innerWidth');
    await expectSound(visit, theme === 'light' ? RULES : COLOR_RULES);
    const isShown = picture !== undefined && width === 1280 && theme === 'light';
    if (isShown) await screenshot(visit, picture, options);
  }
}

const SCREENSHOTS = process.env.SCREENSHOTS ?? 'dist/screenshots';

/**
 * A screenshot for people: `<name>.png` in the folder that SCREENSHOTS names.
 * @param isWhole false: only the part of a long page in the window
 */
export async function screenshot(
  { page }: Visit,
  name: string,
  { isWhole = true }: { isWhole?: boolean } = {},
): Promise<void> {
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: isWhole });
}
