/** The end page of a visit. */
import { describe, expect, it } from '@jest/globals';
import { renderResult, resultText } from '../../../src/web/funnels/result.js';
import { bodyOf, QUIZ, shownOf } from './samples.js';

describe('the end of a visit', () => {
  it('shows the texts of the definition', () => {
    const shown = shownOf(QUIZ);
    expect(resultText(shown, { kind: 'thanks' })).toEqual({
      title: 'Thank you',
      text: 'A roofer calls you within a day.',
      redirect_url: null,
    });
    expect(resultText(shown, { kind: 'no_buyer' }).title).toBe('Nobody is free at the moment');
    expect(resultText(shown, { kind: 'not_qualified', page: 'renters' }).title).toBe(
      'This is for owners',
    );
    const html = bodyOf(renderResult(shown, { kind: 'thanks' }));
    expect(html).toContain('<h1 tabindex="-1">Thank you</h1>');
    expect(html).toContain('noindex');
  });

  it('never shows which rule refused an answer', () => {
    expect(resultText(shownOf(QUIZ), { kind: 'refused' })).toEqual({
      title: 'We cannot accept these answers.',
      text: null,
      redirect_url: null,
    });
  });

  it('shows in the language of the page that a funnel is closed', () => {
    const shown = shownOf({ ...QUIZ, language: 'es' }, { isClosed: true });
    expect(bodyOf(renderResult(shown, { kind: 'closed' }))).toContain(
      'Este formulario está cerrado',
    );
  });
});
