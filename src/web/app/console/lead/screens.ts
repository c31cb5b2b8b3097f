/** One lead: where it went and why. */
import { screen, type Screen } from '../../lib/route.js';

export const leadScreens: readonly Screen[] = [
  screen('/leads/:id', () => import('./lead.js'), { needs: 'get_lead' }),
];
