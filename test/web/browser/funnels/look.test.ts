/** The look of funnel pages: readable in every theme and width, large enough for thumbs, complete without scripts. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock } from '../../../../src/lib/clock.js';
import { funnelKeyOf } from '../../../../src/platform/security/seal.js';
import { createFunnelTokens } from '../../../../src/funnels/submit/token.js';
import type { FunnelDefinitionInput } from '../../../../src/funnels/rules/definition.js';
import type { HttpServer } from '../../../../src/api/http/server.js';
import { webEndpoints } from '../../../../src/web/server/index.js';
import { noFunnels, startServer } from '../../../support/http.js';
import { describeInBrowser, expectSound, type Visit } from '../../../support/browser.js';
import { QUIZ, shownOf } from '../../funnels/samples.js';

const DARK = {
  backgroundColor: '#0f172a',
  textColor: '#e2e8f0',
  primaryColor: '#38bdf8',
  accentColor: '#34d399',
  buttonTextColor: '#0f172a',
  fontFamily: 'rounded',
  optionIconStyle: 'icon',
  radius: 16,
} as const;
const WARM = {
  backgroundColor: '#fffaf3',
  textColor: '#3b2a1a',
  primaryColor: '#b45309',
  accentColor: '#fde68a',
  fontFamily: 'serif',
  radius: 0,
} as const;

const FUNNELS: Record<string, FunnelDefinitionInput> = {
  plain: QUIZ,
  dark: { ...QUIZ, theme: DARK },
  warm: {
    ...QUIZ,
    theme: WARM,
    blocks: QUIZ.blocks.filter(({ type }) => type !== 'quiz_step' && type !== 'hero'),
  },
  rtl: { ...QUIZ, language: 'ar' },
  long: { ...QUIZ, title: 'W'.repeat(120), consent: { text: 'Unbroken'.repeat(200) } },
};

describeInBrowser('the page of a funnel', (open) => {
  let server: HttpServer;
  beforeAll(async () => {
    const bySlug = (slug: string) =>
      Promise.resolve(slug in FUNNELS ? shownOf(FUNNELS[slug]!, { slug }) : null);
    server = await startServer(
      {
        funnels: {
          ...noFunnels,
          shown: { ...noFunnels.shown, bySlug },
          tokens: createFunnelTokens({ key: funnelKeyOf('a secret of tests'), clock: systemClock }),
        },
      },
      {},
      { pages: webEndpoints },
    );
  });
  afterAll(() => server.close(0));

  const visit = async (slug: string): Promise<Visit> => {
    const opened = await open({ url: server.url });
    await opened.page.goto(`/f/${slug}`);
    return opened;
  };

  it.each(Object.keys(FUNNELS))('is sound at 360 and 1280 pixels: %s', async (slug) => {
    await expectSound(await visit(slug));
  });

  it('has no control lower than 44 pixels, except links in texts', async () => {
    const { page } = await visit('plain');
    const low = await page.evaluate<string[]>(`
      [...document.querySelectorAll('button, a.button, label.option, select, summary, .field input:not([type=radio]), .consent label')]
        .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 44)
        .map((element) => element.outerHTML.slice(0, 100))`);
    expect(low).toEqual([]);
  });
});
