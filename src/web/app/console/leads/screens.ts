/** Leads: the list. */
import { Inbox } from 'lucide-react';
import { screen, type Screen } from '../../lib/route.js';

export const leadListScreens: readonly Screen[] = [
  screen('/leads', () => import('./leads.js'), {
    label: 'Leads',
    icon: Inbox,
    shortcut: 'l',
    needs: 'get_leads',
  }),
];
