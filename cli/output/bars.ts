/** Amounts side by side, as bars of characters. */
import type { Paint } from './paint.js';
import { visible } from './cells.js';
import { fit, pad, textWidth, widestOf } from './width.js';

export interface Bar {
  label: string;
  /** 0 or more; the longest bar is the largest. */
  amount: number;
  /** The amount in words. */
  text: string;
  /** Text after it. */
  note?: string;
}

const BAR_MAX = 24;
const BAR_MIN = 6;
const LABEL_MAX = 40;
/** Eighths of a block, so that small differences can be seen. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/**
 * A line each, numbered from the first, which is painted as the best; notes are left out where they do not fit.
 * @param width of a line, in columns
 */
export function formatBars(bars: readonly Bar[], width: number, paint: Paint): string[] {
  const shown = bars.map((bar) => ({ ...bar, label: fit(visible(bar.label), LABEL_MAX) }));
  const [number, label, text] = [
    String(bars.length).length,
    widestOf(shown.map((bar) => bar.label)),
    widestOf(shown.map((bar) => bar.text)),
  ];
  const used = 2 + number + 2 + label + 2 + 2 + text;
  const room = Math.min(BAR_MAX, Math.max(BAR_MIN, width - used));
  const most = Math.max(0, ...bars.map(({ amount }) => amount));
  return shown.map(({ note = '', ...bar }, index) => {
    const begin = `  ${String(index + 1).padStart(number)}  ${pad(bar.label, label)}  `;
    const drawn = pad(barOf(bar.amount, most, room), room);
    const line = `${begin}${index === 0 ? paint.green(drawn) : drawn}  ${bar.text.padStart(text)}`;
    const fits = note !== '' && used + room + 2 + textWidth(note) <= width;
    return fits ? `${line}  ${paint.dim(visible(note))}` : line;
  });
}

/** Every amount above zero is visible. */
function barOf(amount: number, most: number, room: number): string {
  if (most === 0 || amount <= 0) return '';
  const eighths = Math.max(1, Math.round((amount / most) * room * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}
