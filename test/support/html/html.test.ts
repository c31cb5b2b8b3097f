import { describe, expect, it } from '@jest/globals';
import { formsOf, submitterOf, valuesOf } from './htmlForm.js';
import { fillIn } from './htmlVisitor.js';
import { find, parseHtml, textOf } from './parseHtml.js';

const DOCUMENT = `<!doctype html><html lang="en"><head><title>No text</title><style>p > b {}</style></head>
<body><!-- <form method=post> --><h1>Roofs &amp; more</h1><p>Really&#33;<br>Yes</p>
<form method="post" action="/f/roofs">
  <input type="hidden" name="t" value="a &quot;token&quot;">
  <label><input type="radio" name="f.state" value="CA" required> California</label>
  <label><input type="radio" name="f.state" value="TX"> Texas</label>
  <input name="f.email" type="email" autocomplete="section-a email">
  <input name="f.zip" inputmode="numeric" autocomplete=postal-code>
  <select name="f.kind"><option value="">Choose</option><option value="a" >A</option></select>
  <textarea name="f.note">as
  written</textarea>
  <input type="checkbox" name="consent" value="yes" required>
  <input type="checkbox" name="news">
  <div aria-hidden="true"><input name="website"></div>
  <fieldset disabled><input name="off" value="1"></fieldset>
  <button type="button" name="back">Back</button><button name="go" value="now">Send</button>
</form><script>document.write("<form method='post'>")</script></body></html>`;

describe('the HTML reader', () => {
  const document = parseHtml(DOCUMENT);

  it('reads the visible text', () => {
    const heading = find(document, 'h1');
    expect(heading && textOf(heading)).toBe('Roofs & more');
    expect(textOf(document)).toMatch(/^Roofs & more Really! Yes California Texas/);
    expect(textOf(document)).not.toMatch(/No text|document\.write|form method/);
  });

  it('reads one form, and what a browser would send of it unchanged', () => {
    const forms = formsOf(document);
    expect(forms).toMatchObject([{ method: 'POST', action: '/f/roofs' }]);
    expect(forms[0] && Object.fromEntries(valuesOf(forms[0]))).toEqual({
      t: 'a "token"',
      'f.email': '',
      'f.zip': '',
      'f.kind': '',
      'f.note': 'as written',
      website: '',
    });
    expect(forms[0] && submitterOf(forms[0])).toMatchObject({ name: 'go', value: 'now' });
  });

  it('fills in only the visible controls, by their markup', () => {
    const [form] = formsOf(document);
    const person = {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      phone: '5552000000',
      zip: '90210',
    };
    expect(form && Object.fromEntries(fillIn(form, person))).toEqual({
      t: 'a "token"',
      'f.state': 'CA',
      'f.email': 'ada@example.com',
      'f.zip': '90210',
      'f.kind': 'a',
      'f.note': 'as written',
      consent: 'yes',
      website: '',
    });
  });
});
