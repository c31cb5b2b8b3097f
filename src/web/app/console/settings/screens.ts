/** What holds for the whole organization. */
import { Settings } from 'lucide-react';
import { screen, type Screen } from '../../lib/route.js';

export const settingsScreens: readonly Screen[] = [
  screen('/settings', () => import('./settings.js'), {
    label: 'Account settings',
    icon: Settings,
    shortcut: 'o',
    needs: 'update_account',
  }),
];
