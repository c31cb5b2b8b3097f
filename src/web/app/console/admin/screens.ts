/** The organization itself: its people, its keys, what was done, and what it all runs on. */
import { Activity, KeyRound, ScrollText, Users } from 'lucide-react';
import { screen, type Screen } from '../../lib/route.js';

const group = 'Settings';

export const adminScreens: readonly Screen[] = [
  screen('/members', () => import('./members.js'), {
    label: 'Members',
    icon: Users,
    group,
    shortcut: 'm',
    needs: 'list_members',
  }),
  screen('/keys', () => import('./keys.js'), {
    label: 'Keys',
    icon: KeyRound,
    group,
    shortcut: 'k',
    needs: 'list_api_keys',
  }),
  screen('/audit', () => import('./audit.js'), {
    label: 'Audit',
    icon: ScrollText,
    group,
    shortcut: 'a',
    needs: 'list_audit',
  }),
  screen('/system', () => import('./system.js'), {
    label: 'System',
    icon: Activity,
    group,
    shortcut: 'y',
    needs: 'get_system',
  }),
];
