/** Pings of suppliers, and the auctions that answered them. */
import { Gavel } from 'lucide-react';
import { screen, type Screen } from '../../lib/route.js';

export const pingScreens: readonly Screen[] = [
  screen('/pings', () => import('./pings.js'), {
    label: 'Pings',
    icon: Gavel,
    needs: 'list_pings',
    shortcut: 'p',
  }),
  screen('/pings/:id', () => import('./ping.js'), { needs: 'get_ping' }),
];
