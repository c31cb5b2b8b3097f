/**
 * The colors and shapes of a funnel as a stylesheet. Its name holds the theme itself, so that it is made without a
 * database read, and browsers keep it for good.
 */
import { contrastOf, readableOn } from '../../lib/contrast.js';
import { FONTS, type Theme } from '../../funnels/rules/definition.js';
import { getOwn } from '../../lib/getOwn.js';

/** In the order of the file's name. */
const COLORS = [
  'primaryColor',
  'accentColor',
  'backgroundColor',
  'textColor',
  'buttonTextColor',
] as const;

type Tokens = Pick<Theme, (typeof COLORS)[number] | 'fontFamily' | 'radius'>;

const FONT_STACKS: Record<Theme['fontFamily'], string> = {
  system: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif",
  serif: "'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, 'Liberation Serif', serif",
  rounded:
    "ui-rounded, 'SF Pro Rounded', 'Hiragino Maru Gothic ProN', Quicksand, Nunito, system-ui, 'Liberation Sans', sans-serif",
  mono: "ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace",
};

/** The file that has this theme. */
export function themeFile(theme: Tokens): string {
  const colors = COLORS.map((name) => theme[name].slice(1).toLowerCase());
  return `theme-${[...colors, theme.fontFamily, theme.radius].join('-')}.css`;
}

const FILE = new RegExp(
  `^theme-((?:[0-9a-f]{6}-){5})(${FONTS.join('|')})-(\\d|1\\d|2[0-4])\\.css$`,
);

/** The stylesheet of that name; null when it names no theme. */
export function themeCss(file: string): string | null {
  const found = FILE.exec(file);
  if (!found) return null;
  const [, colors = '', font = '', radius = ''] = found;
  const [primary = '', accent = '', background = '', text = '', buttonText = ''] = colors
    .split('-')
    .map((digits) => `#${digits}`);
  const stack = getOwn(FONT_STACKS, font);
  if (stack === undefined) return null;
  const tokens = {
    ...derived({ primary, accent, background, text, buttonText }),
    font: stack,
    r: `${radius}px`,
    'r-small': `${Math.min(Number(radius), 10)}px`,
    'r-large': `${Math.round(Number(radius) * 1.5)}px`,
  };
  const lines = Object.entries(tokens).map(([name, value]) => `--${name}:${value}`);
  const scheme = isDark(background) ? 'dark' : 'light';
  return `:root{color-scheme:${scheme};${lines.join(';')}}\n`;
}

interface Colors {
  primary: string;
  accent: string;
  background: string;
  text: string;
  buttonText: string;
}

/** Every color of the page. Colors that the theme does not set are made from it, and stay readable on it. */
function derived({ primary, accent, background, text, buttonText }: Colors) {
  const dark = isDark(background);
  const card = dark ? mix(background, '#ffffff', 0.06) : mix(background, '#ffffff', 0.75);
  // Of the two surfaces the one with less contrast decides: a color readable on it is readable on both.
  const readable = (color: string, surface = card): string =>
    readableOn(readableOn(color, surface), background);
  const tint = mix(card, primary, dark ? 0.16 : 0.07);
  return {
    bg: background,
    card,
    text,
    muted: readable(mix(text, background, 0.3)),
    line: mix(card, text, 0.16),
    // Borders of controls: 3:1 at least.
    edge: borderOn(card, text),
    primary,
    'primary-deep': mix(primary, dark ? '#ffffff' : '#000000', 0.14),
    'on-primary': buttonText,
    link: readable(primary),
    tint,
    band: mix(background, primary, dark ? 0.14 : 0.06),
    accent: readable(accent),
    'accent-soft': mix(card, accent, dark ? 0.22 : 0.12),
    bad: readable(dark ? '#ff8a80' : '#b3201c'),
    'bad-soft': mix(card, '#d92d20', dark ? 0.2 : 0.08),
    shadow: dark ? 'rgb(0 0 0/.5)' : 'rgb(15 23 42/.1)',
  };
}

const isDark = (background: string): boolean =>
  contrastOf(background, '#ffffff') > contrastOf(background, '#000000');

/** The lightest mix with the color of texts that still shows where a control is. */
function borderOn(surface: string, text: string): string {
  const mixes = Array.from({ length: BORDER_STEPS }, (_, n) =>
    mix(surface, text, (n + 1) / BORDER_STEPS),
  );
  const found = mixes.find((color) => contrastOf(color, surface) >= BORDER_CONTRAST_MIN);
  return found ?? readableOn(text, surface);
}

/** For borders that mark a control (WCAG 2.2, 1.4.11). */
const BORDER_CONTRAST_MIN = 3;
const BORDER_STEPS = 40;

/** @param share of the other color, 0 to 1 */
function mix(one: string, other: string, share: number): string {
  const channel = (color: string, at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) =>
    Math.round(channel(one, at) + (channel(other, at) - channel(one, at)) * share),
  );
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
