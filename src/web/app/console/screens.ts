/** The screens of the console, in the order of the navigation. The first is at `/`. */
import type { Screen } from '../lib/route.js';
import { adminScreens } from './admin/screens.js';
import { leadScreens } from './lead/screens.js';
import { partyScreens } from './parties/screens.js';
import { requestScreens } from './requests/screens.js';

export const consoleScreens: readonly Screen[] = [
  ...partyScreens,
  ...leadScreens,
  ...requestScreens,
  ...adminScreens,
];
