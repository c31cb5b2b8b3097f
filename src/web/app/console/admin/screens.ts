/** The organization itself: its people, its keys, what was done. */
import { Users } from 'lucide-react';
import { screen, type Screen } from '../../lib/route.js';

export const adminScreens: readonly Screen[] = [
  screen('/members', () => import('./members.js'), {
    label: 'Members',
    icon: Users,
    group: 'Settings',
    needs: 'list_members',
  }),
];
