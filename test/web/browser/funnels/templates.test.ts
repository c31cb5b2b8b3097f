import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectSound, screenshot } from '../../../support/browser.js';
import { hasFocus } from '../../../support/keyboard.js';
import {
  aVisitor,
  end,
  fillInWhole,
  keyboardOf,
  onStage,
  pointer,
  soldTo,
  TEMPLATES,
  walk,
  type Funnel,
  type Language,
  type Template,
  type Visitor,
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
    /** The lead that the visitor became, once a buyer has it. */
    const expectSold = async (visitor: Visitor): Promise<void> => {
      const { fields } = await soldTo(stage(), visitor.email);
      expect(fields).toMatchObject({
        last_name: visitor.last_name,
        state: visitor.state,
        home_type: 'House',
        homeowner: true,
      });
    };
    const languageOf = (page: Page) => page.locator('html').getAttribute('lang');

    it.each(TEMPLATES)('by keyboard, in Spanish: %s', async (template) => {
      const visit = await stage().visit(await funnelOf(template, 'es'));
      const { page } = visit;
      const visitor = aVisitor();
      if (template === 'quiz') await screenshot(visit, 'quiz-es', { width: 1280 });
      let shown = 0;
      await walk(page, visitor, keyboardOf(page), async (step) => {
        await expectSound(visit);
        shown += 1;
        if (shown > 1) expect(await hasFocus(step.locator('h2').first())).toBe(true);
      });
      await end(page).waitFor();
      expect(await hasFocus(end(page))).toBe(true);
      expect(await languageOf(page)).toBe('es');
      await expectSound(visit);
      await expectSold(visitor);
      expect(await visit.context.cookies()).toEqual([]);
    });

    it.each(TEMPLATES)('by pointer, in English: %s', async (template) => {
      const visit = await stage().visit(await funnelOf(template, 'en'));
      const { page } = visit;
      const visitor = aVisitor();
      await screenshot(visit, `${template}-phone`, { isWhole: false });
      await screenshot(visit, `${template}-en`, { width: 1280 });
      await walk(page, visitor, pointer, () => expectSound(visit));
      await end(page).waitFor();
      expect(await languageOf(page)).toBe('en');
      await expectSound(visit);
      await expectSold(visitor);
      expect(await visit.context.cookies()).toEqual([]);
    });

    it.each(TEMPLATES)('without scripts, as one long form: %s', async (template) => {
      const visit = await stage().visit(await funnelOf(template, 'es'), { scripts: false });
      const { page } = visit;
      const visitor = aVisitor();
      await fillInWhole(page, visitor);
      await end(page).waitFor();
      await expectSold(visitor);
      expect(await visit.context.cookies()).toEqual([]);
      expect(visit.troubles()).toEqual([]);
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
