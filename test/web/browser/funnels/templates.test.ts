import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { expectSound, screenshot } from '../../support/browser.js';
import { hasFocus } from '../../support/keyboard.js';
import {
  aVisitor,
  end,
  fillInWhole,
  keyboardOf,
  LANGUAGES,
  onStage,
  pointer,
  soldTo,
  TEMPLATES,
  walk,
  type Funnel,
  type Language,
  type Template,
} from './stage.js';

const field = { required: true, ping_required: false };
/** Each template has the fields that its campaign requires. */
const MARKET = {
  campaign: {
    name: 'Home solar',
    fields: [
      { ...field, name: 'state', label: 'State', type: 'State' as const },
      {
        ...field,
        name: 'home_type',
        label: 'Type of home',
        type: 'List of Allowed Values' as const,
        allowed_values: ['House', 'Townhouse', 'Condo', 'Mobile home'],
      },
      { ...field, name: 'homeowner', label: 'Do you own your home?', type: 'Boolean' as const },
    ],
  },
};
const FIRST_VIEW_KB = 15;

onStage(
  'each template, in English and Spanish, from create_funnel to a sold lead',
  (stage) => {
    const funnels = new Map<string, Promise<Funnel>>();
    const funnelOf = (template: Template, language: Language): Promise<Funnel> => {
      const key = `${template} ${language}`;
      const made = funnels.get(key) ?? stage().funnel({ template, language });
      funnels.set(key, made);
      return made;
    };
    /** Both languages at once: a person takes seconds. */
    const inBoth = (use: (language: Language) => Promise<void>): Promise<unknown> =>
      Promise.all(LANGUAGES.map(use));

    it.each(TEMPLATES)('by keyboard at 360 px: %s', async (template) => {
      await inBoth(async (language) => {
        const visit = await stage().visit(await funnelOf(template, language), { width: 360 });
        const { page } = visit;
        const visitor = aVisitor();
        if (language === 'en') await screenshot(visit, `${template}-phone`, { isWhole: false });
        let shown = 0;
        await walk(page, visitor, keyboardOf(page), async (step) => {
          await expectSound(visit);
          shown += 1;
          if (shown > 1) expect(await hasFocus(step.locator('h2').first())).toBe(true);
        });
        await end(page).waitFor();
        expect(await hasFocus(end(page))).toBe(true);
        await expectSound(visit);
        await soldTo(stage(), visitor.email);
        expect(await visit.context.cookies()).toEqual([]);
      });
    });

    it.each(TEMPLATES)('by pointer at 1280 px: %s', async (template) => {
      await inBoth(async (language) => {
        const visit = await stage().visit(await funnelOf(template, language));
        const { page } = visit;
        const visitor = aVisitor();
        if (language === 'en' || template === 'quiz')
          await screenshot(visit, `${template}-${language}`);
        await expectSound(visit);
        await walk(page, visitor, pointer);
        await end(page).waitFor();
        expect(await page.locator('html').getAttribute('lang')).toBe(language);
        const lead = await soldTo(stage(), visitor.email);
        expect(lead.fields).toMatchObject({
          last_name: visitor.last_name,
          state: visitor.state,
          home_type: 'House',
          homeowner: true,
        });
        expect(visit.troubles()).toEqual([]);
      });
    });

    it.each(TEMPLATES)('without scripts, as one long form: %s', async (template) => {
      await inBoth(async (language) => {
        const funnel = await funnelOf(template, language);
        const visit = await stage().visit(funnel, { width: 360, scripts: false });
        const { page } = visit;
        const visitor = aVisitor();
        await fillInWhole(page, visitor);
        await end(page).waitFor();
        await soldTo(stage(), visitor.email);
        expect(await visit.context.cookies()).toEqual([]);
        expect(visit.troubles()).toEqual([]);
      });
    });

    it.each(TEMPLATES)(`its first view is at most ${FIRST_VIEW_KB} kB: %s`, async (template) => {
      const { path } = await funnelOf(template, 'es');
      const read = async (at: string): Promise<Buffer> => {
        const response = await fetch(new URL(at, stage().bed.url));
        expect(response.status).toBe(200);
        return Buffer.from(await response.arrayBuffer());
      };
      const html = await read(path);
      const files = [
        ...html
          .toString()
          .matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="(\/[^"]+\.(?:js|css)[^"]*)"/g),
      ].map(([, at]) => at ?? '');
      expect(files.length).toBeGreaterThan(1);
      const bytes = [html, ...(await Promise.all(files.map(read)))].map(
        (file) => gzipSync(file, { level: 9 }).length,
      );
      expect(bytes.reduce((sum, size) => sum + size, 0) / 1000).toBeLessThan(FIRST_VIEW_KB);
    });
  },
  MARKET,
);
