/** The buyers and suppliers of a campaign, a change of them tried on past leads, and its versions. */
import { screen, type Screen } from '../../lib/route.js';

export const linkScreens: readonly Screen[] = [
  screen('/campaigns/:id/buyers', () => import('./buyers.js'), { needs: 'get_campaign' }),
  screen('/campaigns/:id/suppliers', () => import('./suppliers.js'), { needs: 'get_campaign' }),
  screen('/campaigns/:id/preview', () => import('./preview.js'), { needs: 'preview_routing' }),
  screen('/campaigns/:id/versions', () => import('./versions.js'), { needs: 'get_plan_history' }),
];
