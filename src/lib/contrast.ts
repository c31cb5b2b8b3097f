/** Whether a color can be read on a surface (WCAG 2.2, 1.4.3). */

/** Least ratio of text to its background. */
export const CONTRAST_MIN = 4.5;

/** The ratio of two colors such as #1a2b3c, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The nearest shade of the color that can be read on the surface: itself where it can. */
export function readableOn(color: string, surface: string): string {
  const pole = luminance(surface) > 0.2 ? 0 : 255;
  const shades = Array.from({ length: STEPS + 1 }, (_, step) => mixed(color, pole, step / STEPS));
  return shades.find((shade) => contrastOf(shade, surface) >= CONTRAST_MIN) ?? color;
}

const STEPS = 50;

const mixed = (color: string, pole: number, share: number): string =>
  hexOf(channels(color).map((value) => Math.round(value + (pole - value) * share)));

const hexOf = (values: readonly number[]): string =>
  `#${values.map((value) => value.toString(16).padStart(2, '0')).join('')}`;

const channels = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
