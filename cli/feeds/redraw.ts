/** A text that is drawn again and again in its place. */
import { fit } from '../output/width.js';
import { USUAL, type Screen, type Terminal } from '../terminal/terminal.js';

/** To the beginning of the line so many lines up; to the end of this line, and of the screen, nothing. */
const up = (lines: number): string => (lines === 0 ? '' : `\u001b[${lines}F`);
const REST_OF_LINE = '\u001b[K';
const REST_OF_SCREEN = '\u001b[J';

export interface Redrawing {
  /** Draws these lines over those that it drew before, as many as the terminal has room for. */
  draw: (linesOf: (width: number) => string[]) => void;
  /** Says something below what is drawn, which stays; the next is drawn below it. */
  say: (text: string) => void;
}

/** What was drawn last stays when it ends. */
export function redrawing(terminal: Terminal): Redrawing {
  let drawn = 0;
  let size = sizeOf(terminal);
  return {
    draw(linesOf) {
      const { columns, rows } = sizeOf(terminal);
      // Lines that a narrower terminal has broken are no longer where they were.
      if (columns !== size.columns) drawn = 0;
      size = { columns, rows };
      const lines = fitting(linesOf(columns), rows - 1, terminal);
      const text = lines.map((line) => `${line}${REST_OF_LINE}`).join('\n');
      terminal.print(`${up(drawn)}${text}${REST_OF_SCREEN}`);
      drawn = lines.length;
    },
    say(text) {
      terminal.say(text);
      drawn = 0;
    },
  };
}

function fitting(lines: string[], rows: number, { paint }: Terminal): string[] {
  if (lines.length <= rows) return lines;
  const shown = lines.slice(0, Math.max(1, rows - 1));
  const more = `and ${lines.length - shown.length} more lines: a higher terminal shows them`;
  return [...shown, paint.dim(fit(more, 80))];
}

/** A person may change the size meanwhile. */
function sizeOf({ host, screen, environment }: Terminal): Screen {
  const { stdout } = host;
  const known = screen ?? USUAL;
  if (!stdout.isTTY || environment.LEADWIRE_FORCE_TTY) return known;
  return { columns: stdout.columns || known.columns, rows: stdout.rows || known.rows };
}
