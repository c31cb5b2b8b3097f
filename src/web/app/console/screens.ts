/** The screens of the console, in the order of the navigation. The first is at `/`. */
import type { Screen } from '../lib/route.js';
import { adminScreens } from './admin/screens.js';
import { campaignScreens } from './campaigns/screens.js';
import { funnelScreens } from './funnels/screens.js';
import { leadScreens } from './lead/screens.js';
import { leadListScreens } from './leads/screens.js';
import { linkScreens } from './links/screens.js';
import { partyScreens } from './parties/screens.js';
import { pingScreens } from './pings/screens.js';
import { queueScreens } from './queues/screens.js';
import { reportScreens } from './reports/screens.js';
import { requestScreens } from './requests/screens.js';
import { returnScreens } from './returns/screens.js';
import { settingsScreens } from './settings/screens.js';
import { todayScreens } from './today/screens.js';

/** The navigation lists these screens under a heading. */
const under = (group: string, ...screens: (readonly Screen[])[]): Screen[] =>
  screens.flat().map((one) => ({ ...one, group }));

export const consoleScreens: readonly Screen[] = [
  ...todayScreens,
  ...reportScreens,
  ...under('Leads', leadListScreens, leadScreens, queueScreens, returnScreens, pingScreens),
  ...under(
    'Distribution',
    campaignScreens,
    linkScreens,
    partyScreens,
    funnelScreens,
    requestScreens,
  ),
  ...under('Settings', adminScreens, settingsScreens),
];
