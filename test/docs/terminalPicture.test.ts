import { expect, it } from '@jest/globals';
import { createPaint } from '../../cli/output/paint.js';
import { drawTerminal } from './terminalPicture.js';

it('draws each line with its colors, as wide as its longest line', () => {
  const paint = createPaint(true);
  const svg = drawTerminal(
    `${paint.bold('Leads')}\n 1  <b>  ${paint.green('ACCEPTED')} &`,
    'A demo',
  );
  expect(svg).toContain('<tspan class="b">Leads</tspan></text>');
  expect(svg).toContain(' 1  &lt;b&gt;  <tspan class="g">ACCEPTED</tspan> &amp;</text>');
  expect(svg).toContain(`width="${Math.ceil(19 * 8.4 + 40)}"`);
});
