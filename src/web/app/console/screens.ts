/** The screens of the console, in the order of the navigation. The first is at `/`. */
import type { Screen } from '../lib/route.js';
import { adminScreens } from './admin/screens.js';
import { campaignScreens } from './campaigns/screens.js';
import { leadListScreens } from './leads/screens.js';
import { partyScreens } from './parties/screens.js';
import { requestScreens } from './requests/screens.js';
import { reportScreens } from './reports/screens.js';
import { todayScreens } from './today/screens.js';

export const consoleScreens: readonly Screen[] = [
  ...todayScreens,
  ...leadListScreens,
  ...partyScreens,
  ...reportScreens,
  ...campaignScreens,
  ...requestScreens,
  ...adminScreens,
];
