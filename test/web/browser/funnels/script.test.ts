import { expect, it } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { waitFor } from '../../../support/waitFor.js';
import { expectSound } from '../../../support/browser.js';
import { hasFocus } from '../../../support/keyboard.js';
import {
  answer,
  aVisitor,
  currentStep,
  end,
  onStage,
  pointer,
  soldTo,
  walk,
  type Definition,
  type Funnel,
} from './stage.js';

/** Two paths to the form, a dead end, and texts that contain markup. */
const branching = (definition: Definition): Definition => ({
  ...definition,
  blocks: [
    {
      id: 'own',
      type: 'quiz_step',
      title: 'Do you <b>own</b> it?',
      field: 'owns',
      options: [
        { value: 'yes', label: 'Yes', next: 'contact' },
        { value: 'soon', label: 'Soon' },
        { value: 'no', label: 'No', not_qualified: 'renters' },
      ],
    },
    {
      id: 'when',
      type: 'quiz_step',
      title: 'When?',
      field: 'when',
      options: [
        { value: 'spring', label: 'Spring' },
        { value: 'autumn', label: 'Autumn' },
      ],
    },
    {
      id: 'contact',
      type: 'form',
      title: 'Who are you?',
      fields: [
        { name: 'full_name', label: 'Your name' },
        { name: 'phone', label: 'Phone' },
        { name: 'email', label: 'E-mail' },
        { name: 'state', label: 'State' },
      ],
    },
  ],
  not_qualified_pages: [{ id: 'renters', title: 'Not this time' }],
});

const text = (name: string) => ({ name, label: name, type: 'String' as const, required: false });
const MARKET = {
  campaign: {
    fields: ['owns', 'when'].map((name) => ({ ...text(name), ping_required: false })),
  },
};

