/** Color: whether it may be written, and how. */

export type Environment = Record<string, string | undefined>;

export const COLOR_CHOICES = ['auto', 'always', 'never'] as const;
export type ColorChoice = (typeof COLOR_CHOICES)[number];

/**
 * Whether color may be written to a stream (no-color.org, CLICOLOR): NO_COLOR and TERM=dumb forbid it,
 * CLICOLOR_FORCE and FORCE_COLOR ask for it anywhere, otherwise a terminal decides.
 * @param choice the value of `--color`; except for `auto` it overrides all of them
 */
export function wantsColor(
  environment: Environment,
  isTerminal: boolean,
  choice: ColorChoice = 'auto',
): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (environment.NO_COLOR) return false;
  const forced = environment.CLICOLOR_FORCE ?? environment.FORCE_COLOR;
  if (forced && forced !== '0') return true;
  if (environment.CLICOLOR === '0' || environment.TERM === 'dumb') return false;
  return isTerminal;
}

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  red(text: string): string;
}

/** Paints with ANSI colors, or not at all. */
export function createPaint(color: boolean): Paint {
  const style = (on: number, off: number) => (text: string) =>
    color ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    green: style(32, 39),
    yellow: style(33, 39),
    red: style(31, 39),
  };
}

/** A part of a text with its title; empty where it has no lines. */
export const section = (title: string, lines: readonly string[], paint: Paint): string =>
  lines.length === 0 ? '' : [paint.bold(title), ...lines].join('\n');
