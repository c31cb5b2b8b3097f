/** The first screen: how the day goes, and what needs someone. */
import { Gauge } from 'lucide-react';
import { screen, type Screen } from '../../lib/route.js';

export const todayScreens: readonly Screen[] = [
  screen('/', () => import('./today.js'), {
    label: 'Today',
    icon: Gauge,
    shortcut: 't',
    needs: 'get_today',
  }),
];
