/** The screens of the organization, in the order of the navigation. The first is at `/`. */
import { screen, type Screen } from '../lib/route.js';

export const consoleScreens: readonly Screen[] = [
  screen('/', () => import('./partners.js'), { label: 'Partners', needs: 'list_portals' }),
  screen('/partners/:side/:id?', () => import('./partner.js')),
  screen('/changes', () => import('./changes.js'), {
    label: 'Change requests',
    needs: 'list_change_requests',
  }),
  screen('/members', () => import('./members.js'), { label: 'Members', needs: 'list_members' }),
];
