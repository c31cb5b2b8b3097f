/** The screens of the console, in the order of the navigation. The first is at `/`. */
import type { Screen } from '../lib/route.js';
import { adminScreens } from './admin/screens.js';
import { linkScreens } from './links/screens.js';
import { partyScreens } from './parties/screens.js';
import { requestScreens } from './requests/screens.js';

export const consoleScreens: readonly Screen[] = [
  ...partyScreens,
  ...linkScreens,
  ...requestScreens,
  ...adminScreens,
];