onStage(
  'the script of a funnel',
  (stage) => {
    let made: Promise<Funnel> | undefined;
    const theFunnel = (): Promise<Funnel> => (made ??= stage().funnel({ change: branching }));
    const open = async () => {
      const visit = await stage().visit(await theFunnel());
      return { ...visit, visitor: aVisitor() };
    };
    const isAt = (page: Page, id: string): Promise<unknown> =>
      page.locator(`#step-${id}.is-current`).waitFor();
    const choose = (page: Page, label: string): Promise<void> =>
      page.locator('.step.is-current label', { hasText: label }).click();
    const submits = (page: Page): Request[] => {
      const seen: Request[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST' && !request.url().endsWith('/count')) seen.push(request);
      });
      return seen;
    };

    it('goes back with the browser and with its own button, and keeps the answers', async () => {
      const { page } = await open();
      await choose(page, 'Soon');
      await isAt(page, 'when');
      await page.goBack();
      await isAt(page, 'own');
      expect(await page.getByLabel('Soon').isChecked()).toBe(true);
      await page.goForward();
      await isAt(page, 'when');
      await page.locator('.step.is-current .back').click();
      await isAt(page, 'own');
      await choose(page, 'Yes');
      await isAt(page, 'contact');
      await page.goBack();
      await isAt(page, 'own');
    });

    it('drops the answer of a step that is no longer on the path', async () => {
      const { page, visitor } = await open();
      await choose(page, 'Soon');
      await choose(page, 'Autumn');
      await isAt(page, 'contact');
      await page.goBack();
      await page.goBack();
      await choose(page, 'Yes');
      await answer(currentStep(page), visitor, pointer);
      await send(page);
      await end(page).waitFor();
      const { fields } = await soldTo(stage(), visitor.email);
      expect(fields).toMatchObject({ owns: 'yes' });
      expect(fields).not.toHaveProperty('when');
    });

    it('ends without a lead where an answer does not qualify', async () => {
      const { page } = await open();
      const before = (await stage().market.leads()).length;
      await choose(page, 'No');
      expect(await end(page).textContent()).toBe('Not this time');
      expect(await stage().market.leads()).toHaveLength(before);
    });

    it('shows a fault at its field, in words, and moves there', async () => {
      const visit = await open();
      const { page, visitor } = visit;
      await page.locator('.step.is-current .next').click();
      const missing = page.locator('#step-own .error');
      expect(await missing.textContent()).toBe('Please answer this.');
      await expectSound(visit);
      await choose(page, 'Yes');
      await answer(currentStep(page), { ...visitor, phone: '555', email: 'not one' }, pointer);
      await page.locator('#lw-submit').click();
      const phone = page.locator('[name="f.phone"]');
      expect(await phone.getAttribute('aria-invalid')).toBe('true');
      expect(await hasFocus(phone)).toBe(true);
      await page.getByText('Please enter a phone number with 10 digits.').waitFor();
      await page.getByText('Please enter an email address such as').waitFor();
      await expectSound(visit);
      await phone.fill(`${visitor.phone} ext. 123456`);
      expect(await phone.getAttribute('aria-invalid')).toBeNull();
      await page.locator('[name="f.email"]').fill(visitor.email);
      await send(page);
      await end(page).waitFor();
    });

    it('shows a fault found by the service at its field, in the step that asks for it', async () => {
      const { page, visitor } = await open();
      await page.route('**/f/*', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({
              status: 422,
              json: {
                outcome: 'faulty',
                faults: [{ step: 'own', field: 'owns', text: 'invalid' }],
              },
            })
          : route.continue(),
      );
      await walk(page, visitor, pointer);
      await isAt(page, 'own');
      await page.locator('#step-own .error').getByText('Please check this answer.').waitFor();
      await page.unrouteAll();
      await choose(page, 'Soon');
      await isAt(page, 'when');
      await choose(page, 'Spring');
      await send(page);
      await end(page).waitFor();
    });

    it('sends once, however often the button is pressed', async () => {
      const { page, visitor } = await open();
      const sent = submits(page);
      await choose(page, 'Yes');
      await answer(currentStep(page), visitor, pointer);
      await page.locator('#lw-submit').dblclick();
      await page
        .locator('#lw-submit')
        .click({ timeout: 1_000 })
        .catch(() => undefined);
      await end(page).waitFor();
      expect(sent).toHaveLength(1);
      await soldTo(stage(), visitor.email);
    });

    it.each([
      ['an answer of 503', { status: 503, json: { outcome: 'unavailable' } }],
      ["a proxy's own answer", { status: 502, body: '<h1>Bad gateway</h1>' }],
      ['no connection', null],
    ])('keeps the answers, and sends them again, after %s', async (_, reply) => {
      const visit = await open();
      const { page, visitor } = visit;
      await walkTo(page, visitor);
      const token = await page.locator('[name="t"]').inputValue();
      await page.route('**/f/*', (route) => (reply ? route.fulfill(reply) : route.abort()));
      await page.locator('#lw-submit').click();
      await page.getByRole('alert').getByText('still on this page').waitFor();
      expect(await page.locator('#lw-submit').textContent()).toBe('Try again');
      expect(await page.locator('[name="f.email"]').inputValue()).toBe(visitor.email);
      await page.unrouteAll();
      expect(await page.locator('[name="t"]').inputValue()).toBe(token);
      await send(page);
      await end(page).waitFor();
      await soldTo(stage(), visitor.email);
    });

    it('makes one lead of answers that were sent, lost, and sent again after a reload', async () => {
      const { page, visitor } = await open();
      await walkTo(page, visitor);
      // The service has stored the answers, but its response does not arrive.
      await page.route('**/f/*', async (route) => {
        if (route.request().method() === 'POST') await route.fetch();
        await route.abort();
      });
      await send(page);
      await page.getByRole('alert').getByText('You are offline').waitFor();
      await page.unrouteAll();
      await page.reload();
      await isAt(page, 'contact');
      expect(await page.locator('[name="f.email"]').inputValue()).toBe(visitor.email);
      const consent = page.locator('[name="consent"]');
      expect(await consent.isChecked()).toBe(false);
      await consent.check();
      await send(page);
      await end(page).waitFor();
      await soldTo(stage(), visitor.email);
      const leads = await stage().market.leads();
      expect(leads.filter(({ fields }) => fields.email === visitor.email)).toHaveLength(1);
    });

    it('deletes the stored answers when they are sent', async () => {
      const { page, visitor } = await open();
      await walkTo(page, visitor);
      await send(page);
      await end(page).waitFor();
      await page.reload();
      await isAt(page, 'own');
      expect(await page.locator('[name="f.email"]').inputValue()).toBe('');
      expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(visitor.email);
    });

    it('counts each step once, without data of the visitor', async () => {
      const { page, visitor } = await open();
      const counted: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/count')) counted.push(request.postData() ?? '');
      });
      await choose(page, 'Soon');
      await page.goBack();
      await choose(page, 'Soon');
      await choose(page, 'Spring');
      await answer(currentStep(page), visitor, pointer);
      await send(page);
      await end(page).waitFor();
      const events = (): string[] =>
        counted.map((body) => {
          const { event, step } = JSON.parse(body) as Record<string, string>;
          return `${event} ${step}`;
        });
      await waitFor(() => events().includes('done contact'));
      expect(events().toSorted()).toEqual([
        'done contact',
        'done own',
        'done when',
        'shown contact',
        'shown when',
        'start own',
      ]);
      for (const body of counted) expect(body).not.toMatch(/Doe|555|@/);
    });

    it('submits the source of the visit', async () => {
      const funnel = await theFunnel();
      const path = `${funnel.path}?utm_source=mail&gclid=abc&unknown=1#fragment`;
      const { page } = await stage().visit({ path });
      const value = (name: string): Promise<string> =>
        page.locator(`[name="${name}"]`).inputValue();
      expect(await value('u.utm_source')).toBe('mail');
      expect(await value('u.gclid')).toBe('abc');
      expect(await value('p')).toContain(funnel.path);
      expect(await page.locator('[name="u.unknown"]').count()).toBe(0);
    });

    const send = (page: Page): Promise<void> => page.locator('#lw-submit').click();

    async function walkTo(page: Page, visitor: ReturnType<typeof aVisitor>): Promise<void> {
      await choose(page, 'Yes');
      await isAt(page, 'contact');
      await answer(currentStep(page), visitor, pointer);
    }
  },
  MARKET,
);
