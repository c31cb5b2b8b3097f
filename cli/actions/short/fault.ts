/** A fault in a short form: what is there, at which place, and what would be right. */
export class ShortFormFault extends Error {
  override readonly name = 'ShortFormFault';

  /** @param at the place in the text, from 0 */
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

const SHOWN_MAX = 30;

/** A word of the text as messages show it. */
export const shown = (word: string): string =>
  `"${word.length > SHOWN_MAX ? `${word.slice(0, SHOWN_MAX)}…` : word}"`;

export interface Piece {
  text: string;
  /** Where it begins in the whole, from 0. */
  at: number;
}

/** The parts between separators, without blanks around each. */
export function splitAt(separator: string, { text, at }: Piece): Piece[] {
  let begin = at;
  return text.split(separator).map((part) => {
    const piece = trimmed({ text: part, at: begin });
    begin += part.length + separator.length;
    return piece;
  });
}

export const trimmed = ({ text, at }: Piece): Piece => ({
  text: text.trim(),
  at: at + text.length - text.trimStart().length,
});
