/** Reads the arguments that the commands of this folder share. */
import { LAYOUT_NAMES, type LayoutName } from './cluster/layouts.js';

/**
 * @returns undefined when the option was not given
 * @throws {Error} that names the option, the rule and the given value
 */
export function readCount(
  name: string,
  text: string | undefined,
  from: number,
  to: number,
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value >= from && value <= to) return value;
  throw new Error(`--${name} must be a whole number from ${from} to ${to}, not "${text}".`);
}

/**
 * Reads `--roles`, default `together`.
 * @throws {Error} that names the option, the rule and the given value
 */
export function readLayout(text = 'together'): LayoutName {
  const layout = LAYOUT_NAMES.find((one) => one === text);
  if (layout) return layout;
  throw new Error(`--roles may be ${LAYOUT_NAMES.join(' or ')}, not "${text}".`);
}

/** The `--help` text of `--roles`. */
export const ROLES_HELP = `together: two processes answer requests and decide leads (the default); apart: one
                 answers, and two decide`;

export const newSeed = (): string => Math.random().toString(36).slice(2, 10);
