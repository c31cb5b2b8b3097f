/** What waits for buyers, and the commands on it. */
import { ListRestart } from 'lucide-react';
import { screen, type Screen } from '../../lib/route.js';

export const queueScreens: readonly Screen[] = [
  screen('/queues', () => import('./queues.js'), {
    label: 'Queues',
    icon: ListRestart,
    needs: 'list_deliveries',
    shortcut: 'q',
  }),
];
