/**
 * The harness of pages: opens them in a real Chromium, uses them (`keyboard.ts`), and reports their faults. Flows run at
 * 360 px; wherever a page must be sound, it is looked at in both widths.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { SESSION_COOKIE } from '../../src/people/types.js';
import { expectReached } from './keyboard.js';

/** The headless build first: the same pages take half of the processor's time in it. */
const PATHS = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const executablePath = PATHS.find((path) => path !== undefined && existsSync(path));

/** One for all test files of a worker process, with which it ends. Each visit has cookies and storage of its own. */
let launched: Promise<Browser> | undefined;
const theBrowser = (): Promise<Browser> =>
  (launched ??= chromium.launch({ executablePath, args: ['--no-sandbox'] }));

/**
 * A block of tests in a browser. Without one they are skipped, with a line that says so; with REQUIRE_BROWSER=1 they
 * fail.
 * @param body gets the function that opens the browser's pages, each until the end of the test that opens it, unless it stays
 */
export function describeInBrowser(title: string, body: (open: OpenVisit) => void): void {
  if (executablePath === undefined) {
    withoutBrowser(title);
    return;
  }
  describe(title, () => {
    const visits: Visit[] = [];
    const stays: Visit[] = [];
    const close = async (some: Visit[]): Promise<void> => {
      await Promise.all(some.splice(0).map(({ context }) => context.close()));
    };
    afterEach(() => close(visits));
    afterAll(() => close(stays));
    body(async (look) => {
      const visit = await openVisit(await theBrowser(), look);
      (look.stays ? stays : visits).push(visit);
      return visit;
    });
  });
}

/**
 * The same with an environment of its own, which is built once for all tests of the block.
 * @param body gets a function that returns the environment once a test runs
 * @param limitMs how long it may take to build
 */
export function describeOnStage<S extends { bed: { stop(): Promise<void> } }>(
  title: string,
  build: (open: OpenVisit) => Promise<S>,
  body: (stage: () => S) => void,
  limitMs?: number,
): void {
  describeInBrowser(title, (open) => {
    let stage: S | undefined;
    beforeAll(async () => {
      stage = await build(open);
    }, limitMs);
    afterAll(() => stage?.bed.stop());
    body(() => {
      if (!stage) throw new Error('The stage is not built');
      return stage;
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
  /** Pixels; default 360. */
  width?: number;
  theme?: 'light' | 'dark';
  /** The token of a session. */
  session?: string;
  /** false: pages run no scripts. */
  scripts?: boolean;
  /** true: until the end of the block, for tests that only look at one screen after another. */
  stays?: boolean;
}

export type OpenVisit = (look: Look) => Promise<Visit>;

/** In pixels: of a phone, and of a desk. */
const NARROW = 360;
const WIDE = 1280;
/** The widths in which every page must be right. */
const WIDTHS = [NARROW, WIDE] as const;

/** One person with one browser. */
export interface Visit {
  context: BrowserContext;
  page: Page;
  /** In pixels, as it was opened. */
  width: number;
  /** Errors of scripts and of the console, and requests to other origins, since the last call. */
  troubles: () => string[];
}

const HEIGHT_PX = 900;

async function openVisit(browser: Browser, look: Look): Promise<Visit> {
  const { url, width = NARROW, theme = 'light', session, scripts = true } = look;
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
  return { context, page, width, troubles: () => troubles.splice(0) };
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

/** Opens an address of the app that the page shows, as a link of it does: a third of the time of loading it again. */
export const goWithin = ({ page }: Visit, address: string): Promise<void> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`);

/**
 * For tests that look at one screen after another: the first one loads the app, in a visit that stays.
 * @param come opens a screen, given its path within the app
 */
export function walkThrough(
  come: (path: string, look: Partial<Look>) => Promise<Visit>,
): (path: string) => Promise<Visit> {
  let walk: { visit: Visit; base: string } | undefined;
  return async (path) => {
    if (walk) {
      await goWithin(walk.visit, walk.base + path);
      return walk.visit;
    }
    const visit = await come(path, { stays: true });
    const url = visit.page.url();
    walk = { visit, base: url.slice(0, url.length - path.length) };
    return visit;
  };
}

type RunOnly = NonNullable<Parameters<AxeBuilder['options']>[0]['runOnly']>;

const RULES: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** Those of RULES that look at colors. */
const COLOR_RULES: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/**
 * The page as it is now, in both widths: no violation found by axe, nothing wider than the window, no trouble so far.
 * Afterwards it has its own width again.
 */
export async function expectSound(visit: Visit): Promise<void> {
  for (const width of WIDTHS) {
    await resize(visit, width);
    await expectSoundNow(visit, RULES);
  }
  await resize(visit, visit.width);
}

/**
 * A whole screen in both widths and both themes, on one page that is loaded once; and every control that it shows is
 * reached by keyboard in the wide one: flows show it in the narrow one. The themes differ only in colors, so axe checks
 * only those again in the dark one.
 * @param picture the name of the screenshot, which is of the wide light look; undefined: none
 */
export async function expectSoundInEveryLook(
  visit: Visit,
  picture?: string,
  options: { isWhole?: boolean } = {},
): Promise<void> {
  const { page } = visit;
  for (const width of WIDTHS) {
    await resize(visit, width);
    await expectSoundNow(visit, RULES);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectSoundNow(visit, COLOR_RULES);
    await page.emulateMedia({ colorScheme: 'light' });
  }
  if (picture !== undefined) await screenshot(visit, picture, { ...options, width: WIDE });
  await expectReached(page);
}

const resize = ({ page }: Visit, width: number): Promise<void> =>
  page.setViewportSize({ width, height: HEIGHT_PX });

async function expectSoundNow({ page, troubles }: Visit, rules: RunOnly): Promise<void> {
  // A page that redraws itself does so in the next frames.
  await page
    .waitForFunction('document.documentElement.scrollWidth <= window.innerWidth')
    .catch(() => undefined);
  const { violations } = await (
    await axeOf(page)
  )
    .options({ runOnly: rules, resultTypes: ['violations'] })
    .analyze();
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

const AXE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));
let axeSource: Promise<string> | undefined;

/** Axe takes longer to load than to look: a document without frames gets it once, and keeps it. */
async function axeOf(page: Page): Promise<AxeBuilder> {
  if (page.frames().length > 1) return new AxeBuilder({ page });
  axeSource ??= readFile(AXE, 'utf8');
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(await axeSource);
  // It is there already; and without frames there are no results of several documents to put together.
  return new AxeBuilder({ page, axeSource: ';' }).setLegacyMode();
}

/** Whether screenshots are taken: if SCREENSHOTS names a folder for them. */
export const isPictured = process.env.SCREENSHOTS !== undefined;

interface Picture {
  /** false: only the part of a long page in the window. */
  isWhole?: boolean;
  /** Of the window; default: that of the visit. */
  width?: number;
}

/**
 * A screenshot for people, `<name>.png`, if any are taken; with SCREENSHOTS_KNOWN=1 only in the place of one that the
 * folder has.
 */
export async function screenshot(
  visit: Visit,
  name: string,
  { isWhole = true, width = visit.width }: Picture = {},
): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder === undefined) return;
  const path = `${folder}/${name}.png`;
  if (process.env.SCREENSHOTS_KNOWN === '1' && !existsSync(path)) return;
  await mkdir(folder, { recursive: true });
  await resize(visit, width);
  await visit.page.screenshot({ path, fullPage: isWhole });
  await resize(visit, visit.width);
}
