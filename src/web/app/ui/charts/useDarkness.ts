import { useSyncExternalStore } from 'react';
import { isDark, onTheme } from '../../lib/theme.js';

/** Whether the page is dark now: a canvas keeps the colors that it was drawn in. */
export const useDarkness = (): boolean => useSyncExternalStore(onTheme, isDark);
