/** The theme that a person picks on this device, in place of the system's. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'leadwire-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

export function getTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  applyTheme();
}

export function applyTheme(): void {
  const theme = getTheme();
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
  for (const listener of listeners) listener();
}

/** Whether the page is dark now. */
export const isDark = (): boolean => {
  const theme = getTheme();
  return theme === 'system' ? dark.matches : theme === 'dark';
};

/** Calls the listener when the page turns dark or light. Returns how to stop it. */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  dark.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    dark.removeEventListener('change', listener);
  };
}
