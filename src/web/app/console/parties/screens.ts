/** Buyers and suppliers, and their portals. */
import { Handshake } from 'lucide-react';
import { screen, type Screen } from '../../lib/route.js';

export const partyScreens: readonly Screen[] = [
  screen('/partners', () => import('./partners.js'), {
    label: 'Partners',
    icon: Handshake,
    needs: 'list_portals',
  }),
  screen('/partners/:side/:id?', () => import('./partner.js')),
];
