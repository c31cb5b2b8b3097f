/** How much room a text takes in a terminal, in columns. Colors take none. */
import stringWidth from 'string-width';

/** Columns of the text, as terminals show it: joined code points count as one sign. */
export const textWidth = (text: string): number => stringWidth(text);

/** Columns of the widest text; 0 when there is none. */
export const widestOf = (texts: readonly string[]): number =>
  texts.reduce((widest, text) => Math.max(widest, textWidth(text)), 0);

/** The text with blanks to the width: behind it, or before it where it is aligned to the right. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, width - textWidth(text)));
  return align === 'right' ? blanks + text : text + blanks;
}

const signs = new Intl.Segmenter();

/** As many whole signs of the text, without colors, as fit; an ellipsis is the last when there were more. */
export function fit(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let used = 0;
  let kept = '';
  for (const { segment } of signs.segment(text)) {
    used += textWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/**
 * The text in lines of at most this width, broken between words.
 * @param breaksWords whether a word that is longer than a line is broken, too; otherwise it stays whole
 */
export function wrap(text: string, width: number, breaksWords = false): string[] {
  const lines: string[] = [];
  const words = text.split(' ').flatMap((word) => (breaksWords ? pieces(word, width) : [word]));
  for (const word of words) {
    const last = lines.at(-1);
    const longer = `${last ?? ''} ${word}`;
    if (last !== undefined && textWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function pieces(word: string, width: number): string[] {
  if (textWidth(word) <= width) return [word];
  const parts = [''];
  for (const { segment } of signs.segment(word)) {
    const longer = `${parts.at(-1) ?? ''}${segment}`;
    if (textWidth(longer) <= width) parts[parts.length - 1] = longer;
    else parts.push(segment);
  }
  return parts;
}
