/** How much room a text takes in a terminal. */

const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** East Asian scripts and pictures take two columns (Unicode Standard Annex 11). */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]$|^\p{Emoji_Presentation}$/u;

const charWidth = (char: string): number => {
  if (char >= ' ' && char <= '~') return 1;
  if (NO_WIDTH.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
};

/** In columns; without colours. */
export function textWidth(text: string): number {
  let width = 0;
  for (const char of text) width += charWidth(char);
  return width;
}

/** As much of the text as fits, the last of it an ellipsis when there was more. */
export function fit(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let used = 0;
  let kept = '';
  for (const char of text) {
    used += charWidth(char);
    if (used > width - 1) break;
    kept += char;
  }
  return `${kept}…`;
}
