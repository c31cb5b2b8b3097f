/** The portal of buyers and suppliers. */
import { UsersRound } from 'lucide-react';
import { buyerScreens } from './buyer/screens.js';
import { screen } from './lib/route.js';
import { start } from './shell/start.js';
import { supplierScreens } from './supplier/screens.js';

start({
  at: '/portal',
  api: (membership) => `/portal/api/${membership}`,
  me: (membership) => `/portal/api/${membership}/me`,
  screens: ({ membership: { side } }) => [
    ...(side === 'buyer' ? buyerScreens : supplierScreens),
    screen('/team', () => import('./team/team.js'), { label: 'Team', icon: UsersRound }),
  ],
});
