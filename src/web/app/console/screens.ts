/** The screens of the console, in the order of the navigation. The first is at `/`. */
import type { Screen } from '../lib/route.js';
import { adminScreens } from './admin/screens.js';
import { funnelScreens } from './funnels/screens.js';
import { partyScreens } from './parties/screens.js';
import { pingScreens } from './pings/screens.js';
import { queueScreens } from './queues/screens.js';
import { requestScreens } from './requests/screens.js';
import { returnScreens } from './returns/screens.js';

export const consoleScreens: readonly Screen[] = [
  ...partyScreens,
  ...queueScreens,
  ...returnScreens,
  ...pingScreens,
  ...funnelScreens,
  ...requestScreens,
  ...adminScreens,
];
