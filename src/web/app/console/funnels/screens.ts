/** Funnels: hosted forms that bring leads. The builder of one stands at `/funnels/:id` once it is here. */
import { Filter } from 'lucide-react';
import { screen, type Screen } from '../../lib/route.js';

export const funnelScreens: readonly Screen[] = [
  screen('/funnels', () => import('./funnels.js'), {
    label: 'Funnels',
    icon: Filter,
    needs: 'list_funnels',
    shortcut: 'f',
  }),
];
