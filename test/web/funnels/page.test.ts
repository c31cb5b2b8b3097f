/** The content of a funnel page, and that none of its texts becomes markup. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { mergeFields } from '../../../src/account/plans/compilePlan.js';
import type { FunnelDefinitionInput } from '../../../src/funnels/rules/definition.js';
import { TEXT_NAMES } from '../../../src/funnels/rules/texts.js';
import { renderPage } from '../../../src/web/funnels/page.js';
import { FUNNEL_STYLE } from '../../../src/web/funnels/style.css.js';
import { themeCss, themeFile } from '../../../src/web/funnels/theme.js';
import type { PageData, PageState } from '../../../src/web/funnels/types.js';
import { bodyOf, QUIZ, shownOf, withEveryText, type ShownOptions } from './samples.js';

async function pageOf(
  input: FunnelDefinitionInput,
  { state = {}, ...options }: ShownOptions & { state?: Partial<PageState> } = {},
): Promise<{ html: string; headers: Record<string, string>; data: PageData }> {
  const reply = await renderPage(shownOf(input, options), { token: 'signed.token', ...state });
  const html = bodyOf(reply);
  const json = /<script type="application\/json" id="lw-data">(.*?)<\/script>/s.exec(html)?.[1];
  return { html, headers: reply.headers ?? {}, data: JSON.parse(json ?? '{}') as PageData };
}

/** The start tags of all inputs with that name. */
const tagsOf = (html: string, name: string): string[] =>
  [...html.matchAll(/<(?:input|select|textarea)\b[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => tag.includes(` name="${name}"`));

const openings = (html: string, element: string): number =>
  [...html.matchAll(new RegExp(`<${element}[ >]`, 'g'))].length;

describe('the page of a funnel', () => {
  it('is one form with every step, complete without scripts', async () => {
    const { html } = await pageOf(QUIZ);
    expect(openings(html, 'form')).toBe(1);
    expect(html).toContain('<form id="lw-form" method="post" action="/f/roofs" novalidate>');
    const form = html.slice(html.indexOf('<form'), html.indexOf('</form>'));
    for (const step of ['home', 'owns', 'contact']) expect(form).toContain(`data-step="${step}"`);
    expect([...form.matchAll(/type="submit"/g)]).toHaveLength(1);
    expect(tagsOf(form, 't')).toEqual(['<input type="hidden" name="t" value="signed.token">']);
  });

  it('gives each type its keyboard and autocomplete', async () => {
    const { html } = await pageOf(QUIZ);
    const tag = (name: string) => tagsOf(html, `f.${name}`)[0];
    expect(tag('phone')).toMatch(/type="tel" inputmode="tel" autocomplete="tel"/);
    expect(tag('email')).toMatch(/type="email" inputmode="email" autocomplete="email"/);
    expect(tag('zip_code')).toMatch(/inputmode="numeric" autocomplete="postal-code"/);
    expect(tag('state')).toMatch(/^<select .*autocomplete="address-level1"/);
    expect(tag('first_name')).toContain('autocomplete="given-name"');
    expect(tag('roof_age')).toMatch(/data-min="0" data-max="80".* inputmode="decimal"/);
    expect(openings(html, 'option')).toBe(60);
  });

  it('tells its script how its language writes numbers', async () => {
    const roofAge = async (language: string) =>
      tagsOf((await pageOf({ ...QUIZ, language })).html, 'f.roof_age')[0];
    expect(await roofAge('en')).toContain('data-check="number"');
    expect(await roofAge('en')).not.toContain('data-decimal');
    expect(await roofAge('es')).toContain('data-check="number" data-decimal=","');
  });

  it('asks lists, yes and no, dates, addresses and long texts each in its own way', async () => {
    const names = ['county', 'home_type', 'owner', 'move_date', 'website', 'message'];
    const fields = names.map((name) => ({ name, label: name }));
    const { html } = await pageOf({
      ...QUIZ,
      blocks: [{ id: 'all', type: 'form', title: 'All', fields }],
    });
    expect(tagsOf(html, 'f.county')[0]).toMatch(/^<select/);
    expect(tagsOf(html, 'f.home_type')).toHaveLength(4);
    expect(tagsOf(html, 'f.owner').map((tag) => /value="(\w+)"/.exec(tag)?.[1])).toEqual([
      'true',
      'false',
    ]);
    expect(tagsOf(html, 'f.move_date')[0]).toContain('type="date"');
    expect(tagsOf(html, 'f.website')[0]).toContain('type="url"');
    expect(tagsOf(html, 'f.message')[0]).toMatch(/^<textarea .*maxlength="500"/);
  });

  it('requires what the campaign requires, and marks the rest as optional', async () => {
    const { html } = await pageOf(QUIZ);
    expect(tagsOf(html, 'f.phone')[0]).toContain(' required');
    expect(tagsOf(html, 'f.roof_age')[0]).not.toContain(' required');
    expect(html).toContain('Age of the roof in years <span class="opt">(optional)</span>');
  });

  it('requires what pings need in a ping-post campaign, whatever has a default', async () => {
    const roofAge = { name: 'roof_age', type: 'Number', required: false, default: 5 } as const;
    const fields = mergeFields([{ ...roofAge, ping_required: true }]);
    const [posted, pinged] = await Promise.all(
      [false, true].map((isPingPost) => pageOf(QUIZ, { fields, isPingPost })),
    );
    expect(tagsOf(posted?.html ?? '', 'f.roof_age')[0]).not.toContain(' required');
    expect(tagsOf(pinged?.html ?? '', 'f.roof_age')[0]).toContain(' required');
  });

  it('leaves a phone to the service of which a transform keeps the digits', async () => {
    const phone = { name: 'phone', type: 'Phone', required: true, ping_required: false } as const;
    const fields = mergeFields([{ ...phone, transforms: ['digits'] }]);
    const [plain, kept] = await Promise.all([pageOf(QUIZ), pageOf(QUIZ, { fields })]);
    expect(tagsOf(plain.html, 'f.phone')[0]).toContain('data-check="phone"');
    expect(tagsOf(kept.html, 'f.phone')[0]).not.toContain('data-check');
  });

  it('does not require what a hidden field of the funnel gives', async () => {
    const { html } = await pageOf({ ...QUIZ, hidden_fields: { phone: '5125550100' } });
    expect(tagsOf(html, 'f.phone')[0]).not.toContain(' required');
    expect(tagsOf(html, 'f.email')[0]).toContain(' required');
  });

  it('names the next step of each answer', async () => {
    const { html } = await pageOf(QUIZ);
    const mobile = tagsOf(html, 'f.home_type').find((tag) => tag.includes('value="mobile"'));
    expect(mobile).toContain('data-end="renters"');
  });

  it('shows emoji, icons or nothing before options, as the theme says', async () => {
    const withStyle = (optionIconStyle: 'emoji' | 'icon' | 'none') =>
      pageOf({ ...QUIZ, theme: { optionIconStyle } });
    const [emoji, icon, none] = await Promise.all([
      withStyle('emoji'),
      withStyle('icon'),
      withStyle('none'),
    ]);
    expect(emoji.html).toContain('<span class="mark" aria-hidden="true">🏠</span>');
    expect(icon.html).toContain('<span class="mark" aria-hidden="true"><svg class="icon"');
    expect(none.html).not.toContain('class="mark"');
  });

  it('never ticks the consent beforehand', async () => {
    const { html } = await pageOf(QUIZ);
    expect(tagsOf(html, 'consent')[0]).not.toContain('checked');
    expect(html).toContain('This agreement names: Blue Roofing LLC, Hill Country Roofs');
  });

  it('hides a trap for bots from people and their browsers', async () => {
    const { html } = await pageOf(QUIZ);
    expect(html).toMatch(
      /<div class="lw-hp" aria-hidden="true">.*tabindex="-1" autocomplete="off"/,
    );
  });

  it('gives every id once, also where a field is asked on two branches', async () => {
    const form = (id: string): FunnelDefinitionInput['blocks'][number] => ({
      id,
      type: 'form',
      title: id,
      fields: [{ name: 'email', label: 'Email' }],
    });
    const { html } = await pageOf({ ...QUIZ, blocks: [...QUIZ.blocks, form('one'), form('two')] });
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, n) => ids.indexOf(id) !== n)).toEqual([]);
    expect(html).toContain('id="f-one-email"');
    const described = [...html.matchAll(/aria-describedby="([^"]+)"/g)].flatMap(([, all]) =>
      all!.split(' '),
    );
    expect(described.filter((id) => !ids.includes(id))).toEqual([]);
    const labelled = [...html.matchAll(/<label for="([^"]+)"/g)].map(([, id]) => id);
    expect(labelled.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('shows its progress only where there are steps', async () => {
    const [quiz, short, without] = await Promise.all([
      pageOf(QUIZ),
      pageOf({ ...QUIZ, blocks: QUIZ.blocks.filter(({ type }) => type !== 'quiz_step') }),
      pageOf({ ...QUIZ, progress: false }),
    ]);
    expect(quiz.html).toContain('<p id="lw-step-of">Step 1 of 3</p>');
    expect(short.html).not.toContain('lw-step-of');
    expect(without.html).not.toContain('lw-step-of');
  });

  it('shows blocks between two steps with the later one', async () => {
    const { html } = await pageOf(QUIZ);
    expect(html).toMatch(
      /<div class="between" data-with="contact">\s*<section class="block text">/,
    );
  });
});

describe('a page that comes back', () => {
  const values = {
    'f.home_type': 'condo',
    'f.email': 'mia@example',
    'f.state': 'TX',
    consent: 'yes',
    'u.utm_source': 'mail',
    r: 'https://blog.example/',
  };

  it('shows faults at each answer and in a summary, and begins at the first', async () => {
    const faults = [
      { step: 'contact', field: 'email', text: 'invalid_email' },
      { step: 'contact', field: 'roof_age', text: 'too_large', limit: 80 },
      { step: 'contact', field: 'consent', text: 'consent_required' },
    ] as const;
    const { html } = await pageOf(QUIZ, { state: { values, faults } });
    expect(html).toContain('<title>Please check your answers – Roof check</title>');
    expect(html).toContain('<a href="#f-email">Email: Please enter an email address');
    expect(html).toContain('<a href="#f-consent">Please check the box to agree.</a>');
    expect(html).toMatch(/id="e-email" data-error="email">Please enter an email address/);
    expect(html).toMatch(/id="e-roof_age" data-error="roof_age">Please enter 80 or less\./);
    expect(tagsOf(html, 'f.email')[0]).toMatch(/aria-invalid="true" aria-describedby="e-email"/);
    expect(html).toContain('class="step is-current" id="step-contact"');
    expect([...html.matchAll(/class="step is-current"/g)]).toHaveLength(1);
  });

  it('is for one visitor: the next one sees none of its answers', async () => {
    const shown = shownOf(QUIZ);
    const fresh = async () => bodyOf(await renderPage(shown, { token: 'one' }));
    const before = await fresh();
    expect(bodyOf(await renderPage(shown, { token: 'one', values }))).toContain('mia@example');
    expect(await fresh()).toBe(before);
  });

  it('keeps every answer, the ticked consent, and the source of the visit', async () => {
    const { html } = await pageOf(QUIZ, { state: { values, notice: { text: 'unavailable' } } });
    expect(tagsOf(html, 'f.home_type').filter((tag) => tag.includes(' checked'))).toHaveLength(1);
    expect(tagsOf(html, 'f.home_type')[1]).toMatch(/value="condo" checked/);
    expect(tagsOf(html, 'f.email')[0]).toContain('value="mia@example"');
    expect(html).toContain('<option value="TX" selected>');
    expect(tagsOf(html, 'consent')[0]).toContain(' checked');
    expect(tagsOf(html, 'u.utm_source')).toEqual([
      '<input type="hidden" name="u.utm_source" value="mail">',
    ]);
    expect(tagsOf(html, 'r')[0]).toContain('value="https://blog.example/"');
  });

  it('asks to submit again when the service could not accept it', async () => {
    const { html } = await pageOf(QUIZ, { state: { values, notice: { text: 'unavailable' } } });
    expect(html).toMatch(
      /role="alert" tabindex="-1">\s*<h2 hidden><\/h2>\s*<p>We cannot accept your answers/,
    );
    expect(html).toMatch(/id="lw-submit">Try again</);
    const waiting = await pageOf(QUIZ, {
      state: { notice: { text: 'wait', seconds: 4 }, hidden: { wait: 'signed' } },
    });
    expect(waiting.html).toContain('Press the button again in 4 seconds.');
    expect(tagsOf(waiting.html, 'wait')).toHaveLength(1);
  });
});

describe('texts of a funnel', () => {
  const ATTACK = `</script><img src=x onerror="alert('1')">&<%= 1 %>\u2028`;

  it('never become markup, in any place of the page', async () => {
    const plain = await pageOf(QUIZ);
    const { html, data } = await pageOf(withEveryText(QUIZ, ATTACK));
    expect(html).not.toMatch(/<img|<%|onerror="/);
    expect([...html.matchAll(/&#60;img src=x onerror=/g)].length).toBeGreaterThan(40);
    for (const element of ['script', 'form', 'input', 'a', 'li', 'section'])
      expect([element, openings(html, element)]).toEqual([element, openings(plain.html, element)]);
    expect(Object.keys(data)).toEqual(Object.keys(plain.data));
    const own = await pageOf({ ...QUIZ, texts: { required: ATTACK, submit: ATTACK } });
    expect(own.data.texts.required).toBe(ATTACK);
    expect(openings(own.html, 'script')).toBe(openings(plain.html, 'script'));
  });

  it('never become markup in what visitors send', async () => {
    const values = { 'f.email': ATTACK, 'f.phone': `"><u>`, 'u.utm_source': ATTACK, r: ATTACK };
    const { html } = await pageOf(QUIZ, { state: { values } });
    expect(html).not.toMatch(/<img|<u>|onerror="/);
  });

  it('reach the script with each fault of an answer, such as a name of a single word', async () => {
    const saidOf = async (more: Partial<FunnelDefinitionInput>) =>
      (await pageOf({ ...QUIZ, ...more })).data.texts.invalid_name;
    expect(await saidOf({})).toBe('Please enter your first and last name.');
    expect(await saidOf({ language: 'es' })).toBe('Escriba su nombre y su apellido.');
    const texts = { invalid_name: 'Both names, please.' };
    expect(await saidOf({ texts })).toBe('Both names, please.');
    const { data } = await pageOf(QUIZ);
    const faults = TEXT_NAMES.filter((name) =>
      /^(?:invalid|required|too_[ls])|_required$/.test(name),
    );
    expect(faults.length).toBeGreaterThan(10);
    expect(Object.keys(data.texts)).toEqual(expect.arrayContaining(faults));
  });

  it('may be of any length', async () => {
    const { html } = await pageOf({ ...QUIZ, title: 'x'.repeat(120) });
    expect(html).toContain('x'.repeat(120));
  });

  it('are written from right to left in languages that require it', async () => {
    const { html } = await pageOf({ ...QUIZ, language: 'ar-EG' });
    expect(html).toContain('<html lang="ar-EG" dir="rtl">');
    expect((await pageOf({ ...QUIZ, language: 'es' })).html).toContain(
      '<html lang="es" dir="ltr">',
    );
    expect((await pageOf({ ...QUIZ, language: 'es' })).html).toContain('Paso 1 de 3');
  });
});

describe('a certificate of consent', () => {
  it('has an input only where the funnel asks for it', async () => {
    const [none, both] = await Promise.all([
      pageOf(QUIZ),
      pageOf({ ...QUIZ, certificates: { trusted_form: true, jornaya_campaign_id: 'ABCD-1234' } }),
    ]);
    expect(none.html).not.toMatch(/TrustedForm|leadid/);
    expect(tagsOf(both.html, 'xxTrustedFormCertUrl')).toHaveLength(1);
    expect(tagsOf(both.html, 'universal_leadid')[0]).toContain('id="leadid_token"');
  });
});

describe('a preview', () => {
  it('is marked as one, and is not indexed by search engines', async () => {
    const { html } = await pageOf(QUIZ, { isPreview: true });
    expect(html).toContain('Preview: submissions are tests');
    expect(html).toContain('<meta name="robots" content="noindex">');
    expect((await pageOf(QUIZ)).html).not.toContain('noindex');
  });
});

describe('the size of a page', () => {
  it('is at most 10 kB compressed with its styles, which leaves the script the rest of 15', async () => {
    const { html } = await pageOf(QUIZ);
    const theme = themeCss(themeFile(shownOf(QUIZ).definition.theme)) ?? '';
    const kilobytes = [html, FUNNEL_STYLE, theme].map((text) => gzipSync(text).length / 1000);
    expect(kilobytes[1]).toBeLessThanOrEqual(5);
    expect(kilobytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(10);
  });
});
