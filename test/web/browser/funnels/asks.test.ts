import { expect, it } from '@jest/globals';
import { funnelTexts } from '../../../../src/funnels/rules/texts.js';
import { waitFor } from '../../../support/waitFor.js';
import { expectSound } from '../../../support/browser.js';
import { aVisitor, end, fillInWhole, onStage, pointer, soldTo, walk } from './stage.js';

const LOAN = {
  name: 'loan_amount',
  type: 'Number' as const,
  required: false,
  ping_required: false,
  min: 1000,
};

onStage(
  'a page of a funnel in a browser',
  (stage) => {
    it('proves work in the background when many visitors submit, and the lead is sold', async () => {
      const funnel = await stage().funnel({
        change: (definition) => ({ ...definition, protection: { submissions_per_minute: 1 } }),
      });
      const asked: boolean[] = [];
      for (let nth = 0; nth < 3; nth++) {
        const visit = await stage().visit(funnel);
        const visitor = aVisitor();
        let hasAsked = false;
        visit.page.on('request', (request) => {
          hasAsked ||= request.url().includes('/challenge');
        });
        await walk(visit.page, visitor, pointer);
        await end(visit.page).waitFor();
        await soldTo(stage(), visitor.email);
        expect(visit.troubles()).toEqual([]);
        asked.push(hasAsked);
      }
      expect(asked.at(0)).toBe(false);
      expect(asked.at(-1)).toBe(true);
    });

    it('loads a certificate of consent from its provider alone, and stores it with the consent', async () => {
      const funnel = await stage().funnel({
        change: (definition) => ({ ...definition, certificates: { trusted_form: true } }),
      });
      const visit = await stage().open({ url: stage().bed.url });
      const { page } = visit;
      const certificate = 'https://cert.trustedform.com/0123456789abcdef0123456789abcdef01234567';
      await page.route('https://api.trustedform.com/**', (route) =>
        route.fulfill({
          contentType: 'text/javascript',
          body: `document.getElementsByName('xxTrustedFormCertUrl')[0].value = '${certificate}';`,
        }),
      );
      await page.goto(funnel.path);
      const input = page.locator('[name="xxTrustedFormCertUrl"]');
      await waitFor(async () => (await input.inputValue()) === certificate);
      const visitor = aVisitor();
      await walk(page, visitor, pointer);
      await end(page).waitFor();
      const consent = await waitFor(() =>
        stage().bed.collections.consents.findOne({ funnel_id: funnel.id }),
      );
      expect(consent.trustedform_cert_url).toBe(certificate);
      expect(visit.troubles()).toEqual(['request to https://api.trustedform.com']);
    });

    it('redirects to an address that the funnel names, instead of the thank-you page', async () => {
      const there = 'https://thanks.example/done';
      const funnel = await stage().funnel({
        change: (definition) => ({
          ...definition,
          redirect_domains: ['thanks.example'],
          thanks: { title: 'Thanks', redirect_url: there },
        }),
      });
      for (const scripts of [true, false]) {
        const { page } = await stage().visit(funnel, { scripts });
        const openedUrls: string[] = [];
        page.on('request', (request) => {
          if (request.isNavigationRequest()) openedUrls.push(request.url());
        });
        await page.route(`${there}**`, (route) => route.fulfill({ body: 'There' }));
        if (scripts) await walk(page, aVisitor(), pointer);
        else await fillInWhole(page, aVisitor());
        // Without scripts a redirect leads there, which no route catches, and there is no such host.
        await waitFor(() => openedUrls.includes(there));
      }
    });

    it('reads numbers as its server does, in the language of the page', async () => {
      const [language, slip, amount] = ['es', '6.3755', '1.500 €'] as const;
      const loan = { name: 'loan_amount', label: 'Amount' };
      const funnel = await stage().funnel({
        language,
        change: (definition) => ({
          ...definition,
          blocks: definition.blocks.map((block) =>
            block.type === 'form' ? { ...block, fields: [loan, ...block.fields] } : block,
          ),
        }),
      });
      const { page } = await stage().visit(funnel);
      const input = page.locator('#f-loan_amount');
      const fault = page.locator('#e-loan_amount');
      const { invalid_number, too_small } = funnelTexts(language, {});
      for (const [typed, text] of [
        [slip, invalid_number],
        ['$ 999', too_small.replace('{limit}', '1000')],
      ] as const) {
        await input.fill(typed);
        await input.blur();
        await waitFor(async () => (await fault.textContent()) === text);
      }
      const visitor = { ...aVisitor(), loan_amount: amount };
      await walk(page, visitor, pointer);
      await end(page).waitFor();
      expect((await soldTo(stage(), visitor.email)).fields.loan_amount).toBe(1500);
    });

    it('is sound when its language is written from right to left', async () => {
      const funnel = await stage().funnel({
        template: 'quiz',
        change: (definition) => ({
          ...definition,
          language: 'ar',
          title: 'عرض سعر',
          texts: funnelTexts('en', {}),
        }),
      });
      const visit = await stage().visit(funnel);
      expect(await visit.page.locator('html').getAttribute('dir')).toBe('rtl');
      await walk(visit.page, aVisitor(), pointer, () => expectSound(visit));
      await end(visit.page).waitFor();
      await expectSound(visit);
    });
  },
  { campaign: { fields: [LOAN] } },
);
