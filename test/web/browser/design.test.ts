import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { HttpServer } from '../../../src/api/http/server.js';
import { webEndpoints } from '../../../src/web/server/index.js';
import { startServer } from '../../support/http.js';
import {
  describeInBrowser,
  expectSound,
  expectSoundInEveryLook,
  screenshot,
  type Visit,
} from '../../support/browser.js';
import { hasFocus, press, tabTo, write } from '../../support/keyboard.js';

let server: HttpServer;
beforeAll(async () => {
  server = await startServer({}, {}, { pages: webEndpoints });
});
afterAll(() => server.close(0));

describeInBrowser('the design system', (open) => {
  const openDesign = async (): Promise<Visit> => {
    const visit = await open({ url: server.url });
    await visit.page.goto('/portal/design');
    await visit.page.locator('.plot canvas').first().waitFor();
    return visit;
  };

  it('shows every part at 360 and 1280 px, light and dark', async () => {
    const visit = await openDesign();
    await screenshot(visit, 'design', { isWhole: false, width: 1280 });
    await expectSoundInEveryLook(visit);
  });

  it('sets colors of a portal through the CSSOM, which the security policy allows', async () => {
    const { page, troubles } = await openDesign();
    await page.evaluate("document.documentElement.style.setProperty('--brand', '#aa0000')");
    const colour = await page.evaluate(
      "getComputedStyle(document.querySelector('.button.primary')).backgroundColor",
    );
    expect(colour).toBe('rgb(170, 0, 0)');
    expect(troubles()).toEqual([]);
  });

  it('runs no inline script and no inline style, and turns no text into markup', async () => {
    const { page, troubles } = await openDesign();
    const refused = await page.evaluate<string[]>(`(() => {
      const refused = [];
      try { document.body.innerHTML = '<i>markup</i>'; } catch { refused.push('markup'); }
      const script = document.createElement('script');
      try { script.textContent = 'window.ran = true'; document.body.append(script); } catch { refused.push('script'); }
      const box = document.createElement('p');
      box.setAttribute('style', 'color: red');
      document.body.append(box);
      if (getComputedStyle(box).color !== 'rgb(255, 0, 0)') refused.push('style');
      if (!window.ran && !refused.includes('script')) refused.push('script');
      return refused;
    })()`);
    expect(refused.toSorted()).toEqual(['markup', 'script', 'style']);
    troubles();
  });

  it('keeps what was typed when a form is refused, and goes to the first field that is wrong', async () => {
    const visit = await openDesign();
    const { page } = visit;
    await write(page, page.getByLabel('Name'), 'Jane');
    await write(page, page.getByLabel('Email'), 'no address');
    await press(page, page.getByRole('button', { name: 'Send' }));
    const email = page.getByLabel('Email');
    await page.getByText('must be an address such as').waitFor();
    expect(await hasFocus(email)).toBe(true);
    expect(await email.inputValue()).toBe('no address');
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('alert').first().innerText()).toContain(
      'caps.day: must be at most',
    );
    await expectSound(visit);
  });

  it('says the values of a chart by arrow keys, and those of a heat map', async () => {
    const visit = await openDesign();
    const { page } = visit;
    const chart = page.getByRole('slider', { name: 'Leads by hour: values' });
    await tabTo(page, chart);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await chart.getAttribute('aria-valuetext')).toBe(
      '1 AM: Today 77, Same day last week 64',
    );
    expect(await page.locator('.chart-tip').innerText()).toContain('Same day last week');
    await page.keyboard.press('Escape');
    expect(await page.locator('.chart-tip').count()).toBe(0);
    await tabTo(page, page.getByRole('gridcell', { name: 'Mon, 00: 28 leads' }));
    await page.keyboard.press('ArrowDown');
    expect(await hasFocus(page.getByRole('gridcell', { name: 'Tue, 00: 46 leads' }))).toBe(true);
    await expectSound(visit);
  });

  it('opens a dialog that keeps the focus, and gives it back when it closes', async () => {
    const visit = await openDesign();
    const { page } = visit;
    const opener = page.getByRole('button', { name: 'Open a dialog' });
    await press(page, opener);
    const dialog = page.getByRole('dialog', { name: 'Invite a person' });
    await tabTo(page, dialog.getByLabel('Address'));
    await expectSound(visit);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await hasFocus(opener)).toBe(true);
  });

  it('sorts a whole list by its header, and announces it', async () => {
    const { page } = await openDesign();
    const header = page.getByRole('columnheader', { name: 'Price' });
    await press(page, header.getByRole('button'));
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
    expect(
      await page.getByRole('table', { name: 'Leads' }).getByRole('row').nth(1).innerText(),
    ).toContain('$7.00');
    await page.keyboard.press('Enter');
    expect(await header.getAttribute('aria-sort')).toBe('descending');
    expect(
      await page.getByRole('table', { name: 'Leads' }).getByRole('row').nth(1).innerText(),
    ).toContain('$30.00');
  });
});
