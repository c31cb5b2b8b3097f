/** Draws what a program wrote to a terminal, with its colors, as an SVG. */

/** What one SGR code turns on; codes that end a style are those of `createPaint`. */
const STYLES: Partial<Record<string, string>> = {
  1: 'b',
  2: 'd',
  31: 'r',
  32: 'g',
  33: 'y',
};
const CODE = new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m`, 'g');

const CHAR_PX = 8.4;
const LINE_PX = 19;
const EDGE_PX = 20;

const STYLE = `text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:#d7dae0}
.b{font-weight:700;fill:#fff}.d{fill:#8b919d}.r{fill:#ff7b72}.g{fill:#6fd08c}.y{fill:#e3b341}`;

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The pieces of a line, each with the class of its style. */
function piecesOf(line: string): { text: string; style?: string }[] {
  const [plain = '', ...rest] = line.split(CODE);
  const pieces: { text: string; style?: string }[] = [{ text: plain }];
  for (let n = 0; n < rest.length; n += 2)
    pieces.push({ text: rest[n + 1] ?? '', style: STYLES[rest[n] ?? ''] });
  return pieces.filter(({ text }) => text !== '');
}

/** @param title read out in place of the picture */
export function drawTerminal(output: string, title: string): string {
  const lines = output.trim().split('\n');
  const columns = Math.max(...lines.map((line) => line.replaceAll(CODE, '').length));
  const width = Math.ceil(columns * CHAR_PX + 2 * EDGE_PX);
  const height = lines.length * LINE_PX + 2 * EDGE_PX;
  const rows = lines.map((line, nth) => {
    const y = EDGE_PX + (nth + 0.75) * LINE_PX;
    const spans = piecesOf(line).map(({ text, style }) =>
      style ? `<tspan class="${style}">${escapeXml(text)}</tspan>` : escapeXml(text),
    );
    return `<text x="${EDGE_PX}" y="${y}" xml:space="preserve">${spans.join('')}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">`,
    `<style>${STYLE}</style>`,
    `<rect width="${width}" height="${height}" rx="10" fill="#14161c"/>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}
