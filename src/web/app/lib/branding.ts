/** The colors of a portal, in place of those of the design system. */
import type { PortalSettings } from './session.js';
import { isDark, onTheme } from './theme.js';

type Branding = PortalSettings['branding'];

/** Set through the CSSOM, which the page's security policy allows; the service has checked each color. */
export function applyBranding(branding: Branding): void {
  const paint = (): void => {
    setColors(
      isDark()
        ? { brand: branding.dark_primary_color, accent: branding.dark_accent_color }
        : { brand: branding.primary_color, accent: branding.accent_color },
    );
  };
  onTheme(paint);
  paint();
}

function setColors({ brand, accent }: { brand: string | null; accent: string | null }): void {
  const { style } = document.documentElement;
  if (brand !== null) {
    style.setProperty('--brand', brand);
    style.setProperty('--on-brand', readableOn(brand));
  }
  if (accent !== null) style.setProperty('--accent', accent);
}

/** Black or white, whichever has more contrast there (WCAG 2.2, relative luminance). */
function readableOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? '#ffffff' : '#000000';
}
